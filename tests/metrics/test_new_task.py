"""An exercise: a new task is one object, which `xorqa eval` scores by its name `module:name`."""

import json
from collections.abc import Mapping, Sequence

import pytest

from xorqa.io.predictions import read_passages
from xorqa.metrics.measure import Measure
from xorqa.metrics.ranking import score_ranking
from xorqa.metrics.registry import find_measure, find_task
from xorqa.metrics.report import Reference, Score
from xorqa.metrics.task import Task


def ndcg(references: Sequence[Reference], predictions: Mapping[str, Sequence[str]]) -> list[Score]:
    """nDCG@10 of every question's docids, best first; the gold answers are docids, too."""
    qrels = {row.qid: dict.fromkeys(row.answers, 1) for row in references}
    run = {
        qid: {docid: -rank for rank, docid in enumerate(docids)}
        for qid, docids in predictions.items()
    }
    langs = {row.qid: row.lang for row in references}
    return score_ranking(run, qrels, measures=["nDCG@10"], langs=langs).scores


RIVERS = Task(
    name="rivers",
    title="Which passages are about the river?",
    scorers={"official": ndcg},
    measures=(Measure("nDCG@10", "nDCG@10", citation="Järvelin and Kekäläinen 2002"),),
    read_predictions=read_passages,  # `ctxs` are docids
)

QUESTIONS = [
    {"id": "1", "question": "Missä Kemijoki on?", "answers": ["kemijoki"], "lang": "fi"},
    {"id": "2", "question": "Missä Niili on?", "answers": ["nile", "sudan"], "lang": "fi"},
]
RANKED = [
    {"id": "1", "lang": "fi", "ctxs": ["ounasjoki", "kemijoki"]},
    {"id": "2", "lang": "fi", "ctxs": ["nile", "sudan", "rhine"]},
]


def test_a_new_task_is_scored_by_its_name(xorqa, tmp_path):
    pytest.importorskip("ir_measures")
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))
    (tmp_path / "ranked.json").write_text(json.dumps(RANKED))
    files = ("--data", tmp_path / "questions.jsonl", "--pred", tmp_path / "ranked.json")
    outcome = xorqa("eval", f"{__name__}:RIVERS", *files, "--json", tmp_path / "scores.json")
    assert outcome.status == 0
    assert "nDCG@10" in outcome.out
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert (scores["task"], scores["n"]) == ("rivers", {"fi": 2})
    assert scores["macro"]["nDCG@10"] == pytest.approx(100 * (0.63093 + 1) / 2, abs=1e-3)


def test_measures_are_found_by_name_and_task():
    assert find_task(f"{__name__}:RIVERS").measures == RIVERS.measures
    assert find_measure("f1").display_name == "F1"
    assert find_measure("R@2kt", task="xor-retrieve").citation == "Asai et al. 2021, section 3.1"
    assert find_measure("mine", task="no-such-task") == Measure("mine", "mine")
    errors = Measure("error", "Error rate", higher_is_better=False)
    assert (errors.best([2, 1, 3]), errors.title) == (1, "Error rate ↓")
