"""Ranks of each question's targets among the negatives, the input of LAReQA's measures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from .pool import Pool

Scores = NDArray[np.float32]
TOP = 100
"""How many of the top candidates are counted by language, as by Roy et al. 2020."""

_BATCH = 256  # questions whose scores are in memory at a time


@dataclass(frozen=True, slots=True, eq=False)
class TargetRanks:
    """The targets of every question, in rows as wide as the question with most targets.

    The rank of the i-th target of a row, counted from 1 by `ahead` ascending, is i plus its
    `ahead`; this also holds after targets are removed.

    Attributes:
        langs: the pool's languages; languages below are indices into it.
        question_langs: (questions,) each question's language.
        target_langs: (questions, targets) each target's language; -1 where there is none.
        ahead: (questions, targets) the number of negatives ranked before the target; inf where
            there is none.
        ahead_same_lang: the same for negatives in the question's language only.
        top: (questions, langs) the number of the question's top 100 candidates in each language.
    """

    langs: tuple[str, ...]
    question_langs: NDArray[np.int64]
    target_langs: NDArray[np.int64]
    ahead: NDArray[np.float64]
    ahead_same_lang: NDArray[np.float64]
    top: NDArray[np.int64]


def target_ranks(scores_of: Callable[[slice], Scores], pool: Pool) -> TargetRanks:
    """Rank the pool's sentences for every question: score descending, then index ascending.

    Args:
        scores_of: scores of a slice of the pool's questions, shape (questions, sentences),
            higher is better. It is called with small slices, in order.
        pool: the questions and sentences.

    Raises:
        DataError: if there is no question, or scores have another shape or are NaN.
    """
    if not pool.questions:
        raise DataError(f"pool '{pool.name}' has no questions")
    positives = pool.positives()
    numbers = {lang: number for number, lang in enumerate(pool.langs)}
    question_langs = np.array([numbers[row.lang] for row in pool.questions], dtype=np.int64)
    sentence_langs = np.array([numbers[row.lang] for row in pool.sentences], dtype=np.int64)
    shape = len(positives), max(map(len, positives))
    target_langs = np.full(shape, -1, dtype=np.int64)
    ahead, ahead_same_lang = np.full(shape, np.inf), np.full(shape, np.inf)
    top = np.zeros((len(positives), len(numbers)), dtype=np.int64)
    for question, scores in enumerate(_rows(scores_of, len(positives), len(sentence_langs))):
        targets = positives[question]
        negatives = np.delete(np.arange(len(scores)), targets)
        same_lang = negatives[sentence_langs[negatives] == question_langs[question]]
        target_langs[question, : len(targets)] = sentence_langs[targets]
        ahead[question, : len(targets)] = _ahead(scores, targets, negatives)
        ahead_same_lang[question, : len(targets)] = _ahead(scores, targets, same_lang)
        top[question] = np.bincount(sentence_langs[_top(scores, TOP)], minlength=len(numbers))
    return TargetRanks(pool.langs, question_langs, target_langs, ahead, ahead_same_lang, top)


def _rows(scores_of: Callable[[slice], Scores], questions: int, sentences: int) -> Iterator[Scores]:
    for start in range(0, questions, _BATCH):
        stop = min(start + _BATCH, questions)
        scores = scores_of(slice(start, stop))
        if scores.shape != (stop - start, sentences):
            raise DataError(
                f"scores of questions {start} to {stop - 1} have the shape {scores.shape}; "
                f"expected {(stop - start, sentences)}, one score per sentence"
            )
        if np.isnan(scores).any():
            raise DataError(f"scores of questions {start} to {stop - 1} contain NaN")
        yield from scores


def _ahead(
    scores: Scores, targets: NDArray[np.int64], negatives: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The number of negatives (ascending indices) that rank before each target."""
    negative_scores = scores[negatives]
    positions = np.searchsorted(negatives, targets)
    return np.array(
        [
            np.count_nonzero(negative_scores[:position] >= score)
            + np.count_nonzero(negative_scores[position:] > score)
            for position, score in zip(positions, scores[targets], strict=True)
        ],
        dtype=np.int64,
    )


def _top(scores: Scores, count: int) -> NDArray[np.int64]:
    """The candidates with the highest scores, unordered; ties go to the first."""
    if len(scores) <= count:
        return np.arange(len(scores))
    least = np.partition(scores, -count)[-count]
    above = np.flatnonzero(scores > least)
    ties = np.flatnonzero(scores == least)
    return np.concatenate([above, ties[: count - len(above)]])
