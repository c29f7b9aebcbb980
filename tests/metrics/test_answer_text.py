import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.lang import LANGUAGES
from xorqa.core.text.normalize import fold
from xorqa.metrics.answer_text import CHARACTERS, normalize, tokens


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("MeCab", "unidic_lite"):
        pytest.importorskip(name)


@pytest.mark.parametrize(
    ("lang", "text", "normal"),
    [
        ("en", "  The Ｂeatles’ “An  Album”!", "beatles album"),
        ("en", string.punctuation + "x", "x"),
        ("de", "Die Straße des STRASSE", "strasse strasse"),
        ("es", "la Ciudad de los Ángeles", "ciudad de ángeles"),
        ("vi", "Những cái tên của a\u0300", "tên à"),
        ("fi", "The Oulu", "the oulu"),
        ("hi", "नई दिल्ली।", "नई दिल्ली"),
        ("ar", "الكتاب، والكتاب الال؟", "كتاب والكتاب ال"),
        ("ja", "第２次「大戦」、ｶﾞ", "第2次大戦ガ"),
        ("xx", "The Die", "the die"),
        ("fi", "alkali\u00adlasi", "alkalilasi"),
        ("te", "సాఫ్ట్\u200cవేర్", "సాఫ్ట్వేర్"),
    ],
)
def test_differences_that_do_not_count(lang, text, normal):
    assert normalize(text, lang) == normal


@pytest.mark.parametrize(
    ("lang", "text", "normal"),
    [
        ("en", "The", "the"),
        ("en", "“The A”", "the a"),
        ("ar", "ال", "ال"),
        ("en", "… ?", "... ?"),
        ("ja", "「」", "「」"),
        ("en", " \t", ""),
    ],
)
def test_answers_that_would_be_empty_are_kept(lang, text, normal):
    assert normalize(text, lang) == normal


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("en", "New York-based 東京", ["new", "yorkbased", "東京"]),
        ("ko", "서울 특별시", ["서울", "특별시"]),
        ("ja", "東京の歴史", ["東京", "の", "歴史"]),
        ("zh", "北京 Beijing 2008年", ["北", "京", "beijing", "2008", "年"]),
        ("th", "ไทย Thai 1", ["ไ", "ท", "ย", "thai", "1"]),
        ("xx", "ab cd", ["ab", "cd"]),
    ],
)
def test_tokens(lang, text, found):
    assert tokens(text, lang) == found


def test_every_language_without_spaces_has_its_tokens():
    assert {code for code, row in LANGUAGES.items() if not row.spaced} == {"ja", *CHARACTERS}


written = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
langs = st.sampled_from([*LANGUAGES, "xx"])


@settings(deadline=None)
@given(written, langs)
def test_only_white_space_has_no_tokens_and_no_token_has_white_space(text, lang):
    found = tokens(text, lang)
    assert bool(found) == bool(fold(text).strip())  # invisible characters are none
    assert all(token and not any(map(str.isspace, token)) for token in found)
    assert "".join(found) == normalize(text, lang).replace(" ", "")


@given(written)
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)
