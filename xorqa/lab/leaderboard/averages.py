"""The average over tasks: the mean of the means of their categories, as in XTREME-R, Table 4."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ...metrics.task import OFFICIAL
from .boards import AVERAGE, BOARDS, Board
from .entries import System
from .result import MEAN, Result


def mean_of_categories(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Category to the mean of its tasks' scores, and `AVERAGE` to the mean of these.

    A mean of all tasks would count a category of many tasks more than the others.
    """
    by_category = {name: _mean(tasks) for name, tasks in scores.items()}
    return {AVERAGE: _mean(by_category.values()), **by_category}


def with_averages(system: System) -> System:
    """The system, with a result on each computed board of which it has all parts."""
    averages = [_average(board, system.results) for board in BOARDS.values() if board.parts]
    return replace(system, results=(*system.results, *filter(None, averages)))


def _average(board: Board, results: Sequence[Result]) -> Result | None:
    """The average of official means; of several results on a part, the first counts."""
    first = {result.board.name: result for result in reversed(results)}
    scores = {
        category: [_score(first[part]) for part in parts if part in first]
        for category, parts in board.parts.items()
    }
    complete = all(len(scores[category]) == len(parts) for category, parts in board.parts.items())
    known = {name: [score for score in row if score is not None] for name, row in scores.items()}
    if not complete or known != scores:
        return None
    parts = [first[part] for part in chain(*board.parts.values())]
    return Result(
        board,
        "; ".join(part.group for part in parts),
        {OFFICIAL: {MEAN: mean_of_categories(known)}},
        table=f"computed from the rows of {board.data}",
        notes=" ".join(dict.fromkeys(part.notes for part in parts if part.notes)),
        parts=tuple(part.key for part in parts),
    )


def _score(result: Result) -> float | None:
    """The mean of F1 and EM, or else the main measure; None if one is missing."""
    row = result.values.get(OFFICIAL, {}).get(MEAN, {})
    names = ("f1", "em") if result.board.main == "f1" else (result.board.main,)
    return _mean(row[name] for name in names) if row.keys() >= set(names) else None


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)
