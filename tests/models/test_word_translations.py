from pathlib import Path

import pytest

from xorqa.core.text.stems import stem
from xorqa.lab.training.bitext.probability_table import write_word_probabilities
from xorqa.models.word_translations import WordTranslations


@pytest.fixture
def words(tmp_path: Path) -> WordTranslations:
    table = {
        "fi": {"joki": {"stream": 0.3, "river": 0.6}, "new york": {"York": 0.9}},
        "ja": {"東京": {"Tokyo": 0.9}, "ノーベル賞": {"Nobel": 0.7, "Prize": 0.2}},
        "de": {"die": {}},
        "tr": {stem("istanbul", "tr"): {"Istanbul": 0.9}, stem("nehir", "tr"): {"river": 0.9}},
    }
    write_word_probabilities(tmp_path / "table.tsv", table)
    return WordTranslations(tmp_path / "table.tsv")


@pytest.mark.parametrize(
    ("text", "lang", "most", "wanted"),
    [
        ("Joki: New York, JOKI", "fi", 1, {"Joki": ["river"], "New": ["York"], "JOKI": ["river"]}),
        ("joki", "fi", 2, {"joki": ["river", "stream"]}),
        ("誰が東京でノーベル賞を?", "ja", 2, {"東京": ["Tokyo"], "ノー": ["Nobel", "Prize"]}),
        ("ﬀ İİİİ joki", "fi", 1, {"joki": ["river"]}),
        ("kuka ku joki", "fi", 1, {"joki": ["river"]}),
        ("Irak'ta İstanbul, NEHİR", "tr", 1, {"İstanbul": ["Istanbul"], "NEHİR": ["river"]}),
        ("joki", "sv", 2, {}),
        ("", "fi", 2, {}),
    ],
)
def test_where_translated_words_start(
    words: WordTranslations, text: str, lang: str, most: int, wanted: dict[str, list[str]]
) -> None:
    found = words.glosses(text, lang, most)
    assert [english for _, english in found] == list(wanted.values())
    assert all(
        text[start:].startswith(word) for (start, _), word in zip(found, wanted, strict=True)
    )


def test_words_as_the_table_has_them(words: WordTranslations) -> None:
    assert [word.text for word in words.words("new york joki", "fi")] == ["new york", "joki"]
    tokens = words.words("new york joki", "sv")
    assert [(word.text, word.translations) for word in tokens] == [
        ("new", None),
        ("york", None),
        ("joki", None),
    ]


def test_names_that_english_has_too_are_not_guessed() -> None:
    words = WordTranslations()
    assert words.glosses("Microsoft", "es", 2) == []
    assert [word.text for word in words.words("Compaq", "de")] == ["compact"]
    assert [word.text for word in words.words("Compaq", "de", {"compaq"})] == ["compaq"]


def test_the_packages_table() -> None:
    words = WordTranslations()
    [(_, river), (_, city)] = words.glosses("joet kaupungissa", "fi", 1)
    assert (river, city) == (["river"], ["city"])
    assert stem("city", "en") != "city"
