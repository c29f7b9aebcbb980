import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.text.words import nltk_words, wakati


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("nltk", "punkt", "MeCab", "unidic_lite"):
        pytest.importorskip(name)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("Oulu, Finland.", ["Oulu", ",", "Finland", "."]),
        ("It's Dr. Smith's.", ["It", "'s", "Dr.", "Smith", "'s", "."]),
        ('He said "no" (1998).', ["He", "said", "``", "no", "''", "(", "1998", ")", "."]),
        ("In recent years. ... The end", ["In", "recent", "years", ".", "...", "The", "end"]),
    ],
)
def test_words_are_those_of_nltk(text, tokens):
    assert nltk_words(text) == tokens


@settings(deadline=None)
@given(st.text())
def test_words_hold_no_white_space(text):
    assert not any(char.isspace() for word in nltk_words(text) for char in word)


def test_wakati_parts_japanese_and_keeps_the_line_end():
    assert wakati("東京の歴史") == "東京 の 歴史 \n"
    assert wakati("") == "\n"


@pytest.mark.parametrize("odd", ["\0", "\ud800"])
def test_wakati_takes_any_character(odd):
    assert wakati(f"東京{odd}京都").split() == ["東京", "?", "京都"]
