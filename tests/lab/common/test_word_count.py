import pytest

from xorqa.lab.common.word_count import word_count


@pytest.mark.parametrize(
    ("text", "lang", "count"),
    [
        ("The Nile, 6,650 km long.", "en", 5),
        ("", "en", 0),
        ("나일강은 길다", "ko", 2),
        ("尼罗河长6650公里。", "zh", 8),
        ("แม่น้ำ", "th", 4),
    ],
)
def test_words_are_counted_between_spaces_or_by_character(text: str, lang: str, count: int) -> None:
    assert word_count(text, lang) == count
