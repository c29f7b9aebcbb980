import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.ledger.mkqa import exact_match, normalize
from xorqa.metrics.tasks.squad import exact_match as squad_exact_match


@pytest.mark.parametrize(
    ("lang", "text", "tokens"),
    [
        ("en", "The “Panthers”, a team!", "“panthers” team"),
        ("es", "una manzana de la casa", "manzana de casa"),
        ("ar", "التفاحة الحمراء", "تفاحة حمراء"),
        ("ar", "خالد", "خ د"),  # inside words too
        ("fi", "Se on yksi talo", "on talo"),
        ("fr", "les deux villes", "s ux villes"),  # where a word begins with one too
        ("it", "L'Italia", "litalia"),
        ("it", "Isola", "sola"),
        ("ja", "27 年、8848メートル", "2 7 年 、 8 8 4 8 メ ー ト ル"),
        ("zh", "27 年", "2 7 年"),
        ("ko", "27 년", "27 년"),
        ("ko", "the 27년", "the 27년"),
        ("ru", "27  лет.", "27 лет"),
    ],
)
def test_each_language_has_its_articles_and_tokens(lang, text, tokens):
    assert normalize(text, lang) == tokens


def test_blanks_count_only_where_words_are_separated_by_them():
    assert exact_match("27年", ("27 年",), "ja") == 1.0
    assert exact_match("27년", ("27 년",), "ko") == 0.0
    assert squad_exact_match("27年", "27 年") == 0.0


def test_any_gold_answer_will_do():
    assert exact_match("Oulu!", ("Turku", "the Oulu"), "en") == 1.0
    assert exact_match("Oulu", ("Turku",), "en") == 0.0
    assert exact_match("Oulu", (), "en") == 0.0


@given(st.text(alphabet="aéل ال中é1, 'the"), st.sampled_from(["ar", "en", "fi", "fr", "ja", "ko"]))
def test_a_text_matches_itself_with_other_blanks_and_punctuation(text, lang):
    assert exact_match(f" {text}!\n", (text,), lang) == 1.0
