import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.lang import LANGUAGES
from xorqa.core.text.search_tokens import tokens
from xorqa.core.text.stems import ALGORITHMS, stem


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "lake lakes"),
        ("ru", "озеро озера озёр"),
        ("fi", "talo talossa taloissa"),
        ("tr", "ev evler evleri"),
        ("el", "χώρα χώρες χωρών"),
        ("ar", "كتاب الكتاب وكتاب"),
        ("hi", "लड़का लड़के लड़कों"),
        ("es", "fundado fundada fundaron"),
        ("de", "Gebirge Gebirges Gebirgen"),
        ("ro", "râul râului"),
    ],
)
def test_inflected_forms_have_one_stem(lang: str, words: str) -> None:
    assert len({stem(word, lang) for word in tokens(words, lang)}) == 1


def test_other_languages_keep_their_words() -> None:
    assert ALGORITHMS.keys() <= LANGUAGES.keys()
    for lang in LANGUAGES.keys() - ALGORITHMS.keys():
        assert stem("lakes", lang) == "lakes"


@given(st.text(min_size=1), st.sampled_from(sorted(ALGORITHMS)))
def test_a_stem_is_never_empty(text: str, lang: str) -> None:
    for token in tokens(text, lang):
        assert stem(token, lang)
