from pathlib import Path

import pytest

from xorqa.answering.localising import names as generics
from xorqa.answering.localising.chain import ChainLocaliser
from xorqa.answering.localising.names import read_english_generic
from xorqa.core.config import read_toml

RULES = ChainLocaliser(transliterator=None)
LANGS = ("ar", "bn", "ja", "ko", "ru", "te")
CONDITIONS = ("surname", "full_name", "one_word")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lake Victoria", "Victoria"),
        ("the Congo River", "Congo"),
        ("Rodrigues island", "Rodrigues"),
        ("San Francisco International Airport", "San Francisco"),
        ("University of Nairobi", "Nairobi"),
        ("Bagsværd Church", "Bagsværd"),
        ("Umberto II", "Umberto"),
        ("General Thomas T. Handy", "Thomas T. Handy"),
        ("Pope Gregory XIII", "Gregory XIII"),
    ],
)
def test_names_with_a_generic_word(text: str, name: str) -> None:
    generic = read_english_generic(text)
    assert generic is not None
    assert generic.name == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Lake",
        "River",
        "Stone Bridge",
        "a long bridge",
        "James Bay",
        "1990 River",
        "General Mills",
        "Super Bowl XII",
    ],
)
def test_other_texts(text: str) -> None:
    assert read_english_generic(text) is None


@pytest.mark.parametrize(
    ("text", "lang", "localised"),
    [
        ("the James River", "ja", "ジェームズ川"),
        ("the James River", "ru", "река Джеймс"),
        ("the James River", "ar", "نهر جيمس"),
        ("University of Nairobi", "ko", "나이로비 대학교"),
        ("Robert III", "ar", "روبرت الثالث"),
        ("Robert III", "ko", "로버트 3세"),
        ("King Robert III", "bn", "রাজা তৃতীয় রবার্ট"),
        ("Treaty of Nairobi", "ja", "ナイロビ条約"),
    ],
)
def test_the_generic_word_is_translated_and_the_name_spelled(text, lang, localised) -> None:
    assert RULES.localise_text(text, lang) == (localised, "transliterated")


def test_languages_in_latin_letters_have_no_patterns() -> None:
    assert RULES.localise_text("University of Nairobi", "fi") is None


def test_every_pattern_has_one_place_for_the_name() -> None:
    tables = read_toml(Path(generics.__file__).with_name("generics.toml"))
    for english, table in tables.items():
        patterns = {lang: text for lang, text in table.items() if lang not in CONDITIONS}
        assert set(patterns) <= set(LANGS)
        assert all(text.count("{}") == 1 for text in (english, *patterns.values()))
