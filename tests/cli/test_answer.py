"""A long passage is shown around its span, on about three lines of text either side."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from xorqa.cli.answer import LINES, around
from xorqa.core.types import Span

WORDS = " ".join(f"word{n:03d}" for n in range(300))


def test_a_short_passage_is_whole() -> None:
    text = WORDS[:300]
    assert around(text, Span(8, 15), width=80) == (text[:8], text[8:15], text[15:])


def test_a_long_passage_is_cut_at_words() -> None:
    start = WORDS.index("word150")
    before, within, after = around(WORDS, Span(start, start + 7), width=40)
    assert within == "word150"
    assert before == f"… {' '.join(f'word{n}' for n in range(135, 150))} "
    assert after == f" {' '.join(f'word{n}' for n in range(151, 166))} …"


def test_the_first_and_last_words_have_no_ellipsis() -> None:
    before, _, after = around(WORDS, Span(0, 7), width=40)
    assert before == "" and after.endswith(" …")
    before, _, after = around(WORDS, Span(len(WORDS) - 7, len(WORDS)), width=40)
    assert before.startswith("… ") and after == ""


def test_line_ends_count_as_lines() -> None:
    text = "\n".join("abcdefghijklmnop")
    assert around(text, Span(16, 17), width=80) == ("… g\nh\n", "i", "\nj\nk …")


@given(st.text(st.sampled_from("ab 東京。\n"), max_size=400), st.data())
def test_the_context_is_part_of_the_passage(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    before, within, after = around(text, span, width=20)
    assert within == text[span.start : span.end]
    assert text[: span.start].endswith(before.removeprefix("… "))
    assert text[span.end :].startswith(after.removesuffix(" …"))
    if before.startswith("… ") or after.endswith(" …"):
        assert max(map(cell_len, (before, after))) <= 20 * LINES + 2  # an ellipsis
