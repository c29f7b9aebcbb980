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

UNRANKED = 0


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
        rank: among the rows over the same questions and languages; `UNRANKED` for people.
        test: against the row above it there.
        untested: why there is no test.
        to_english: how much better the main measure is in English than in the other languages.
        to_human: how much better people are over the same questions and languages.
    """

    system: System
    result: Result
    rank: int
    test: RowTest | None = None
    untested: str = ""
    to_english: float | None = None
    to_human: float | None = None


def ranked(
    rows: Sequence[tuple[System, Result]], settings: Settings = DEFAULTS, lang: str = MEAN
) -> list[Row]:
    """The rows by questions and languages, in each group from best to worst, with ranks and tests.

    People come first, unranked. Equal scores share a rank. Each p is corrected over the tests of
    its group. With `lang`, rows with a value in that language are ranked by it, and a group is
    the rows over the same questions.
    """
    groups: dict[object, list[tuple[System, Result]]] = {}
    for system, result in rows:
        if _score(result, lang) is not None:
            group = result.key if lang == MEAN else (result.data,)
            groups.setdefault(group, []).append((system, result))
    return [row for group in groups.values() for row in _ranked_group(group, settings, lang)]


def language_ranks(rows: Sequence[Row]) -> list[dict[str, int]]:
    """For each row, language to its rank by that language, among rows over the same questions."""
    ranks: list[dict[str, int]] = [{} for _ in rows]
    for place, row in enumerate(rows):
        for lang in row.result.languages:
            score = _score(row.result, lang)
            if score is None or row.system.human:
                continue
            others = [
                _score(other.result, lang)
                for other in rows
                if other.result.data == row.result.data and not other.system.human
            ]
            better = row.result.board.better
            ranks[place][lang] = 1 + sum(o is not None and better(o, score) for o in others)
    return ranks


def _ranked_group(
    group: Sequence[tuple[System, Result]], settings: Settings, lang: str
) -> list[Row]:
    people = [Row(*pair, UNRANKED, untested="people") for pair in group if pair[0].human]
    systems = [pair for pair in group if not pair[0].human]
    ordered = sorted(systems, key=lambda pair: _key(pair[1], lang))
    scores = [_score(result, lang) for _, result in ordered]
    human = max((_known(row.result, lang) for row in people), default=None)
    rows = [
        Row(
            system,
            result,
            1 + scores.index(score),
            to_english=_to_english(result),
            to_human=None if human is None else human - _known(result, lang),
        )
        for (system, result), score in zip(ordered, scores, strict=True)
    ]
    comparisons = [
        _compare(above, row, settings, lang)
        for above, row in zip([None, *rows[:-1]], rows, strict=True)
    ]
    tests = [test for test in comparisons if isinstance(test, Comparison)]
    ps = CORRECTIONS[settings.correction](np.array([test.p_randomisation for test in tests]))
    corrected = dict(zip(map(id, tests), ps.tolist(), strict=True))
    return people + [
        replace(row, untested=test)
        if isinstance(test, str)
        else replace(row, test=_test(rows[index - 1], row, test, corrected[id(test)], settings))
        for index, (row, test) in enumerate(zip(rows, comparisons, strict=True))
    ]


def _compare(above: Row | None, row: Row, settings: Settings, lang: str) -> Comparison | str:
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
    wanted = MACRO if lang == MEAN else lang
    return next((comparison for comparison in compared if comparison.lang == wanted), compared[0])


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


def _score(result: Result, lang: str) -> float | None:
    """The value that ranks a row; official, or strict if there is no official one."""
    scorer = OFFICIAL if OFFICIAL in result.values else STRICT
    return result.values[scorer].get(lang, {}).get(result.board.main)


def _known(result: Result, lang: str) -> float:
    """The value that ranks a row which has one."""
    score = _score(result, lang)
    assert score is not None
    return score


def _key(result: Result, lang: str) -> float:
    return -_known(result, lang) if result.board.higher_is_better else _known(result, lang)


def _to_english(result: Result) -> float | None:
    """English minus the mean of the other languages; the reverse if lower is better."""
    english = _score(result, "en")
    others = [_score(result, lang) for lang in result.languages if lang != "en"]
    known = [score for score in others if score is not None]
    if english is None or not known:
        return None
    gap = english - sum(known) / len(known)
    return gap if result.board.higher_is_better else -gap
