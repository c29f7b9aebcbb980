from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.candidates import candidate
from xorqa.core.types import (
    Answer,
    Candidate,
    CandidateScores,
    Example,
    Gold,
    Hit,
    Passage,
    Query,
    Question,
    RouteResult,
    Span,
    Trace,
)
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.datasets.mini import load
from xorqa.experiments.evaluate import evaluate, measure_answers, read_results
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.predictions import read_answers, read_passages
from xorqa.metrics.answer_measures import POINTS
from xorqa.metrics.tasks.xor_engspan import english_span

ENGLISH = Passage("en-1", "The Nile is 6650 km long.")
FINNISH = Passage("fi-1", "Kemijoki on 550 km pitkä.", lang="fi")
CORPORA = {"en": Corpus("en", [ENGLISH]), "fi": Corpus("fi", [FINNISH])}
ABROAD = Example(
    Question("abroad", "Kuinka pitkä Niili on?", "fi"),
    (Gold("6650", "en", "en-1", Span(12, 16)), Gold("6650", "fi")),
)
HOME = Example(Question("home", "Kuinka pitkä Kemijoki on?", "fi"), (Gold("550", "fi", "fi-1"),))


def trace(example: Example, *candidates: Candidate, answer: str | None = None) -> Trace:
    question = example.question
    hits = [Hit(FINNISH, 2.0), Hit(ENGLISH, 1.0)]
    said = None if answer is None else Answer(answer, "fi", 0.0, method="copied")
    return Trace(
        question,
        {"all": RouteResult(Query(question, question.text, "fi"), hits)},
        candidates,
        said,
        {},
    )


DATASET = Dataset("rivers", (ABROAD, HOME), CORPORA)
TRACES = [
    trace(
        ABROAD,
        candidate("550", "fi", span_score=-0.1),
        candidate("6650", "en", span_score=-0.5),
        answer="6650",
    ),
    trace(HOME, candidate("6650", "en", span_score=-0.2), answer="550"),
]


def test_own_language_questions_do_not_count_for_the_english_tasks(tmp_path: Path) -> None:
    reports = evaluate(DATASET, TRACES, out=tmp_path)
    assert reports["xor-retrieve", "official"].n == {"fi": 1}
    assert reports["xor-engspan", "official"].n == {"fi": 1}
    assert reports["xor-full", "official"].n == {"fi": 2}
    assert reports["xor-engspan", "official"].macro["f1"] == 100
    assert reports["xor-full", "strict"].macro["f1"] == 100
    assert list(read_answers(tmp_path / "xor_engspan.json").by_qid) == ["abroad"]
    assert list(read_answers(tmp_path / "xor_full.json").by_qid) == ["abroad", "home"]


def test_only_english_passages_are_in_the_prediction_file(tmp_path: Path) -> None:
    evaluate(DATASET, TRACES, out=tmp_path)
    found = read_passages(tmp_path / "xor_retrieve.json").by_qid
    assert {qid: list(texts) for qid, texts in found.items()} == {"abroad": [ENGLISH.text]}


def test_the_file_to_submit_has_the_passages_that_its_tokens_need(tmp_path: Path) -> None:
    passages = [Passage(f"en-{at}", f"River {at}: " + "long, " * 500) for at in range(9)]
    query = Query(ABROAD.question, "?", "en")
    hits = [Hit(passage, -float(at)) for at, passage in enumerate(passages)]
    deep = Trace(ABROAD.question, {"eng": RouteResult(query, hits)}, (), None, {})
    few = evaluate(DATASET, [deep], out=tmp_path / "few")
    everything = evaluate(DATASET, [deep], out=tmp_path / "all", all_passages=True)
    assert few == everything
    texts = [passage.text for passage in passages]  # of 1,003 tokens each
    for name, count in (("few", 5), ("all", 9)):
        found = read_passages(tmp_path / name / "xor_retrieve.json").by_qid
        assert list(found["abroad"]) == texts[:count]


def test_tasks_that_traces_did_not_reach_are_not_scored() -> None:
    retrieved = [replace(row, candidates=(), answer=None) for row in TRACES]
    assert {task for task, _ in evaluate(DATASET, retrieved)} == {"xor-retrieve"}
    read = [replace(row, answer=None) for row in TRACES]
    assert {task for task, _ in evaluate(DATASET, read)} == {"xor-retrieve", "xor-engspan"}


def test_tasks_over_english_passages_are_left_out_where_no_route_searches_english() -> None:
    target, english, pool = (
        Route("r", "bm25", corpus=corpus) for corpus in ("target", "en", "pool")
    )
    assert {task for task, _ in evaluate(DATASET, TRACES, routes=[target])} == {"xor-full"}
    tasks = {"xor-retrieve", "xor-engspan", "xor-full"}
    for routes in ([english], [target, english], [pool]):
        assert {task for task, _ in evaluate(DATASET, TRACES, routes=routes)} == tasks
    finnish = replace(DATASET, corpora={"fi": CORPORA["fi"]})
    assert {task for task, _ in evaluate(finnish, TRACES, routes=[pool])} == {"xor-full"}


def test_a_search_for_english_passages_that_retrieves_none_scores_0() -> None:
    nothing = [
        replace(row, by_route={"eng": RouteResult(row.by_route["all"].query, [])}) for row in TRACES
    ]
    reports = evaluate(DATASET, nothing, routes=[Route("eng", "bm25")])
    assert reports["xor-retrieve", "official"].macro == {"R@2kt": 0.0, "R@5kt": 0.0}


def test_without_english_golds_only_the_full_task_is_scored(tmp_path: Path) -> None:
    bare = replace(DATASET, examples=(replace(ABROAD, golds=(Gold("6650", "fi", "fi-1"),)), HOME))
    assert {task for task, _ in evaluate(bare, TRACES, out=tmp_path)} == {"xor-full"}
    assert not (tmp_path / "xor_retrieve.json").exists()


def test_the_english_span_is_the_best_and_of_equals_the_first_ranked() -> None:
    equals = (
        candidate("second", "en", span_score=-0.5, rank=1),
        candidate("first", "en", span_score=-0.5, rank=0),
    )
    assert english_span(trace(ABROAD, candidate("fi", "fi"), *equals)) == "first"
    assert english_span(trace(HOME, candidate("fi", "fi"))) == ""


SETTINGS = PipelineSettings((Route("eng", "bm25"),))


def measured(world: Dataset, traces: list[Trace]) -> dict[str, dict[str, Any]]:
    return measure_answers(read_results(world, traces, SETTINGS.routes), SETTINGS)


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
