"""The recorded run ships ids and numbers alone; with fetched data they lead to the texts."""

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from lessons import coda, coda_recording

from xorqa.core.types import Candidate, CandidateScores, Span
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.squad import XQUAD_LANGUAGES
from xorqa.experiments.settings import PipelineSettings, Route

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
SHIPPED = files("lessons") / "data" / "coda.json"


class FirstWord:
    """Reads the first word of the first hits."""

    version = 1
    text = "question"

    def fingerprint(self):
        return ""

    def read(self, queries, hits):
        return [
            [
                Candidate(hit, rank, Span(0, hit.passage.text.index(" ")), CandidateScores(-1, -1))
                for rank, hit in enumerate(ranking[: coda.PASSAGES])
            ]
            for ranking in hits
        ]


def put(path, lang, *rows):
    """A file of SQuAD's format: (paragraph, question, answer, id), marked with a language."""
    mark = f"{lang} " if lang else ""
    paragraphs = [
        {
            "context": f"{context}{mark}",
            "qas": [
                {
                    "id": qid,
                    "question": f"{mark}{question}",
                    "answers": [{"text": answer, "answer_start": context.index(answer)}],
                }
            ],
        }
        for context, question, answer, qid in rows
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    data = {"data": [{"title": "A_title", "paragraphs": paragraphs}]}
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.fixture
def fetched(home):
    """A data folder with three questions in twelve languages."""
    xquad = [
        ("Oulu is north of Turku.", "Oulu?", "Oulu", "q1"),
        ("Turku is old.", "Turku?", "old", "q2"),
        ("Vaasa is in the west.", "Vaasa?", "Vaasa", "q3"),
    ]
    sea = ("The sea is cold.", "What is cold?", "sea", "t1")
    put(home / "data" / "squad" / "train-v1.1.json", "", sea, ("Snow is white.", "?", "Snow", "t2"))
    put(home / "data" / "squad" / "dev-v1.1.json", "", *xquad)
    for lang in XQUAD_LANGUAGES:
        put(home / "data" / "xquad" / f"xquad.{lang}.json", "" if lang == "en" else lang, *xquad)


@pytest.fixture
def recording(fetched):
    settings = PipelineSettings(
        (Route("eng", {"use": "bm25"}), Route("target", {"use": "bm25"}, corpus="target")),
        reader=FirstWord(),
        k=3,
    )
    return coda_recording.record(
        load_dataset("xquad-open"), questions=2, others=1, settings=settings
    )


def test_a_recording_has_each_question_in_every_language(recording):
    assert recording.languages == ["en", *(lang for lang in XQUAD_LANGUAGES if lang != "en")]
    assert len(recording.rows) == 2 * 12 and len(recording.golds) == 2
    assert recording.manifest["passages"] == 3 + 1
    assert recording.manifest["config"]["routes"][0]["retriever"]["use"] == "bm25"
    assert {"seed", "command", "versions", "corpora"} <= recording.manifest.keys()
    english = recording.scores("en", label="all")
    assert [one.qid for one in english] == [one.qid for one in recording.scores("th", label="all")]


def test_its_rows_are_what_the_run_did(recording):
    passages = {p.docid: p.text for p in load_dataset("xquad-open").corpora["en"]}
    for row in recording.rows:
        docid, start, end = recording.golds[row.qid]
        gold, predicted = passages[docid][start:end], passages[row.docid][row.start : row.end]
        assert row.f1 == row.em == (gold == predicted)
        assert (row.rank is not None) == (docid in row.docids)
        assert row.rank is None or row.docids[row.rank - 1] == docid
        assert list(row.scores) == sorted(row.scores, reverse=True)


def test_it_is_written_and_read_again(recording, tmp_path):
    coda_recording.write(recording, tmp_path / "coda.json")
    text = (tmp_path / "coda.json").read_text(encoding="utf-8")
    assert coda.parse(json.loads(text)) == recording
    assert "Oulu" not in text and "Vaasa" not in text


def test_texts_are_looked_up_where_the_data_is_fetched(recording):
    row = next(row for row in recording.rows if row.lang == "de")
    passages = {p.docid: p.text for p in load_dataset("xquad-open").corpora["en"]}
    page = coda.texts(recording, [row.qid], ["de"]).plain
    docid, start, end = recording.golds[row.qid]
    gold, predicted = passages[docid][start:end], passages[row.docid][row.start : row.end]
    assert f"| {gold} | {predicted} | {100 * row.f1:.0f} |" in page
    assert re.search(r"\| de \w+\? \|", page)


def test_without_the_data_a_line_says_how_to_fetch_it(home):
    line = coda.texts(coda.Recording({}, {}, ()), ["q1"], ["de"]).plain
    assert "xorqa data fetch squad xquad" in line and "\n" not in line


def test_what_ships_is_small_and_has_no_texts():
    text = SHIPPED.read_text(encoding="utf-8")
    assert len(text) < 200_000
    shipped = coda.load()
    assert len(shipped.languages) == 12
    assert len({len(shipped.scores(lang)) for lang in shipped.languages}) == 1
    table = json.loads(text)
    words = {value for row in table["rows"] for value in row if isinstance(value, str)}
    words |= {docid for row in table["rows"] for docid in row[3]}
    words |= {value for row in table["golds"] for value in row if isinstance(value, str)}
    assert all(re.fullmatch(r"[0-9a-f]{24}|[a-z]{2}|squad-\d{5}", word) for word in words)


@pytest.mark.skipif(not (SHARED / "xquad").is_dir(), reason="needs ../shared/data")
def test_the_places_that_ship_are_those_of_xquad(home):
    home.mkdir()
    (home / "data").symlink_to(SHARED)
    dataset, shipped = load_dataset("xquad-open"), coda.load()
    golds = coda_recording.golds_of(dataset)
    assert {qid: golds[qid] for qid in shipped.golds} == dict(shipped.golds)
    row = shipped.rows[0]
    assert shipped.manifest["questions"] and coda.texts(shipped, [row.qid], ["en", "zh"]).plain
