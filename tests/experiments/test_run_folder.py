"""Runs over data sets that cannot be loaded by a name: their folders keep what is needed."""

from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.files import read_json, read_jsonl, write_json, write_jsonl
from xorqa.io.trec import read_qrels, read_run, read_runs
from xorqa.lab.common.saved_run import open_run
from xorqa.lab.ledger.cases import open_cases

MINE = replace(load_mini().only(["fi"]), name="mine.jsonl")
ROUTES = (
    Route("eng", {"use": "bm25"}, {"use": "human"}),
    Route("target", {"use": "bm25"}, corpus="target"),
)


@pytest.fixture
def folder(home: Path, tmp_path: Path, tiny_adapter: Path) -> Path:
    """A run over Finnish questions of the bundled world under another name."""
    reader = {"use": "span", "adapter": str(tiny_adapter), "passages": 2}
    settings = PipelineSettings(ROUTES, k=3, reader=reader, chooser={"use": "rule"})
    run(settings, MINE, tmp_path / "run")
    return tmp_path / "run"


def test_the_folder_is_opened_without_its_data_set(folder: Path, tmp_path: Path) -> None:
    moved = folder.rename(tmp_path / "moved")
    opened = open_run(moved)
    assert opened.dataset.examples == MINE.examples
    read = [answer.source.hit.passage for row in opened.answers for answer in row if answer.source]
    whole = {(p.docid, p.lang): p for corpus in MINE.corpora.values() for p in corpus}
    assert read and all(passage == whole[passage.docid, passage.lang] for passage in read)


def test_the_ledger_has_its_gold_and_retrieved_passages(folder: Path) -> None:
    _, cases = open_cases(folder)
    golds = [e for e in MINE.examples if e.answered_in == "en"]
    assert len(cases) == len(golds) == 12
    for case, example in zip(cases, golds, strict=True):
        assert case.gold_passages == (MINE.corpora["en"][str(example.golds[0].docid)].text,)
        assert len(case.retrieved) == 3


def test_only_what_was_retrieved_or_is_gold_is_kept(folder: Path) -> None:
    kept = {(row["corpus"], row["docid"]) for _, row in read_jsonl(folder / "passages.jsonl")}
    runs = read_runs(folder / "run.trec")
    for route, corpus in (("eng", "en"), ("target", "fi")):
        retrieved = {docid for docs in runs[route].values() for docid in docs}
        golds = {g.docid for e in MINE.examples for g in e.golds if g.docid}
        of_corpus = {p.docid for p in MINE.corpora[corpus]}
        assert {docid for key, docid in kept if key == corpus} == retrieved | (golds & of_corpus)


def test_changed_or_damaged_files_are_rejected(folder: Path) -> None:
    rows = [row for _, row in read_jsonl(folder / "questions.jsonl")]
    write_jsonl(folder / "questions.jsonl", [{**rows[0], "question": "Mikä?"}, *rows[1:]])
    with pytest.raises(DataError, match="has changed since"):
        open_run(folder)
    write_jsonl(folder / "questions.jsonl", rows)
    write_jsonl(folder / "passages.jsonl", [{"docid": "x"}])
    with pytest.raises(DataError, match=r"passages\.jsonl, line 1: not a passage of a run"):
        open_run(folder)


def test_a_data_set_with_a_name_is_not_kept(home: Path, tmp_path: Path) -> None:
    routes = (Route("eng", {"use": "bm25"}, {"use": "human"}),)
    mini = load_mini().only(["fi"]).sample(1)
    run(PipelineSettings(routes, k=3), mini, tmp_path / "run", until="retrieve")
    assert not (tmp_path / "run" / "questions.jsonl").exists()
    assert not (tmp_path / "run" / "passages.jsonl").exists()
    path = tmp_path / "run" / "manifest.json"
    write_json(path, read_json(path) | {"dataset": "mine.jsonl", "until": "full"})
    write_jsonl(tmp_path / "run" / "spans.jsonl", [])
    with pytest.raises(ConfigError, match=r"no data set is called 'mine\.jsonl'"):
        open_run(tmp_path / "run")


def test_qrels_and_a_run_per_route(folder: Path) -> None:
    qrels = read_qrels(folder / "qrels.txt")
    assert qrels == {
        e.question.qid: {g.docid: 1 for g in e.golds if g.docid}
        for e in MINE.examples
        if any(g.docid for g in e.golds)
    }
    runs = read_runs(folder / "run.trec")
    assert [*runs] == ["eng", "target"]
    for route, rankings in runs.items():
        assert read_run(folder / f"run.{route}.trec") == rankings
