"""The exercises of lesson A1, graded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.backretrieval.distances import pearson

from .alignment_world import K, percent, sampler
from .grading import Verdict, graded, right, wrong
from .hints import hint

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

NEAR = 1e-6
_TIED = np.array([[0.5, 0.5, 0.1], [0.2, 0.9, 0.1], [0.4, 0.4, 0.2]])
_SEVEN = ([1.0, 9.0, 2.0, 4.0, 3.0, 7.0, 5.0], [2.0, 7.0, 3.0, 1.0, 4.0, 9.0, 2.0])
_TEXTS = np.array([[0.2, 0.9, 0.1], [0.1, 0.3, 0.8], [0.7, 0.1, 0.2]])


@graded
def check_1(recall: Callable[[Matrix, int], float]) -> Verdict:
    """Recall@k in percent, ties counted against the system."""
    random = np.random.default_rng(1).random((6, 6))
    for scores, k in ((_TEXTS, 1), (random, 2), (random, 6), (_TIED, 1)):
        returned, expected = float(recall(scores.copy(), k)), _recall(scores, k)
        shown = f"For {scores.round(2).tolist()} and k = {k} it returns {returned:.3g}."
        if not math.isclose(returned, expected, abs_tol=NEAR):
            values = (expected / 100, _recall(scores.T, k), _recall(scores, 1), 100 - expected)
            share, by_columns, first_only, missed = (
                math.isclose(returned, value, abs_tol=NEAR) for value in values
            )
            return hint(
                (share, f"{shown} Almost: the answer is a percentage."),
                (
                    scores is _TIED,
                    f"{shown} Another name is exactly as near: count ties against the system.",
                ),
                (by_columns, f"{shown} You search the columns: those are the Finnish names."),
                (first_only, f"{shown} That counts the nearest name alone; the first {k} count."),
                (missed, f"{shown} These are the rows whose own entry is *not* among the k."),
                otherwise=f"{shown} Row i is right if its entry in column i is among the k "
                "greatest.",
            )
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
def check_3(answer: Sequence[float]) -> Verdict:
    """BkR of two encoders that know nothing, and of any encoder with pictures that show nothing."""
    chance, constant, equal = map(float, answer)
    n = sampler().n
    expected = 100 * K / n

    def near(value: float, other: float) -> bool:
        return math.isclose(value, other, abs_tol=0.06)

    if near(chance, expected) and near(constant, expected) and near(equal, 0):
        return right(
            f"{K} of {n} English pictures are returned, so {expected:.1f} % is chance, whether the "
            "Finnish name is drawn or always the same. Below that something works against the "
            "encoder, as the ties do in the third case."
        )
    return hint(
        (
            math.isclose(chance, expected / 100, abs_tol=6e-4),
            "Almost: the answers are percentages.",
        ),
        (
            near(chance, expected / 2),
            "1: There are 96 things, but only half of them are on the English side.",
        ),
        (near(chance, 100 / n), f"1: Not only the first picture counts, but the first {K}."),
        (near(chance, 10), f"1: 10 is rounded. Give {K} of {n} with one decimal."),
        (not near(chance, expected), "1: How many English pictures are returned, and of how many?"),
        (
            near(constant, 0),
            f"2: It returns the same {K} pictures to every query. Is it never the query's own?",
        ),
        (
            near(constant, 100 / n),
            f"2: One Finnish name leads to {K} English pictures. To how many queries are they own?",
        ),
        (
            not near(constant, expected),
            f"2: Each query gets the same {K} pictures. For how many queries is that right?",
        ),
        (
            near(equal, expected),
            "3: So it would be if a coin decided between equal pictures. How does exercise 2 count "
            "ties?",
        ),
        otherwise="3: All other pictures are exactly as similar. At which rank is the query's own?",
    )


@graded
def check_4(colours: Sequence[float]) -> Verdict:
    """How often the nearest name has the query's colour, for three encoders that know all."""
    shapes_twice, colours_twice, alike = map(float, colours)
    names = 100 * 11 / (11 + 7)  # of the names that share one thing with the query

    def near(value: float, other: float) -> bool:
        return math.isclose(value, other, abs_tol=0.6)

    if near(shapes_twice, 0) and near(colours_twice, 100) and near(alike, names):
        return right(
            "No name in the sample has both, so shape and colour compete for one place, and the "
            "weights or the numbers of names decide. The column shows from 0 to 100 % for "
            "encoders that all know every colour."
        )
    return hint(
        (
            near(shapes_twice, 100),
            "First: which Finnish name has the query's shape and colour? Is it in the sample?",
        ),
        (
            10 < shapes_twice < 13,
            "First: that is chance. What colours have the names of the query's shape?",
        ),
        (
            not near(shapes_twice, 0),
            "First: the shape counts more. What colours have the sampled names of the same shape?",
        ),
        (
            math.isclose(colours_twice, 1, abs_tol=NEAR),
            "Second: almost, the answers are percentages.",
        ),
        (near(colours_twice, 0), "Second: now the colour counts more. Which names are nearest?"),
        (
            not near(colours_twice, 100),
            "Second: are there names of the query's colour in the sample? Is any other as near?",
        ),
        (
            near(alike, 50),
            "Third: a name of the same shape is as near as one of the same colour, but are there "
            "as many of both?",
        ),
        (
            near(alike, 100 * 12 / 20),
            "Third: 12 of 20 counts the query's own thing, which is not in the sample.",
        ),
        (
            near(alike, 100 - names) or near(alike, 40),
            "Third: that is the share of the same shape. Eight colours make eight names a shape.",
        ),
        otherwise="Third: how many other things have the query's shape, how many its colour?",
    )


@graded
def check_5(weakest: Callable[[list[float], list[float], int], float]) -> Verdict:
    """The smallest correlation that is left without any k of the encoders."""
    given = [(_SEVEN, k) for k in (2, 3, 4)]
    returned = [float(weakest([*x], [*y], k)) for (x, y), k in given]
    shown = f"For {_SEVEN[0]}, {_SEVEN[1]} and k = 2 it returns {returned[0]:.3f}."

    def is_like(chosen: Callable[[list[float], int], float]) -> bool:
        return np.allclose(returned, [chosen(_left(*pair, k), k) for pair, k in given], atol=1e-4)

    if is_like(lambda left, k: min(left)):
        bkr, xlr = (list(percent("outlines", measure).values()) for measure in ("BkR", "XLR"))
        figures = [f"{min(_left(bkr, xlr, k)):.2f}" for k in (1, 2, 3)]
        return right(
            f"Of the lesson's seven encoders, {figures[0]} is left without one, {figures[1]} "
            f"without two and {figures[2]} without three. (Correlations of means over the samples.)"
        )
    (x, y), k = given[0]
    best = np.argsort(x)[:-k]
    return hint(
        (is_like(lambda left, k: max(left)), f"{shown} This is the greatest that is left."),
        (
            is_like(lambda left, k: sum(left) / len(left)),
            f"{shown} This is the mean over all choices; a sceptic takes the worst one.",
        ),
        (
            np.allclose(returned, [min(_left(*_SEVEN, 1))] * 3, atol=1e-4),
            f"{shown} You leave out one encoder, whatever k is.",
        ),
        (
            np.allclose(returned, [pearson(*map(np.array, _SEVEN))] * 3, atol=1e-4),
            f"{shown} That is the correlation of all seven.",
        ),
        (
            math.isclose(returned[0], pearson(np.array(x)[best], np.array(y)[best]), abs_tol=1e-4),
            f"{shown} Leaving out the best k is one choice. Another one may leave less.",
        ),
        (
            np.allclose(returned, [min(_left(*_SEVEN, 7 - k)) for _, k in given], atol=1e-4),
            f"{shown} You keep k encoders; k are to be left out.",
        ),
        otherwise=f"{shown} Try each choice of k encoders to leave out (`itertools.combinations`).",
    )


def _left(x: Sequence[float], y: Sequence[float], k: int) -> list[float]:
    """Pearson's correlation without each choice of k of the pairs."""
    kept = [list(one) for one in combinations(range(len(x)), len(x) - k)]
    return [pearson(np.array(x)[one], np.array(y)[one]) for one in kept]
