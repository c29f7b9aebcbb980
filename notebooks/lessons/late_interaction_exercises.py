"""Checks of lesson 12: MaxSim, a table by hand, padding, and passages for two scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .grading import Verdict, graded, right, wrong
from .hints import hint

TABLE = np.array([[0.9, 0.1, 0.2, 0.0], [0.3, 0.8, 0.1, 0.0], [0.2, 0.1, 0.3, 0.1]])
"""Exercise 2: inner products of three question tokens and four passage tokens."""
ROUNDED = 0.006  # answers may be rounded to two decimals


@graded
def check_1(maxsim: Callable[[Any, Any], float]) -> Verdict:
    """MaxSim of two texts, on random token vectors."""
    stream = np.random.default_rng(12)
    for rows, columns in ((3, 5), (5, 2), (1, 4)):
        question, passage = stream.normal(size=(rows, 4)), stream.normal(size=(columns, 4))
        cells = question @ passage.T
        value = np.asarray(maxsim(question.copy(), passage.copy()), float)
        if value.shape != ():
            return wrong(f"The score is one number; yours has shape {value.shape}.")
        if not _near(value, cells.max(axis=1).sum()):
            return hint(
                (
                    _near(value, cells.max(axis=0).sum()),
                    "You sum over the passage's tokens. Which text's tokens each look for a "
                    "partner?",
                ),
                (
                    _near(value, cells.max()),
                    "This is the single best pair. Each token of the question has its own.",
                ),
                (
                    _near(value, cells.max(axis=1).mean()),
                    "This is the mean of the maxima; MaxSim is their sum.",
                ),
                (
                    _near(value, cells.sum()),
                    "You add all pairs up, so every token counts. Where is the maximum?",
                ),
                otherwise="Take the table `question @ passage.T`: a maximum per row, then the sum.",
            )
    return right(
        "A token of the passage that is nobody's best partner costs nothing, so a long passage "
        "is not punished for its other sentences. If anything it is favoured: each further token "
        "is a further chance for a high value."
    )


@graded
def check_2(answer: Mapping[str, float]) -> Verdict:
    """Three scores of the table."""
    names = ("MaxSim", "from the passage", "mean vectors")
    maxsim, reverse, mean = (float(answer[name]) for name in names)
    by_row, by_column = TABLE.max(axis=1), TABLE.max(axis=0)
    expected = by_row.sum(), by_column.sum(), TABLE.mean()
    if all(_rounded(*pair) for pair in zip((maxsim, reverse, mean), expected, strict=True)):
        return right(
            "MaxSim is not symmetric, and the comparison of two mean vectors is the mean of all "
            "cells: one good cell among twelve hardly moves it."
        )
    return hint(
        (
            _rounded(maxsim, expected[1]) and _rounded(reverse, expected[0]),
            "Rows are the question's tokens: you have the two directions swapped.",
        ),
        (
            _rounded(maxsim, by_row.mean()),
            "For MaxSim, add the maxima up; do not average them.",
        ),
        (
            not _rounded(maxsim, expected[0]),
            "MaxSim: the highest value of each of the three rows, added up.",
        ),
        (
            not _rounded(reverse, expected[1]),
            "From the passage: the highest value of each of the four columns, added up.",
        ),
        (
            _rounded(mean, TABLE.sum()),
            "The inner product of two means is a mean of the cells, not their sum.",
        ),
        (
            _rounded(mean, by_row.mean()),
            "One vector per text sees no maxima: every cell counts.",
        ),
        otherwise="(a + b)/2 times (c + d)/2 is (ac + ad + bc + bd)/4. What is it for three rows "
        "and four columns?",
    )


@graded
def check_3(masked_maxsim: Callable[[Any, Any, Any], float]) -> Verdict:
    """MaxSim with a padded passage, whose real tokens may all be unlike a question's token."""
    question = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    passage = np.array([[0.6, -0.8], [0.8, -0.6], [0.0, 0.0], [0.0, 0.0]])
    real = np.array([True, True, False, False])
    full = np.array([True, True, True, True])
    cells = question @ passage.T
    value = float(masked_maxsim(question.copy(), passage.copy(), real.copy()))
    expected = cells[:, real].max(axis=1).sum()
    if not math.isclose(value, expected, abs_tol=1e-6):
        if math.isclose(value, cells.max(axis=1).sum(), abs_tol=1e-6):
            return wrong(
                f"You get {value:.1f}, not {expected:.1f}: two tokens of the question are unlike "
                "every real token, so a vector of zeros is their best partner. Multiplying by "
                "`real` does not help, since it makes zeros, too."
            )
        if math.isclose(value, np.maximum(cells[:, real].max(axis=1), 0).sum(), abs_tol=1e-6):
            return wrong("You cut scores off at 0. An unlike passage should lose points.")
        if np.isneginf(value):
            return wrong("-inf at every token? Only padding gets it, along the passage's axis.")
        return wrong(f"For a question of 3 tokens and 2 real ones it is {expected:.1f}.")
    whole = float(masked_maxsim(question.copy(), passage.copy(), full))
    if not math.isclose(whole, cells.max(axis=1).sum(), abs_tol=1e-6):
        return wrong("Without padding every token counts. Use `real`, not the vectors' values.")
    return right(
        "Padding needs -inf, or to be left out, before the maximum. After centring many inner "
        "products are negative; the maximum of a row rarely is. See what the mistake changes here."
    )


@graded
def check_4(answer: Mapping[str, Sequence[Sequence[float]]]) -> Verdict:
    """Two passages between which MaxSim and the mean vectors disagree."""
    names = ("MaxSim prefers", "means prefer")
    passages = [np.asarray(answer[name], float) for name in names]
    for name, tokens in zip(names, passages, strict=True):
        if tokens.ndim != 2 or tokens.shape[1] != 2:
            return wrong(f"{name}: a list of tokens [x, y], not an array of shape {tokens.shape}.")
        if not np.allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-2):
            return wrong(f"{name}: each token has length 1, such as [0.6, 0.8].")
    question = np.eye(2)
    sums = [(question @ tokens.T).max(axis=1).sum() for tokens in passages]
    means = [question.mean(axis=0) @ tokens.mean(axis=0) for tokens in passages]
    shown = f"MaxSim {sums[0]:.2f} and {sums[1]:.2f}, means {means[0]:.2f} and {means[1]:.2f}"
    first, second = sums[0] - sums[1], means[1] - means[0]
    if first > ROUNDED and second > ROUNDED:
        cells = question @ passages[0].T
        if (cells < cells.max(axis=1, keepdims=True)).all(axis=0).any():
            return right(
                f"{shown}. MaxSim ignores the tokens that nobody looks for; in the mean they thin "
                "the others out."
            )
        return right(
            f"{shown}. MaxSim takes each token's best partner by itself; tokens that differ "
            "average to a short vector. Tokens that nobody looks for would shorten it more."
        )
    return hint(
        (first < -ROUNDED and second < -ROUNDED, f"{shown}: the other way round."),
        (
            abs(first) <= ROUNDED and abs(second) <= ROUNDED,
            f"{shown}: neither score sees a difference.",
        ),
        (
            first > ROUNDED,
            f"{shown}: MaxSim is right. Give the first passage more tokens, unlike the question's: "
            "which of the two scores falls?",
        ),
        (
            second > ROUNDED,
            f"{shown}: the means are right. Give each token of the question an exact partner in "
            "the first passage.",
        ),
        otherwise=f"{shown}: start with exact partners for both tokens in the first passage, and "
        "with tokens between the two in the second.",
    )


def _near(value: Any, expected: float) -> bool:
    return math.isclose(float(value), float(expected), abs_tol=1e-6)


def _rounded(value: float, expected: float) -> bool:
    return abs(value - float(expected)) < ROUNDED
