"""Rows are ranked over the same questions and tested against the row above."""

import pytest

from tests.lab.leaderboard.systems import scores
from xorqa.lab.leaderboard.boards import BOARDS
from xorqa.lab.leaderboard.entries import System
from xorqa.lab.leaderboard.metadata import Metadata
from xorqa.lab.leaderboard.ranking import ranked
from xorqa.lab.leaderboard.result import MEAN, Result
from xorqa.metrics.report import average
from xorqa.metrics.significance import Settings, compare

QUICK = Settings(samples=500)


def row(name, rows, *, questions=True, board="xquad", data="d"):
    report = average(rows, task="t", scorer="official")
    values = {"official": {**report.per_lang, MEAN: report.macro}}
    by_scorer = {"official": rows} if questions else {}
    result = Result(BOARDS[board], data, values, {"official": len(rows)}, by_scorer)
    return System(name, Metadata(name), (result,)), result


def test_the_best_is_first_and_equal_rows_share_a_rank():
    rows = [row("c", scores(0.2)), row("a", scores(0.8)), row("b", scores(0.8))]
    ranking = ranked(rows, QUICK)
    assert [(entry.rank, entry.system.name) for entry in ranking] == [(1, "a"), (1, "b"), (3, "c")]
    assert ranking[0].untested == "the first row" and ranking[1].test.difference == 0


def test_low_failure_rates_are_first():
    rows = [
        row(name, scores(rate, measures=("failure rate",)), board="multichecklist")
        for name, rate in (("bad", 0.9), ("good", 0.1))
    ]
    assert [entry.system.name for entry in ranked(rows, QUICK)] == ["good", "bad"]


def test_only_rows_over_the_same_questions_and_languages_are_ranked_together():
    finnish = [score for score in scores(0.9) if score.lang == "fi"]
    rows = [
        row("a", scores(0.5)),
        row("b", scores(0.6), data="others"),
        row("c", finnish),
        row("d", scores(0.4)),
    ]
    ranking = ranked(rows, QUICK)
    assert [(entry.system.name, entry.rank) for entry in ranking] == [
        *(("a", 1), ("d", 2), ("b", 1), ("c", 1))
    ]


def test_a_row_is_tested_against_the_row_above_with_correction():
    rows = {name: scores(rate) for name, rate in (("a", 0.9), ("b", 0.4), ("c", 0.38))}
    _, second, third = ranked([row(*named) for named in rows.items()], QUICK)
    alone = compare(rows["a"], {"b": rows["b"]}, metrics=["f1"], settings=QUICK)
    macro = next(comparison for comparison in alone if comparison.lang == "macro")
    assert second.test.above == "a" and second.test.scorer == "official"
    assert second.test.difference == pytest.approx(macro.difference)
    assert second.test.p_corrected == pytest.approx(2 * macro.p_randomisation)  # Holm's, of two
    assert second.test.significant and not third.test.significant


def test_rows_without_the_same_questions_are_not_tested():
    rows = [row("a", scores(0.9)), row("b", scores(0.5), questions=False)]
    assert ranked(rows, QUICK)[1].untested == "no scores of single questions"
    rows = [row("a", scores(0.9)), row("b", scores(0.5, n=30))]
    assert ranked(rows, QUICK)[1].untested == "other questions than the row above"
