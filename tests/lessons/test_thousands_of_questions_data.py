"""The recorded run ships numbers alone; with fetched data they lead to the texts."""

import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from lessons import thousands_of_questions_data as data
from lessons import thousands_of_questions_recording as recorder

from xorqa.core.types import Candidate, CandidateScores, Span
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.squad import XQUAD_LANGUAGES
from xorqa.experiments.settings import PipelineSettings, Route

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
SHIPPED = files("lessons") / "data" / data.FILE
SYSTEMS = ("BM25", data.TRANSLATED, "dense")


class FirstWord:
    """Reads the first word of the first hits; later ones are less likely."""

    version = 1
    text = "question"

    def fingerprint(self):
        return ""

    def read(self, queries, hits):
        return [
            [
                Candidate(
                    hit, rank, Span(0, hit.passage.text.index(" ")), CandidateScores(-1, -1 - rank)
                )
                for rank, hit in enumerate(ranking[: data.PASSAGES])
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
    value = {"data": [{"title": "A_title", "paragraphs": paragraphs}]}
    path.write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture
def fetched(home):
    """A data folder with three questions in twelve languages."""
    xquad = [
        ("Oulu is north of Turku.", "Oulu, Turku?", "Oulu", "q1"),
        ("Turku is old.", "old, north, Oulu?", "Turku", "q2"),
        ("Vaasa is in the west.", "Vaasa, Turku?", "Vaasa", "q3"),
    ]
    sea = ("The sea is cold.", "What is cold?", "sea", "t1")
    put(home / "data" / "squad" / "train-v1.1.json", "", sea, ("Snow is white.", "?", "Snow", "t2"))
    put(home / "data" / "squad" / "dev-v1.1.json", "", *xquad)
    for lang in XQUAD_LANGUAGES:
        put(home / "data" / "xquad" / f"xquad.{lang}.json", "" if lang == "en" else lang, *xquad)


@pytest.fixture
def recording(fetched):
    dataset = load_dataset(data.DATA)
    settings = PipelineSettings((Route("eng", {"use": "bm25"}),), reader=FirstWord(), k=3)
    return recorder.record(dataset, dict.fromkeys(SYSTEMS, settings))


def test_a_recording_has_each_question_in_every_language(recording):
    assert recording.languages == ("en", *(lang for lang in XQUAD_LANGUAGES if lang != "en"))
    assert recording.others == recording.languages[1:]
    assert recording.qids == ("q1", "q2", "q3")
    assert recording.manifest["passages"] == 5
    assert {"command", "corpus", "versions", "configs"} <= recording.manifest.keys()
    for name in SYSTEMS:
        assert recording.columns[f"{name}/rank"].shape == (12, 3)
    assert "dense/f1" in recording.columns and "BM25/f1" not in recording.columns


def test_its_columns_are_what_the_run_did(recording):
    passages = {p.docid: p.text for p in load_dataset(data.DATA).corpora["en"]}
    assert list(recording.ranks("BM25", "de")) == [1, 2, 1]
    assert recording.answered("BM25", "de", 2).all()
    read = recording.reading("dense", "de")
    assert list(read.right[:, 0]) == [True, False, True] and read.right[1, 1]
    for row, docid in enumerate(read.docid[:, 0]):
        gold, start, end = recording.golds[row]
        place = slice(read.start[row, 0], read.end[row, 0])
        predicted = passages[data.docid_of(docid)][place]
        assert read.f1[row, 0] == (passages[data.docid_of(gold)][start:end] == predicted)
    assert list(read.best(read.passage)) == [0, 0, 0]
    assert list(read.best(np.array([[0, 1], [1, 0], [1, 1]]))) == [1, 0, 0]
    assert list(read.taken("f1", np.array([0, 0, 0]))) == [1, 0, 1]
    assert list(read.taken("f1", np.array([1, 1, 1]))) == [0, 1, 0]


def test_a_gold_passage_beyond_the_hits_has_no_rank(recording):
    recording.columns["BM25/rank"][0, 0] = 0
    assert recording.ranks("BM25", "en")[0] == np.inf


def test_it_is_written_and_read_again(recording):
    stored = recording.dump()
    assert data.parse(stored).dump() == stored
    assert b"Oulu" not in stored


def test_texts_are_looked_up_where_the_data_is_fetched(recording):
    page = data.texts(recording, "dense", [0], ["de"]).plain
    assert "| Oulu | Oulu | 100 |" in page
    assert re.search(r"\| de Oulu, Turku\? \|", page)


def test_without_the_data_a_line_says_how_to_fetch_it(home, recording, tmp_path, monkeypatch):
    monkeypatch.setenv("XORQA_HOME", str(tmp_path / "nothing"))
    line = data.texts(recording, "dense", [0], ["de"]).plain
    assert "xorqa data fetch squad xquad" in line and "\n" not in line


def test_what_ships_is_small_and_has_no_texts():
    assert len(SHIPPED.read_bytes()) < 600_000
    shipped = data.load()
    assert len(shipped.languages) == 12 and len(shipped.qids) == 1190
    assert all(re.fullmatch(r"[0-9a-f]{24}", qid) for qid in shipped.qids)
    for name, column in shipped.columns.items():
        assert column.shape[:2] == (12, 1190), name
        assert column.dtype.kind in "bfu", name


def test_the_settings_of_the_systems_are_those_of_their_configs():
    for name in recorder.SYSTEMS:
        [route] = recorder.settings_of(name).routes
        assert route.corpus == "en"
    assert recorder.settings_of(data.TRANSLATED).reader["text"] == "question"


@pytest.mark.skipif(not (SHARED / "xquad").is_dir(), reason="needs ../shared/data")
def test_the_places_that_ship_are_those_of_xquad(home):
    home.mkdir()
    (home / "data").symlink_to(SHARED)
    golds, shipped = recorder.golds_of(load_dataset(data.DATA)), data.load()
    places = [(data.docid_of(docid), start, end) for docid, start, end in shipped.golds]
    assert list(golds) == list(shipped.qids) and list(golds.values()) == places
