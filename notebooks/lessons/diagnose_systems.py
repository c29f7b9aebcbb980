"""The two recorded systems of lesson 8, with their scores by question."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.evaluate import references_of
from xorqa.io.strict_json import parse_json
from xorqa.lab.diagnosis.facts import DiagnosisInput, Outcome
from xorqa.lab.diagnosis.from_runs import question_facts
from xorqa.metrics.registry import find_task

TASK = "xor-full"
SYSTEMS = ("bm25", "dense")


@cache
def recording() -> dict[str, Any]:
    """The recorded answers in the package, as `diagnose_recording` writes them."""
    value = parse_json((files(__package__) / "data" / "diagnose.json").read_bytes())
    assert isinstance(value, dict), "diagnose.json is an object"
    return value


@cache
def load() -> DiagnosisInput:
    """The questions of the bundled world, and the two systems' scored answers."""
    world, task = load_mini(), find_task(TASK)
    references = references_of(world, task)
    counted = {reference.qid for reference in references}
    examples = [e for e in world.examples if e.question.qid in counted]
    systems = {}
    for name, rows in recording()["systems"].items():
        answers = {qid: answer for qid, answer, _ in rows}
        ranks = {qid: rank for qid, _, rank in rows}
        scores = {s.qid: s.values for s in task.score(references, answers, scorer="official")}
        qids = [example.question.qid for example in examples]
        systems[name] = [
            Outcome(scores.get(qid), answers[qid], gold_rank=ranks[qid]) for qid in qids
        ]
    return DiagnosisInput(TASK, "official", question_facts(examples, task, world), systems)


@cache
def golds() -> dict[str, str]:
    """Qid to the first gold answer in the question's language."""
    references = references_of(load_mini(), find_task(TASK))
    return {reference.qid: reference.answers[0] for reference in references}


def f1(system: str) -> npt.NDArray[np.float64]:
    """A system's F1 in percent, in the order of the questions."""
    return np.array([100 * (row.values or {})["f1"] for row in load().systems[system]])
