"""The chain: which way comes first, and how each is told."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.candidates import candidate
from xorqa.answering.localising.chain import (
    BUNDLED_MODEL,
    ChainLocaliser,
    open_phrases,
    translates_into,
)
from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.core.registry import build
from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Answer, Query, Question
from xorqa.io.cache import Cache
from xorqa.models.adapters import shipped


class Shouting(BaseTranslator):
    """A translator that shouts."""

    version = 1

    def __init__(self, *, lang: str = "") -> None:
        self.lang = lang
        self.asked: list[list[str]] = []

    def fingerprint(self) -> str:
        return "shouting"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        self.asked.append([question.text for question in questions])
        return [Query(q, q.text.upper(), self.lang or to) for q in questions]


def answer(localiser: ChainLocaliser, text: str, lang: str = "ja") -> Answer:
    [[said]] = localiser.localise([Question("q", "?", lang)], [[candidate(text)]])
    return said


@pytest.mark.parametrize(
    ("text", "lang", "said", "method"),
    [
        ("8 May 1980", "ja", "1980年5月8日", "rule:date"),
        ("Texas", "ja", "テキサス州", "title"),
        ("Emilia Cooper", "ja", "エミリア・クーパー", "transliterated"),
        ("Emilia Cooper", "fi", "Emilia Cooper", "name"),
        ("the Levant", "fi", "Levantti", "title"),
        ("the Levant", "ru", "Левант", "title"),
        ("The Kinks", "ru", "The Kinks", "copied"),
        ("The Congo", "ko", "콩고", "transliterated"),
        ("the Open Door", "ja", "the Open Door", "copied"),
        ("a pebble beach", "fi", "a pebble beach", "copied"),
        ("Open Door", "ja", "Open Door", "copied"),
    ],
)
def test_each_way(text: str, lang: str, said: str, method: str) -> None:
    localised = answer(ChainLocaliser(transliterator=None), text, lang)
    assert (localised.text, localised.method) == (said, method)
    assert localised.lang == ("en" if method == "copied" else lang)


def test_a_users_titles_come_before_ours(tmp_path: Path) -> None:
    path = tmp_path / "titles.tsv"
    path.write_text("en\tja\tfi\nOpen Door\t開いたドア\t\nTexas\tテキサス\t\n", encoding="utf-8")
    chain = ChainLocaliser(titles=str(path))
    assert answer(chain, "Open Door").text == "開いたドア"
    assert answer(chain, "the open door").method == "title"
    assert answer(chain, "Texas").text == "テキサス"
    assert answer(chain, "Open Door", "fi").method == "copied"  # an empty cell
    assert chain.fingerprint() != ChainLocaliser().fingerprint()


def test_titles_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        ChainLocaliser(titles=str(tmp_path / "none.tsv"))
    (tmp_path / "bad.tsv").write_text("english\tja\na\tb\n")
    with pytest.raises(DataError, match="'en' among them"):
        ChainLocaliser(titles=str(tmp_path / "bad.tsv"))
    (tmp_path / "bad.tsv").write_bytes("en\tja\nTexas\tテキサス\n".encode("cp932"))
    with pytest.raises(DataError, match="save it as UTF-8"):
        ChainLocaliser(titles=str(tmp_path / "bad.tsv"))


def test_titles_as_spreadsheets_write_them(tmp_path: Path) -> None:
    path = tmp_path / "titles.tsv"
    path.write_text("ja\ten\nテキサス\tTexas\t\n石\n", encoding="utf-8-sig")
    chain = ChainLocaliser(titles=str(path))
    assert answer(chain, "Texas").text == "テキサス"
    assert chain.fingerprint()


def test_the_translator_gets_what_is_left_once() -> None:
    shouting = Shouting()
    chain = ChainLocaliser(translator=shouting)
    rows = [[candidate(text) for text in ("slate", "1980", "slate", " ")]]
    [said] = chain.localise([Question("q", "?", "ja")], rows)
    assert shouting.asked == [["slate"]]
    assert [(a.text, a.method) for a in said] == [
        ("SLATE", "translated"),
        ("1980", "rule:number"),
        ("SLATE", "translated"),
        (" ", "copied"),
    ]


def test_what_was_translated_is_kept(tmp_path: Path) -> None:
    first, second = Shouting(), Shouting()
    for shouting in (first, second):
        chain = ChainLocaliser(translator=shouting, cache=Cache(tmp_path / "stages.sqlite"))
        assert answer(chain, "slate").text == "SLATE"
    assert (first.asked, second.asked) == ([["slate"]], [])


def test_what_the_translator_cannot_say_stays_english() -> None:
    said = answer(ChainLocaliser(translator=Shouting(lang="en")), "slate")
    assert (said.text, said.lang, said.method) == ("slate", "en", "copied")


class Unsure(Shouting):
    """A translator that is less sure of long texts."""

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        return [
            Query(query.question, query.text, query.lang, confidence=1 / len(query.text))
            for query in super().translate(questions, to=to)
        ]


def test_an_unsure_translation_is_not_used(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "stages.sqlite")
    for least, said in ((0.1, "SLATE"), (0.5, "slate"), (0.1, "SLATE")):
        chain = ChainLocaliser(translator=Unsure(), least_confidence=least, cache=cache)
        assert answer(chain, "slate").text == said  # the second and third time from the cache


class Korean(Unsure):
    """A translator into Korean only, as ours from English has few languages."""

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        if to != "ko":
            raise ConfigError(f"cannot translate into '{to}'")
        return super().translate(questions, to=to)


def test_phrases_are_translated_into_the_languages_of_the_weights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("xorqa.answering.localising.chain.open_phrases", lambda model: Korean())
    chain = ChainLocaliser(least_confidence=0.2)
    said = {
        (text, lang): answer(chain, text, lang).text
        for text in ("slate", "grindstone")
        for lang in ("ko", "sw", "ja")
    }
    translated = {entry: text for entry, text in said.items() if text != entry[0]}
    assert translated == {("slate", "ko"): "SLATE"}  # it is unsure of the longer text
    chain.check_languages(["ko", "sw"])  # only a user's translator rejects languages
    assert chain.fingerprint() != ChainLocaliser(translator=Shouting()).fingerprint()


def test_there_are_no_phrases_without_weights() -> None:
    assert (open_phrases("bundled") is None) == (BUNDLED_MODEL not in shipped())
    assert open_phrases(None) is open_phrases("") is None
    assert ChainLocaliser(translator=Shouting()).phrases is None
    with pytest.raises(WeightsError):
        translates_into(open_phrases("no-such-file.safetensors") or Shouting(), "ko")


def test_from_a_config() -> None:
    table = {"use": "chain", "metric": True, "translator": {"use": f"{__name__}:Shouting"}}
    import sys

    sys.modules.setdefault(__name__, sys.modules[Shouting.__module__])
    chain = build("localiser", table)
    assert answer(chain, "29,029 feet", "ru").text == "8\u00a0848 метров"
    assert answer(chain, "slate").method == "translated"


def test_languages_are_checked_with_the_translator() -> None:
    ChainLocaliser().check_languages({"fi", "te", "tlh"})
    chain = ChainLocaliser(translator={"use": "bundled"})
    chain.check_languages({"en", "tlh"})
    with pytest.raises(ConfigError, match="cannot write answers in 'fi'"):
        chain.check_languages({"te", "fi"})
    with pytest.raises(ConfigError, match="cannot use the translator 'human'"):
        ChainLocaliser(translator={"use": "human"})


def test_names_of_a_table_go_between_any_of_its_languages(tmp_path: Path) -> None:
    path = tmp_path / "titles.tsv"
    path.write_text(
        "en\tja\tfi\nOpen Door\t開いたドア\tAvoin ovi\nThe Horn\t角\tSarvi\nCorner\t角\tKulma\n",
        encoding="utf-8",
    )
    chain = ChainLocaliser(titles=str(path))
    assert chain.localise_text("Avoin ovi", "ja", "fi") == ("開いたドア", "title")
    assert chain.localise_text("開いたドア", "en", "ja") == ("Open Door", "title")
    assert chain.localise_text("角", "fi", "ja") is None  # a horn or a corner
    assert chain.localise_text("テキサス州", "ru", "ja") == ("Техас", "title")
