from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.text.words import word_spans
from xorqa.core.types import Span


def cut(text: str, spans: list[Span]) -> list[str]:
    return [text[span.start : span.end] for span in spans]


@given(st.text() | st.text("aนี่ไ東タ1.\u0301 "))
def test_words_hold_all_but_blanks(text: str) -> None:
    assert "".join("".join(cut(text, word_spans(text))).split()) == "".join(text.split())


def test_words_are_characters_where_none_are_divided() -> None:
    for text, wanted in {
        "It's 6,650 km.": ["It", "'", "s", "6", ",", "650", "km", "."],
        "東京タワー TV": [*"東京タワー", "TV"],
        "ที่นี่": ["ที่", "นี่"],
        "नदी है।": ["नदी", "है", "।"],
        "서울은 도시": ["서울은", "도시"],
    }.items():
        assert cut(text, word_spans(text)) == wanted
