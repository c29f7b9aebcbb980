"""Where a question's targets stand among the negatives: all of LAReQA's measures need no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...datasets.pool import Pool

Scores = NDArray[np.float32]
TOP = 100
"""How many of the best candidates are counted by language (Roy et al. 2020, Figure 6)."""

_BLOCK = 256  # questions whose scores stand in memory together


@dataclass(frozen=True, slots=True, eq=False)
class TargetRanks:
    """The targets of every question, in rows as wide as the question with most targets.

    The rank of the i-th target of a row, counted from 1 by `ahead` ascending, is i plus its
    `ahead`; and so it is after targets are taken away.

    langs: the pool's languages; numbers below are positions in it.
    asked: (questions,) the number of each question's language.
    answers: (questions, targets) the number of each target's language; -1 where there is none.
    ahead: (questions, targets) how many negatives rank before the target; inf where there is none.
    ahead_own: the same, of the negatives in the question's language only.
    top: (questions, langs) how many of the question's best 100 candidates are in each language.
    """

    langs: tuple[str, ...]
    asked: NDArray[np.int64]
    answers: NDArray[np.int64]
    ahead: NDArray[np.float64]
    ahead_own: NDArray[np.float64]
    top: NDArray[np.int64]


def target_ranks(scores_of: Callable[[slice], Scores], pool: Pool) -> TargetRanks:
    """Rank the pool's sentences for every question: score descending, then index ascending.

    Args:
        scores_of: scores of a slice of the pool's questions, shape (questions, sentences),
            the higher the better. It is asked for small slices, in order.
        pool: what is searched.

    Raises:
        DataError: if there is no question, or scores are of another shape or NaN.
    """
    if not pool.questions:
        raise DataError(f"pool '{pool.name}' has no question")
    positives = pool.positives()
    numbers = {lang: number for number, lang in enumerate(pool.langs)}
    asked = np.array([numbers[row.lang] for row in pool.questions], dtype=np.int64)
    spoken = np.array([numbers[row.lang] for row in pool.sentences], dtype=np.int64)
    shape = len(positives), max(map(len, positives))
    answers = np.full(shape, -1, dtype=np.int64)
    ahead, ahead_own = np.full(shape, np.inf), np.full(shape, np.inf)
    top = np.zeros((len(positives), len(numbers)), dtype=np.int64)
    for at, row in enumerate(_rows(scores_of, len(positives), len(spoken))):
        targets = positives[at]
        others = np.delete(np.arange(len(row)), targets)
        own = others[spoken[others] == asked[at]]
        answers[at, : len(targets)] = spoken[targets]
        ahead[at, : len(targets)] = _ahead(row, targets, others)
        ahead_own[at, : len(targets)] = _ahead(row, targets, own)
        top[at] = np.bincount(spoken[_best(row, TOP)], minlength=len(numbers))
    return TargetRanks(pool.langs, asked, answers, ahead, ahead_own, top)


def _rows(scores_of: Callable[[slice], Scores], questions: int, sentences: int) -> Iterator[Scores]:
    for start in range(0, questions, _BLOCK):
        stop = min(start + _BLOCK, questions)
        scores = scores_of(slice(start, stop))
        if scores.shape != (stop - start, sentences):
            raise DataError(
                f"scores of questions {start} to {stop - 1} have the shape {scores.shape}; "
                f"needed is {(stop - start, sentences)}, one score a sentence"
            )
        if np.isnan(scores).any():
            raise DataError(f"scores of questions {start} to {stop - 1} hold NaN")
        yield from scores


def _ahead(
    scores: Scores, targets: NDArray[np.int64], others: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many of the others (ascending) rank before each target."""
    rivals = scores[others]
    places = np.searchsorted(others, targets)
    return np.array(
        [
            np.count_nonzero(rivals[:at] >= score) + np.count_nonzero(rivals[at:] > score)
            for at, score in zip(places, scores[targets], strict=True)
        ],
        dtype=np.int64,
    )


def _best(scores: Scores, count: int) -> NDArray[np.int64]:
    """The best candidates, in no order; of equal ones the first."""
    if len(scores) <= count:
        return np.arange(len(scores))
    least = np.partition(scores, -count)[-count]
    above = np.flatnonzero(scores > least)
    level = np.flatnonzero(scores == least)
    return np.concatenate([above, level[: count - len(above)]])
