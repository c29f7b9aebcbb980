from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import Gold
from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.pipeline import Stop
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.files import read_json, write_json
from xorqa.io.predictions import read_answers
from xorqa.lab.common import saved_run
from xorqa.lab.ledger.cases import open_cases

DATASET = load_mini().only(["fi"])
EXAMPLES = {example.question.qid: example for example in DATASET.examples}
ENGLISH = Route("eng", {"use": "bm25"}, {"use": "human"})
TARGET = Route("target", {"use": "bm25"}, corpus="target")

MakeRun = Callable[..., Path]


@pytest.fixture
def make_run(home: Path, tmp_path: Path, tiny_adapter: Path) -> MakeRun:
    """Runs a tiny reader over the Finnish questions; the run's folder."""

    def make(*routes: Route, until: Stop = Stop.READ, ranker: Any = "none", **reader: Any) -> Path:
        reader = {"use": "span", "adapter": str(tiny_adapter), "passages": 2, **reader}
        settings = PipelineSettings(routes or (ENGLISH,), k=4, ranker=ranker, reader=reader)
        run(settings, DATASET, tmp_path / "run", until=until)
        return tmp_path / "run"

    return make


def test_what_each_stage_returned(make_run: MakeRun) -> None:
    folder = make_run(TARGET, ENGLISH, until=Stop.FULL)
    reader, opened = open_cases(folder)
    assert reader.passages == 2
    answers = read_answers(folder / "xor_engspan.json").by_qid
    corpus = DATASET.corpora["en"]
    assert {case.reference.qid for case in opened} == {
        qid for qid, example in EXAMPLES.items() if example.answered_in == "en"
    }
    for case in opened:
        example = EXAMPLES[case.reference.qid]
        assert case.reference.answers == example.answers("en")
        assert case.reader_query == example.human_translation
        assert case.gold_passages == (corpus[example.golds[0].docid].text,)
        assert case.prediction == answers[case.reference.qid]
        assert case.prediction in case.candidates
        assert set(case.read) == set(case.retrieved[:2])
        assert len(case.read) == 2 and len(case.retrieved) <= 4
        for text, passage in zip(case.candidates, case.read, strict=True):
            assert text in passage


def test_a_reader_of_questions_gets_the_question(make_run: MakeRun) -> None:
    _, opened = open_cases(make_run(text="question"))
    assert all(case.reader_query == EXAMPLES[case.reference.qid].question.text for case in opened)


def test_folders_without_a_usable_run(tmp_path: Path, make_run: MakeRun) -> None:
    with pytest.raises(DataError, match=r"manifest\.json cannot be read"):
        open_cases(tmp_path)
    write_json(tmp_path / "manifest.json", {"kind": "bm25"})
    with pytest.raises(ConfigError, match="contains no finished run; create one with: xorqa run"):
        open_cases(tmp_path)
    with pytest.raises(ConfigError, match="stopped after retrieval; run it with --until read"):
        open_cases(make_run(until=Stop.RETRIEVE))


def test_a_run_that_searched_no_english(make_run: MakeRun) -> None:
    folder = make_run()
    settings = read_json(folder / "config.json")
    settings["routes"][0]["corpus"] = "fi"
    write_json(folder / "config.json", settings)
    with pytest.raises(ConfigError, match="needs a route over the English corpus and the reader"):
        open_cases(folder)


def test_data_that_has_changed(make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_run()
    less = replace(DATASET, examples=DATASET.examples[1:])
    monkeypatch.setattr(saved_run, "load_dataset", lambda name: less)
    with pytest.raises(DataError, match=r"mini has changed since .* was written; run again"):
        open_cases(folder)


def test_data_without_english_passages(make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_run()
    monkeypatch.setattr(saved_run, "load_dataset", lambda name: replace(DATASET, corpora={}))
    with pytest.raises(DataError, match="mini has no English gold passages"):
        open_cases(folder)


def test_data_without_gold_passages(make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_run()
    bare = tuple(replace(e, golds=(Gold("x", "en"),)) for e in DATASET.examples)
    monkeypatch.setattr(saved_run, "load_dataset", lambda name: replace(DATASET, examples=bare))
    with pytest.raises(DataError, match="mini has no English gold passages"):
        open_cases(folder)


@pytest.mark.parametrize("text", ['{"qid": "x"}\n', '{"qid": "x", "candidates": []}\n'])
def test_a_damaged_run_is_one_line(make_run: MakeRun, text: str) -> None:
    folder = make_run()
    (folder / "spans.jsonl").write_text(text)
    with pytest.raises(DataError, match="is not a complete run folder: KeyError"):
        open_cases(folder)


def test_what_the_reader_would_have_read_without_the_ranker(
    make_run: MakeRun, tiny_adapter: Path
) -> None:
    ranker = {"use": "reader", "adapter": str(tiny_adapter), "keep": 3}
    folder = make_run(ENGLISH, ranker=ranker)
    _, cases = open_cases(folder)
    for case in cases:
        assert len(case.retrieved) == 4  # before the ranker, which kept 3
        assert case.first_retrieved == case.retrieved[:2]
        assert len(case.read) == 2
    assert any(set(case.read) != set(case.first_retrieved or ()) for case in cases)
