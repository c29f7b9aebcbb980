"""The exercises of lesson A1, graded."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.backretrieval.distances import pearson

from .alignment_world import K, sampler
from .grading import Verdict, graded, right, wrong

Matrix = NDArray[np.float64]

NEAR = 1e-6
_TIED = np.array([[0.5, 0.5, 0.1], [0.2, 0.9, 0.1], [0.4, 0.4, 0.2]])
_TEXTS = np.array([[0.2, 0.9, 0.1], [0.1, 0.3, 0.8], [0.7, 0.1, 0.2]])


@graded
def check_1(recall: Callable[[Matrix, int], float]) -> Verdict:
    """Recall@k in percent, ties counted against the system."""
    random = np.random.default_rng(1).random((6, 6))
    for scores, k in ((_TEXTS, 1), (random, 2), (random, 6), (_TIED, 1)):
        returned, expected = float(recall(scores.copy(), k)), _recall(scores, k)
        shown = f"For {scores.round(2).tolist()} and k = {k} it returns {returned:.3g}."
        if math.isclose(returned, expected, abs_tol=NEAR):
            continue
        if math.isclose(returned, expected / 100, abs_tol=NEAR):
            return wrong(f"{shown} Almost: the answer is a percentage.")
        if scores is _TIED:
            return wrong(f"{shown} Another name is exactly as near: count ties against the system.")
        return wrong(f"{shown} Row i is right if its entry in column i is among the k greatest.")
    return right(
        "The rank is the number of names that are at least as near, the right one included: an "
        "encoder that gives all names the same vector gets nothing."
    )


def _recall(scores: Matrix, k: int) -> float:
    ranks = (scores >= scores.diagonal()[:, None]).sum(axis=1)
    return 100 * float((ranks <= k).mean())


@graded
def check_2(back_rank: Callable[[Matrix, Matrix, int], int]) -> Verdict:
    """The rank of a query's own image after the way through the other language."""
    texts, back = np.random.default_rng(2).random((2, 7, 7))
    queries = range(len(texts))
    returned = [int(back_rank(texts.copy(), back.copy(), query)) for query in queries]
    expected = [back_rank_of(texts, back, query) for query in queries]
    shown = f"For the seven queries of a sample it returns {returned}."
    if returned == [back_rank_of(texts, back.T, query) for query in queries]:
        return wrong(f"{shown} The Finnish pictures are the rows of `back`.")
    if returned == [back_rank_of(texts.T, back, query) for query in queries]:
        return wrong(f"{shown} The query's similarities are row `at` of `texts`.")
    if returned == [rank - 1 for rank in expected]:
        return wrong(f"{shown} Ranks begin with 1.")
    if returned != expected:
        return wrong(
            f"{shown} Find the nearest Finnish name, take that row of `back`, and count the "
            "English pictures that are at least as similar as the query's own."
        )
    if back_rank(_TEXTS.copy(), _TIED.copy(), 1) != back_rank_of(_TEXTS, _TIED, 1):
        return wrong("Another picture may be exactly as similar: count ties against the query.")
    return right("Two look-ups and no translation: the picture is what the languages share.")


def back_rank_of(texts: Matrix, back: Matrix, query: int) -> int:
    """The rank of English picture `at`: the number that are at least as similar."""
    scores = back[texts[query].argmax()]
    return int((scores >= scores[query]).sum())


@graded
def check_3(chance: float) -> Verdict:
    """BkR of an encoder that goes to a random Finnish name, in percent."""
    n = sampler().n
    expected = 100 * K / n
    if math.isclose(chance, expected, abs_tol=0.06):
        return right(
            f"{K} of {n} English pictures are returned, whatever the picture: {expected:.1f} %. "
            "An encoder below that does worse than none."
        )
    if math.isclose(chance, expected / 100, abs_tol=6e-4):
        return wrong("Almost: the answer is a percentage.")
    if math.isclose(chance, expected / 2, abs_tol=0.06):
        return wrong("There are 96 things, but only half of them are on the English side.")
    return wrong("How many English pictures are returned, and how many are there?")


@graded
def check_4(colours: float) -> Verdict:
    """How often the nearest name has the query's colour, for a perfect encoder, in percent."""
    if math.isclose(colours, 0, abs_tol=NEAR):
        return right(
            "The nearest name has the query's shape, and no name in the sample has both. The "
            "column shows 0 % for an encoder that knows every colour."
        )
    if math.isclose(colours, 100, abs_tol=NEAR):
        return wrong("Which Finnish name has the query's shape and colour? Is it in the sample?")
    if 10 < colours < 13:
        return wrong("That is chance. What colours have the names of the query's shape?")
    return wrong("The shape counts more. What colours have the sampled names of the same shape?")


@graded
def check_5(correlation: Callable[[list[float], list[float]], float]) -> Verdict:
    """Pearson's correlation."""
    for x, y in (([1, 2, 3], [2, 4, 6]), ([1, 2, 3, 4], [4, 1, 3, 2]), ([0, 1, 5], [3, 3, 9])):
        returned = float(correlation([*map(float, x)], [*map(float, y)]))
        expected = pearson(np.array(x, float), np.array(y, float))
        if not math.isclose(returned, expected, abs_tol=1e-4):
            return wrong(
                f"For {x} and {y} it returns {returned:.3g}; subtract the means, multiply, and "
                "divide by both lengths (`np.corrcoef` does it)."
            )
    return right(
        "At a correlation of 1, either measure predicts the other exactly, whatever their scales."
    )
