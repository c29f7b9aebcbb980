"""Scores of a saved run by chooser, by route and by oracle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.lab.common.saved_run import SavedRun, open_run
from xorqa.lab.ledger.run_scorer import RunScorer
from xorqa.metrics.report import Score

RULE = {"use": "rule", "prefer": "score"}


@pytest.fixture
def run(saved_mini: Path) -> SavedRun:
    return open_run(saved_mini)


def f1(scores: list[Score]) -> list[float]:
    return [score.values["f1"] for score in scores]


def test_no_chooser_scores_above_the_oracle(run: SavedRun) -> None:
    scorer = RunScorer(run, "official")
    oracle = f1(scorer.oracle())
    systems = [
        scorer.by_chooser(RULE),
        scorer.by_chooser({**RULE, "prefer": "target"}),
        scorer.by_route("eng"),
        scorer.by_route("target"),
    ]
    for scores in (*systems, scorer.best_of(systems)):
        assert [score.qid for score in scores] == [e.question.qid for e in run.dataset.examples]
        assert all(value <= best for value, best in zip(f1(scores), oracle, strict=True))
    assert all(
        best == pytest.approx(max(values))
        for best, *values in zip(f1(scorer.best_of(systems)), *map(f1, systems), strict=True)
    )


def test_one_route_alone_is_a_run_without_the_others(run: SavedRun) -> None:
    only = replace(
        run,
        answers=tuple(
            tuple(a for a in row if a.source and a.source.route == "target") for row in run.answers
        ),
    )
    assert RunScorer(run, "official").by_route("target") == RunScorer(only, "official").by_chooser(
        RULE
    )
    assert sum(f1(RunScorer(run, "official").by_route("nowhere"))) == 0


def test_equal_f1_goes_by_exact_match() -> None:
    a, b = (Score("q", "ko", {"f1": 0.5, "em": em, "bleu": 0.1}) for em in (0.0, 1.0))
    assert RunScorer.best_of([[a], [b]]) == RunScorer.best_of([[b], [a]]) == [b]


def test_questions_without_answers_in_their_language_do_not_count(run: SavedRun) -> None:
    first, *others = run.dataset.examples
    bare = replace(first, golds=tuple(gold for gold in first.golds if gold.lang == "en"))
    changed = replace(run, dataset=replace(run.dataset, examples=(bare, *others)))
    assert len(RunScorer(changed, "official").oracle()) == len(others)


def test_a_question_without_candidates(run: SavedRun) -> None:
    unanswered = replace(run, answers=((), *run.answers[1:]))
    assert RunScorer(unanswered, "official").oracle()[0].values["f1"] == 0
