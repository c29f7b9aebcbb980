"""Rank the rows of a board, and test each against the row above."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.errors import DataError
from ...metrics import significance
from ...metrics.report import Score
from ...metrics.resampling import CORRECTIONS
from ...metrics.significance import DEFAULTS, MACRO, Comparison, Settings, check_questions
from ...metrics.task import OFFICIAL, STRICT
from .entries import System
from .result import MEAN, Result


@dataclass(frozen=True, slots=True)
class RowTest:
    """A row's test against the row above: the difference in percent, and its corrected p."""

    above: str
    scorer: str
    difference: float
    low: float
    high: float
    p_corrected: float
    significant: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a board.

    Attributes:
        rank: among the rows over the same questions and languages.
        test: against the row above it there.
        untested: why there is no test.
    """

    system: System
    result: Result
    rank: int
    test: RowTest | None = None
    untested: str = ""


def ranked(rows: Sequence[tuple[System, Result]], settings: Settings = DEFAULTS) -> list[Row]:
    """The rows by questions and languages, in each group from best to worst, with ranks and tests.

    Equal scores share a rank. Each p is corrected over the tests of its group.
    """
    groups: dict[object, list[tuple[System, Result]]] = {}
    for system, result in rows:
        groups.setdefault((result.data, result.languages), []).append((system, result))
    return [row for group in groups.values() for row in _ranked_group(group, settings)]


def _ranked_group(group: Sequence[tuple[System, Result]], settings: Settings) -> list[Row]:
    ordered = sorted(group, key=lambda pair: _key(pair[1]))
    scores = [_score(result) for _, result in ordered]
    rows = [
        Row(system, result, 1 + scores.index(score))
        for (system, result), score in zip(ordered, scores, strict=True)
    ]
    comparisons = [
        _compare(above, row, settings) for above, row in zip([None, *rows[:-1]], rows, strict=True)
    ]
    tests = [test for test in comparisons if isinstance(test, Comparison)]
    ps = CORRECTIONS[settings.correction](np.array([test.p_randomisation for test in tests]))
    corrected = dict(zip(map(id, tests), ps.tolist(), strict=True))
    return [
        replace(row, untested=test)
        if isinstance(test, str)
        else replace(row, test=_test(rows[index - 1], row, test, corrected[id(test)], settings))
        for index, (row, test) in enumerate(zip(rows, comparisons, strict=True))
    ]


def _compare(above: Row | None, row: Row, settings: Settings) -> Comparison | str:
    """The comparison of the main measure with the row above, or why there is none."""
    if above is None:
        return "the first row"
    scorer = _shared_scorer(above.result, row.result)
    if scorer is None:
        return "no scores of single questions"
    ours, theirs = row.result.questions[scorer], above.result.questions[scorer]
    try:
        check_questions(theirs, ours, row.system.name)
    except DataError:
        return "other questions than the row above"
    compared = significance.compare(
        theirs, {row.system.name: ours}, metrics=[row.result.board.main], settings=settings
    )
    return next((comparison for comparison in compared if comparison.lang == MACRO), compared[0])


def _shared_scorer(above: Result, result: Result) -> str | None:
    """The official scorer if it counts the same questions, or else the strict one."""
    for scorer in (OFFICIAL, STRICT):
        ours, theirs = (_keys(entry.questions.get(scorer, ())) for entry in (result, above))
        if ours and ours == theirs:
            return scorer
    shared = above.questions.keys() & result.questions.keys()
    return OFFICIAL if OFFICIAL in shared else None


def _keys(scores: Sequence[Score]) -> set[tuple[str, str]]:
    return {(score.lang, score.qid) for score in scores}


def _test(above: Row, row: Row, comparison: Comparison, p: float, settings: Settings) -> RowTest:
    scorer = _shared_scorer(above.result, row.result)
    assert scorer is not None
    return RowTest(
        above.system.metadata.model,
        scorer,
        comparison.difference,
        comparison.low,
        comparison.high,
        p,
        bool(p <= settings.alpha),
    )


def _score(result: Result) -> float:
    """The value that ranks a row; official, or strict if there is no official one."""
    scorer = OFFICIAL if OFFICIAL in result.values else STRICT
    return result.values[scorer][MEAN][result.board.main]


def _key(result: Result) -> float:
    return -_score(result) if result.board.higher_is_better else _score(result)
