from hypothesis import given
from hypothesis import strategies as st

from xorqa.datasets.documents.document import Block, one_line, paragraphs, sections, slug

blocks = st.lists(st.builds(Block, st.sampled_from(["a", "A!", "a-2", "b"]), st.integers(0, 3)))


@given(blocks)
def test_references_are_unique_and_no_paragraph_is_lost(some: list[Block]) -> None:
    found = list(sections(some))
    assert len({section.ref for section in found}) == len(found)
    below = [text for section in found for text in section.paragraphs]
    texts = [block.text for block in some if not block.level]
    remaining = iter(below)
    assert all(text in remaining for text in texts)  # in order, among headings without text
    assert len(below) <= len(some)


def test_references_are_readable_in_every_script() -> None:
    assert slug("2. Työajat & lomat") == "2-työajat-lomat"
    assert slug("हिन्दी में") == "हिन्दी-में"
    assert slug("東京") == "東京"
    assert slug("…") == "section"
    assert len(slug("word " * 99)) <= 40


def test_a_short_line_ends_its_paragraph() -> None:
    lines = "Chapter\nThis is a long line of text in\na paragraph that ends\nhere.\nThe second one"
    assert paragraphs(lines) == (
        "Chapter",
        "This is a long line of text in a paragraph that ends here.",
        "The second one",
    )


def test_lines_of_japanese_are_joined_without_a_space() -> None:
    assert one_line("東京は\n首都 です。\nTokyo\nis") == "東京は首都 です。 Tokyo is"
    assert one_line("a\0\ud800\u3000b") == "a\ufffd\ufffd b"
