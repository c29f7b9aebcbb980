"""What a run could have answered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.analysis.judge import Judge
from xorqa.experiments.saved_run import SavedRun, open_run
from xorqa.metrics.report import Score

RULE = {"use": "rule", "prefer": "score"}


@pytest.fixture
def run(saved_mini: Path) -> SavedRun:
    return open_run(saved_mini)


def f1(scores: list[Score]) -> list[float]:
    return [score.values["f1"] for score in scores]


def test_no_choice_is_above_the_ceiling(run: SavedRun) -> None:
    judge = Judge(run, "official")
    ceiling = f1(judge.ceiling())
    ways = [
        judge.chosen(RULE),
        judge.chosen({**RULE, "prefer": "target"}),
        judge.alone("eng"),
        judge.alone("target"),
    ]
    for scores in (*ways, judge.best(ways)):
        assert [score.qid for score in scores] == [e.question.qid for e in run.dataset.examples]
        assert all(value <= best for value, best in zip(f1(scores), ceiling, strict=True))
    assert all(
        best == pytest.approx(max(values))
        for best, *values in zip(f1(judge.best(ways)), *map(f1, ways), strict=True)
    )


def test_one_route_alone_is_a_run_without_the_others(run: SavedRun) -> None:
    only = replace(
        run,
        answers=tuple(
            tuple(a for a in row if a.source and a.source.route == "target") for row in run.answers
        ),
    )
    assert Judge(run, "official").alone("target") == Judge(only, "official").chosen(RULE)
    assert sum(f1(Judge(run, "official").alone("nowhere"))) == 0


def test_equal_f1_goes_by_exact_match() -> None:
    a, b = (Score("q", "ko", {"f1": 0.5, "em": em, "bleu": 0.1}) for em in (0.0, 1.0))
    assert Judge.best([[a], [b]]) == Judge.best([[b], [a]]) == [b]


def test_questions_without_answers_in_their_language_do_not_count(run: SavedRun) -> None:
    first, *others = run.dataset.examples
    bare = replace(first, golds=tuple(gold for gold in first.golds if gold.lang == "en"))
    some = replace(run, dataset=replace(run.dataset, examples=(bare, *others)))
    assert len(Judge(some, "official").ceiling()) == len(others)


def test_a_question_without_candidates(run: SavedRun) -> None:
    none = replace(run, answers=((), *run.answers[1:]))
    assert Judge(none, "official").ceiling()[0].values["f1"] == 0
