"""The checks of lesson 5's exercises."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.common.transforms import fit_transform

from . import language_bias_results as results
from .grading import Verdict, graded, right, wrong
from .language_bias_results import Floats

Texts = NDArray[np.str_]


@graded
def check_1(average_precision: Callable[[Sequence[int]], float]) -> Verdict:
    """Average precision from how many wrong sentences are ahead of each right one."""
    for ahead, hint in (
        ([0, 0, 0], "With no wrong sentence ahead of any it is 1, whatever the order."),
        ([3], "The only right sentence, with three wrong ones ahead, has rank 4."),
        ([1, 1], "Two right sentences with the same wrong one ahead have the ranks 2 and 3."),
        ([0, 2, 2, 5], "The n-th right sentence at rank r counts n/r."),
        ([5, 0, 2], "Sort first: the right sentences come in any order."),
    ):
        expected, returned = results.mean_precision(ahead), float(average_precision(list(ahead)))
        if abs(returned - expected) > 1e-9:
            return wrong(f"Of {ahead} it is {expected:.3f}, and yours is {returned:.3f}. {hint}")
    return right(
        "The n-th right sentence has the rank n plus the wrong ones ahead of it, so nothing but "
        "these counts is needed; and a right sentence is easily removed."
    )


@graded
def check_2(own_share: Callable[[Floats, Texts, str, int], float]) -> Verdict:
    """The share of the own language among the nearest sentences, on scores that are made up."""
    scores = np.array([0.1, 0.3, 0.9, 0.5, 0.8, 0.7, 0.2, 0.6])
    spoken = np.array(["fi", "fi", "fi", "ko", "ko", "ko", "ko", "ko"])
    for lang, count in (("fi", 4), ("ko", 4), ("fi", 1), ("fi", 8)):
        near = np.argsort(-scores)[:count]
        expected = float(np.mean(spoken[near] == lang))
        given = float(own_share(scores.copy(), spoken.copy(), lang, count))
        if abs(given - expected) < 1e-9:
            continue
        called = f"Of the nearest {count} of 8, {expected:.2f} are in {lang}; yours is {given:.2f}."
        mistakes = {
            float(np.mean(spoken[np.argsort(scores)[:count]] == lang)): "The highest are nearest.",
            float(np.mean(spoken[:count] == lang)): "The sentences are not sorted yet.",
            100 * expected: "Give a share, not a percentage.",
            float(expected * count): "Divide by how many are counted.",
            expected * count / float(np.sum(spoken == lang)): "Divide by the nearest, not by all "
            "sentences of the language.",
        }
        hints = [hint for mistake, hint in mistakes.items() if abs(given - mistake) < 1e-9]
        return wrong(" ".join([called, *hints[:1]]))
    words, encoder = (
        results.languages_of_nearest(name, 8).diagonal().mean()
        for name in (results.WORDS, results.RAW)
    )
    return right(
        "It shows a preference without looking at what is right. BM25 is the extreme case: of "
        "another language it matches numbers, and names in the same script. Of its eight nearest "
        f"{words:.0f} % are in the question's language, with the encoder as it comes "
        f"{encoder:.0f} %."
    )


@graded
def check_3(centre: Callable[[Floats], Floats]) -> Verdict:
    """Centring by hand, on vectors that the lesson does not show."""
    rows = np.random.default_rng(5).normal(loc=[3, 0, 0, 1], size=(6, 4))
    before = rows.copy()
    returned = np.asarray(centre(rows), float)
    if not np.array_equal(rows, before):
        return wrong("Your function changes the vectors that it is given. Make new ones.")
    if returned.shape != rows.shape:
        return wrong(f"{rows.shape} vectors become {returned.shape}; the shape stays.")
    if not np.allclose(returned, _library(rows), atol=1e-5):
        hints = [hint for mistake, hint in _mistakes(rows) if np.allclose(returned, mistake)]
        return wrong(*hints or ["Subtract the mean vector, then divide each row by its length."])
    return right(
        "A shift that all vectors of a language share is in their mean, and nothing else is "
        "subtracted: what distinguishes two sentences stays."
    )


@graded
def check_4(relative_difference: Callable[[int, Sequence[int]], float]) -> Verdict:
    """The relative difference of one question, by hand."""
    for own, others in ((0, [23] * 7), (12, [12] * 7), (1, [0, 2, 9]), (6, [0, 0, 3])):
        same, rand = _one_removed(own, others)
        expected, returned = (rand - same) / rand, float(relative_difference(own, list(others)))
        if abs(returned - expected) < 1e-9:
            continue
        hint = "-rand is a mean: remove each of the others once."
        if abs(returned + expected) < 1e-9:
            hint = "It is positive where removing the own sentence costs more."
        elif abs(returned - (rand - same)) < 1e-9:
            hint = "Divide by -rand."
        elif abs(returned - 100 * expected) < 1e-6:
            hint = "Give a share, not a percentage."
        elif abs(returned - (rand - same) / results.mean_precision([own, *others])) < 1e-9:
            hint = "Divide by -rand, not by the mAP before anything is removed."
        elif abs(returned - (rand - same) / same) < 1e-9:
            hint = "Divide by -rand, not by -same."
        return wrong(
            f"Of own = {own}, others = {others} it is {expected:.3f}, yours is {returned:.3f}. "
            f"{hint}"
        )
    return right(
        "It is 0 where the own sentence is no better than the others, above where it is better, "
        "and below where it is worse."
    )


def _mistakes(rows: Floats) -> list[tuple[Floats, str]]:
    """Wrong ways to centre, with a hint for each."""
    return [
        (rows - rows.mean(axis=0), "Scale each vector to length 1 again, as they came."),
        (
            _units(rows - rows.mean(axis=1, keepdims=True)),
            "You subtract the mean of each vector's numbers. Which axis has the mean vector?",
        ),
        (_units(rows - rows.mean()), "The mean is a vector, not one number: which axis?"),
    ]


def _one_removed(own: int, others: Sequence[int]) -> tuple[float, float]:
    """mAP without the own sentence, and its mean without one of the others."""
    removed = [[own, *others[:index], *others[index + 1 :]] for index in range(len(others))]
    return results.mean_precision(others), results.mean_precision(*removed)


def _units(rows: Floats) -> Floats:
    units: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


def _library(rows: Floats) -> Floats:
    """The library's centring of one language's questions."""
    key, vectors = ("fi", "query"), rows.astype(np.float32)
    return fit_transform({key: vectors}, "center").apply(vectors, ["fi"] * len(rows), side="query")
