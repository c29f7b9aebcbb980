"""Which names are gathered, and from where."""

from pathlib import Path

import pytest

from xorqa.core.lang import locale
from xorqa.lab.training.common.training_data import read_pairs
from xorqa.lab.training.transliterator.gather import OUTCOMES, gather_names
from xorqa.lab.training.transliterator.name_sources import cldr, geonames, table, usual
from xorqa.lab.training.transliterator.spelling import (
    is_transliteration,
    is_written_in,
    preference,
)

CITIES = [
    {
        "name": "Nottingham",
        "countrycode": "GB",
        "alternatenames": [
            "Nottingem", "ノッティンガム", "Нотингам", "Ноттингем", "Ноттінгем", "نوتنغهام",
            "ناتینگهام",
        ],
    },
    {"name": "Cape Town", "countrycode": "ZA", "alternatenames": ["Кейптаун", "ケープタウン"]},
    {"name": "Poltava", "countrycode": "UA", "alternatenames": ["Полтава", "ポルタヴァ"]},
]  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "name", "written"),
    [
        ("ar", "لندن", True),
        ("ar", "پاریس", False),  # Persian letters
        ("ru", "Лондон", True),
        ("ru", "Ноттінгем", False),  # Ukrainian
        ("ru", "Бърмингам", False),  # Bulgarian
        ("ja", "ベラ・ビスタ", True),
        ("ja", "東京", False),
        ("ko", "서울", True),
        ("ko", "Seoul", False),
        ("bn", "অসম", True),
        ("bn", "ৰঙিয়া", False),  # Assamese
        ("te", "", False),
    ],
)
def test_the_letters_decide_on_the_language(lang: str, name: str, written: bool) -> None:
    assert is_written_in(lang, name) == written


@pytest.mark.parametrize(
    ("english", "name", "alike"),
    [
        ("New Orleans", "Нью-Орлеан", True),
        ("Cape May", "Мыс Мей", False),
        ("Munich", "Мюнхен", False),
        ("Santa Coloma", "산타콜로마", False),  # another number of words
        ("Bella Vista", "ベラ・ビスタ", True),
        ("Japan", "Япония", True),
    ],
)
def test_translated_names_are_no_transliterations(english: str, name: str, alike: bool) -> None:
    assert is_transliteration(english, name) == alike


def test_the_most_typical_name_comes_first() -> None:
    assert min(["Нотингам", "Ноттингем"], key=preference("ru", "Nottingham")) == "Ноттингем"
    assert min(["اوتاوا", "أوتاوا"], key=preference("ar", "Ottawa")) == "أوتاوا"


def test_cities_become_pairs(tmp_path: Path) -> None:
    out = tmp_path / "names.tsv"
    counts = gather_names(out, [("geonames", geonames(CITIES))])
    assert read_pairs([out]) == [
        ("ar", "نوتنغهام", "en", "Nottingham"),
        ("ja", "ノッティンガム", "en", "Nottingham"),
        ("ja", "ポルタヴァ", "en", "Poltava"),
        ("ru", "Ноттингем", "en", "Nottingham"),
    ]
    assert set(counts["geonames"]) == set(OUTCOMES)
    assert counts["geonames"]["kept"] == 4
    assert counts["geonames"]["translated"] == 2  # Cape Town is one word in ja and ru
    assert '"ja": 2' in out.with_suffix(".json").read_text()


def test_cldr_and_the_table_have_names_too() -> None:
    japanese = locale("ja").territories["FI"]
    assert ("ja", "Finland", (japanese,)) in set(cldr())
    assert ("ja", "Berlin", ("ベルリン",)) in set(cldr())
    assert ("ru", "James", ("Джеймс",)) in set(table())
    assert ("ja", "A Coruña", ("ア・コルーニャ",)) in set(usual())
