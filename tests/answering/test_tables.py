"""The bundled tables of names and terms: their format, and what the localiser does with them."""

import re
import unicodedata
from pathlib import Path

import pytest

from xorqa.answering.localising.chain import TERMS, ChainLocaliser
from xorqa.answering.transliteration.name_table import (
    ATTESTED,
    BUNDLED,
    FAMOUS,
    SPELLINGS,
    USUAL,
    key,
    read_titles,
    rows,
)

RULES = ChainLocaliser(transliterator=None)
SCRIPTS = {
    "ar": "ARABIC",
    "bn": "BENGALI",
    "ja": "KATAKANA",
    "ko": "HANGUL",
    "ru": "CYRILLIC",
    "te": "TELUGU",
}
JOINERS = set(
    " -'’\u200c\u200d\u30fc"
)  # also zero width (non-)joiner and the mark of long katakana


@pytest.mark.parametrize(
    "path", [TERMS, SPELLINGS, ATTESTED, BUNDLED, FAMOUS, USUAL], ids=lambda p: p.stem
)
def test_cells_are_plain_text(path: Path) -> None:
    for row in rows(path):
        assert row["en"]
        for cell in row.values():
            assert cell is None or cell == unicodedata.normalize("NFC", cell).strip()
            assert cell is None or not re.search(r"[()\[\];]| {2}", cell), row


@pytest.mark.parametrize("path", [TERMS, SPELLINGS, ATTESTED, USUAL], ids=lambda p: p.stem)
def test_every_name_has_one_row(path: Path) -> None:
    keys = [key(row["en"] or "") for row in rows(path)]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("path", [SPELLINGS, ATTESTED], ids=lambda p: p.stem)
def test_words_of_names_are_in_the_script_of_their_language(path: Path) -> None:
    for row in rows(path):
        for lang, script in SCRIPTS.items():
            for char in set(row.get(lang) or "") - JOINERS:
                assert unicodedata.name(char).startswith(script), (row["en"], lang, row[lang])


def test_a_table_is_read_once_however_its_language_is_named() -> None:
    assert read_titles(BUNDLED) is read_titles(BUNDLED, source="en")


def test_a_spelling_is_for_words_that_no_other_table_has() -> None:
    for lang in SCRIPTS:
        others = {entry for path in (FAMOUS, BUNDLED, ATTESTED) for entry in read_titles(path)}
        assert not {e for e in read_titles(SPELLINGS) if e[0] == lang} & others


@pytest.mark.parametrize(
    ("text", "lang", "localised"),
    [
        ("oxygen", "fi", "happi"),
        ("Oxygen", "ja", "酸素"),
        ("the Renaissance", "ru", "Возрождение"),
        ("a volcano", "ko", "화산"),
        ("World War II", "fi", "toinen maailmansota"),
        ("Washington, D.C.", "ja", "ワシントンD.C."),
    ],
)
def test_terms_are_translated_with_any_article_and_letter_case(text, lang, localised) -> None:
    assert RULES.localise_text(text, lang) == (localised, "title")


def test_terms_are_items_of_lists_too() -> None:
    assert RULES.localise_text("hydrogen, oxygen and iron", "fi") == (
        "vety, happi ja rauta",
        "list",
    )


def test_terms_go_between_any_two_of_their_languages() -> None:
    assert RULES.localise_text("happi", "ja", source="fi") == ("酸素", "title")


def test_the_usual_names_are_thousands_and_new() -> None:
    table = read_titles(USUAL)
    assert len({name for _, name in table}) >= 7000
    assert not table.keys() & {
        entry for path in (FAMOUS, BUNDLED, TERMS) for entry in read_titles(path)
    }


@pytest.mark.parametrize(
    ("text", "lang", "localised"),
    [
        ("Diego Rivera", "ko", "디에고 리베라"),
        ("Gregor Mendel", "ar", "غريغور مندل"),
        ("the Hague", "fi", "Haag"),
        ("Apple", "ja", "アップル"),
    ],
)
def test_a_frequent_name_has_its_usual_form(text: str, lang: str, localised: str) -> None:
    assert RULES.localise_text(text, lang) == (localised, "title")


def test_a_word_is_no_company_of_that_name() -> None:
    assert RULES.localise_text("apple", "ja") != ("アップル", "title")


def test_a_part_of_a_name_is_no_place_of_that_name() -> None:
    assert RULES.localise_text("Surrey", "ko") == ("서리주", "title")
    assert RULES.localise_text("Troy, Ohio", "fi") == ("Troy, Ohio", "list")
    assert RULES.localise_text("Surrey University", "ko") == ("서리 대학교", "transliterated")
