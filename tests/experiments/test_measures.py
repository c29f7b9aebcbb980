from dataclasses import replace
from typing import Any

import pytest

from xorqa.core.types import Answer, Candidate, CandidateScores, Hit, Passage, Span, Trace
from xorqa.datasets.dataset import Dataset
from xorqa.datasets.mini import load
from xorqa.experiments.evaluate import read_results
from xorqa.experiments.measures import POINTS, measures
from xorqa.experiments.settings import PipelineSettings, Route

SETTINGS = PipelineSettings((Route("eng", "bm25"),))


def measured(world: Dataset, traces: list[Trace]) -> dict[str, dict[str, Any]]:
    return measures(read_results(world, traces, SETTINGS.routes), SETTINGS)


@pytest.fixture(scope="module")
def world() -> Dataset:
    return load().only(["fi", "ko"])


def traces(world: Dataset, *, right: bool) -> list[Trace]:
    """The gold answers as answers read from English, or wrong ones; less sure one by one."""
    made = []
    for at, example in enumerate(world.examples):
        golds = example.answers(example.question.lang)
        text = golds[0] if right and golds else "zzz"
        hit = Hit(Passage("p", text), 1.0)
        source = Candidate(hit, 0, Span(0, len(text)), CandidateScores(-0.1, -0.1), "eng")
        answer = Answer(text, "en", -0.2, "span", source, confidence=1 / (2 + at))
        made.append(Trace(example.question, {}, (source,), answer, answers=(answer,)))
    return made


def test_measures_of_right_and_wrong_answers(world: Dataset) -> None:
    right, wrong = (measured(world, traces(world, right=r)) for r in (True, False))
    assert right["character 3-gram recall"]["macro"] == {"character 3-gram recall": 100.0}
    assert wrong["character 3-gram recall"]["macro"] == {"character 3-gram recall": 0.0}
    assert right["risk-coverage"]["area"] == 0 and wrong["risk-coverage"]["area"] == 1
    assert len(wrong["risk-coverage"]["points"]) <= POINTS
    assert right["risk-coverage"]["points"][-1] == (1.0, 0.0)
    assert "abstention" not in right


def test_consistency_needs_a_question_in_two_languages(world: Dataset) -> None:
    assert "consistency" not in measured(world, traces(world, right=True))
    same = tuple(replace(e, human_translation="Where?") for e in world.examples)
    shared = replace(world, examples=same)
    assert measured(shared, traces(shared, right=False))["consistency"]["macro"] == {
        "consistency": 100.0
    }


def test_questions_without_an_answer_in_the_corpus(world: Dataset) -> None:
    first, *others = world.examples
    unanswerable = replace(world, examples=(replace(first, answered_in="nowhere"), *others))
    found = measured(unanswerable, traces(world, right=True))["abstention"]
    assert 0 < found["min_confidence"] < 1
    assert found["hallucination_rate"] in (0.0, 1.0) and 0 <= found["error_rate"] <= 1


def test_nothing_is_measured_without_gold_answers_or_answers(world: Dataset) -> None:
    bare = replace(world, examples=tuple(replace(e, golds=()) for e in world.examples))
    assert measured(bare, traces(world, right=True)) == {}
    retrieved = [Trace(e.question, {}, (), None) for e in world.examples]
    assert measured(world, retrieved) == {}
