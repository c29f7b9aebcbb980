from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, DataError, LockedError
from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query, Question, TranslationFailure
from xorqa.io.files import read_jsonl, write_jsonl
from xorqa.io.locks import lock_path
from xorqa.io.squad_xor import read_xor
from xorqa.lab.training.bitext.layouts import add_published, published
from xorqa.translation.recorded import CHUNK, RecordedTranslator, record

XOR_TYDI = Path(__file__).parents[2].parent / "shared" / "data" / "xor-tydi"
INARI = Question("q1", "Missä Inari on?", "fi")
NILE = Question("q2", "ナイル川はどこ?", "ja")
ENGLISH = Question("q3", "Where?", "en")


class Shouting(BaseTranslator):
    """Says questions aloud; Japanese it does not know."""

    version = 1
    black_box = "a loud service"

    def __init__(self, *, settings: str = "loud", stop_after: int | None = None) -> None:
        self.settings, self.stop_after = settings, stop_after
        self.seen: list[Question] = []

    def fingerprint(self) -> str:
        return self.settings

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        if self.stop_after is not None and len(self.seen) >= self.stop_after:
            raise KeyboardInterrupt
        self.seen += questions
        return [
            Query(q, q.text, q.lang) if q.lang == "ja" else Query(q, q.text.upper(), to)
            for q in questions
        ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recorded.jsonl"


def keep(path: Path, questions: Sequence[Question], translator: Any = None, **options: Any) -> int:
    given = {"to": "en", "provider": "shouting", "date": "2026-01-31", **options}
    return record(translator or Shouting(), questions, path, **given)


def replay(path: Path, **options: Any) -> tuple[RecordedTranslator, list[TranslationFailure]]:
    failures: list[TranslationFailure] = []
    return RecordedTranslator(file=str(path), failed=failures.append, **options), failures


def test_what_was_recorded_is_replayed(path: Path) -> None:
    assert keep(path, [INARI, NILE, ENGLISH, INARI]) == 1
    [row] = [row for _, row in read_jsonl(path)]
    assert {**row, "hash": "?"} == {
        "provider": "shouting",
        "version": "loud",
        "date": "2026-01-31",
        "lang": "fi",
        "to": "en",
        "hash": "?",
        "text": INARI.text,
        "translation": "MISSÄ INARI ON?",
        "black_box": "a loud service",
    }
    translator, failures = replay(path)
    again = Question("other qid", INARI.text, "fi")
    assert translator.translate([ENGLISH, again, NILE], to="en") == [
        Query(ENGLISH, "Where?", "en"),
        Query(again, "MISSÄ INARI ON?", "en"),
        Query(NILE, NILE.text, "ja"),
    ]
    assert failures == [TranslationFailure(NILE, f"not recorded in {path}")]
    assert translator.black_box == "a loud service"
    assert [query.lang for query in translator.translate([INARI], to="sv")] == ["fi"]


def test_recording_again_adds_what_is_new(path: Path) -> None:
    questions = [Question(str(at), f"Kysymys {at}?", "fi") for at in range(2 * CHUNK + 3)]
    with pytest.raises(KeyboardInterrupt):
        keep(path, questions, Shouting(stop_after=CHUNK))
    other, told = Shouting(), []
    assert (
        keep(
            path, questions, other, date="2026-02-01", progress=lambda *counts: told.append(counts)
        )
        == CHUNK + 3
    )
    assert other.seen == questions[CHUNK:]
    assert (told[0], told[-1]) == ((0, CHUNK + 3), (CHUNK + 3, CHUNK + 3))
    assert keep(path, questions, other) == 0
    queries = replay(path)[0].translate(questions, to="en")
    assert [query.text for query in queries] == [q.text.upper() for q in questions]


def test_several_versions_in_one_file(path: Path) -> None:
    keep(path, [INARI])
    keep(path, [INARI], Shouting(settings="louder"))
    with pytest.raises(
        ConfigError, match="select one with provider and version: shouting loud, shou"
    ):
        replay(path)[0].translate([INARI], to="en")
    translator, _ = replay(path, version="louder")
    assert translator.translate([INARI], to="en")[0].lang == "en"
    with pytest.raises(DataError, match="contains no translation by google"):
        replay(path, provider="google")[0].fingerprint()


def test_of_several_dates_the_latest_is_taken(path: Path) -> None:
    keep(path, [INARI])
    [row] = [row for _, row in read_jsonl(path)]
    rows = [{**row, "date": "2026-03-01", "translation": "Where?"}, row]
    write_jsonl(path, rows)
    assert replay(path)[0].translate([INARI], to="en")[0].text == "Where?"
    old, _ = replay(path, date="2026-01-31")
    assert old.translate([INARI], to="en")[0].text == "MISSÄ INARI ON?"
    assert old.fingerprint() != replay(path)[0].fingerprint()


def test_files_that_cannot_be_used(path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        replay(path)[0].fingerprint()
    for text, message in {
        '{"provider": "x"}': "line 1: needs a string 'version'",
        "[]": "line 1: not a JSON object",
        "": "contains no translation by any provider",
    }.items():
        path.write_text(text)
        with pytest.raises(DataError, match=message):
            replay(path)[0].translate([INARI], to="en")


def test_two_recordings_into_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    options = {"to": "en", "provider": "loud", "date": "2026-01-01"}
    with lock_path(path, "file"), pytest.raises(LockedError, match="is being written by process"):
        record(Shouting(), [INARI], path, **options)
    (tmp_path / ".rows.jsonl.a1b2c3d4.tmp").write_text("left by a killed recording")
    assert record(Shouting(), [INARI], path, **options) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_published_translations_are_replayed(path: Path) -> None:
    pairs = [
        ("fi", INARI.text, "Where  is Inari?"),
        ("fi", INARI.text, "Where does Inari lie?"),
        ("fi", " ", "Nothing"),
        ("fi", "Mitä?", ""),
    ]
    assert add_published(path, pairs, provider="human") == 1
    assert add_published(path, pairs, provider="human") == 0
    assert add_published(path, [("ja", NILE.text, "Where is the Nile?")], provider="human") == 1
    translator, failures = replay(path)
    texts = [query.text for query in translator.translate([INARI, NILE, ENGLISH], to="en")]
    assert texts == ["Where is Inari?", "Where is the Nile?", "Where?"]
    assert (failures, translator.black_box) == ([], "")


@pytest.mark.skipif(not XOR_TYDI.is_dir(), reason="needs ../shared")
def test_every_training_question_of_xor_tydi_is_translated(path: Path) -> None:
    files = sorted((XOR_TYDI / "question-translations").glob("??-en/??.txt"))
    files = [file for file in files if file.name != "en.txt"]
    assert add_published(path, chain.from_iterable(map(published, files)), provider="human") > 0
    rows = read_xor(XOR_TYDI / "xor_train_retrieve_eng_span.jsonl")
    questions = [Question(row.qid, row.question, row.lang) for row in rows]
    translator, failures = replay(path)
    queries = translator.translate(questions, to="en")
    assert failures == [] and {query.lang for query in queries} == {"en"}
