"""Confidence intervals of a mean, a share and a difference between systems; the sign test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

SAMPLES = 10_000
_AT_A_TIME = 100
_MIDDLE = (0.025, 0.975)  # of the samples: 95 %

Numbers = Sequence[float] | npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference of percentages, its 95 % interval, and the independent questions."""

    mean: float
    low: float
    high: float
    n: int

    @property
    def excludes_zero(self) -> bool:
        """Whether chance is an unlikely explanation."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        return f"{self.mean:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"


def mean_interval(values: Numbers) -> tuple[float, float]:
    """The 95 % interval of a mean, by the bootstrap over questions; lesson 7b explains it.

    `values` are one per question: scores, or differences of the scores of two systems.
    """
    drawn, stream = np.asarray(values, dtype=float), np.random.default_rng(1)
    n = len(drawn)
    means = [
        drawn[stream.integers(n, size=(_AT_A_TIME, n))].mean(axis=1)
        for _ in range(SAMPLES // _AT_A_TIME)
    ]
    return middle(np.concatenate(means))


def difference(
    before: Numbers, after: Numbers, *, groups: Sequence[Any] | None = None
) -> Difference:
    """The mean of `after` minus `before` in percent, with the interval of a paired bootstrap.

    `groups` names what was asked in each row. Rows with the same name, such as translations of one
    question, are drawn together, since they are not independent.
    """
    gains = 100 * (np.asarray(after, float) - np.asarray(before, float))
    if groups is not None:
        _, rows = np.unique(np.asarray(groups), return_inverse=True)
        gains = np.bincount(rows, gains) / np.bincount(rows)
    return Difference(float(gains.mean()), *mean_interval(gains), len(gains))


def middle(samples: Numbers) -> tuple[float, float]:
    """The bounds between which 95 % of the samples lie."""
    low, high = np.quantile(samples, _MIDDLE)
    return float(low), float(high)


def exact_interval(right: int, n: int) -> tuple[float, float]:
    """The exact 95 % interval of a share, in percent, given the right ones of n questions.

    Its ends are the shares with which so many right ones, or more, and so many, or fewer, have a
    probability of 2.5 % (Clopper and Pearson 1934).
    """
    low = 1 - _highest(n - right, n)
    return 100 * low, 100 * _highest(right, n)


def sign_test(wins: int, losses: int) -> float:
    """The exact two-sided p of so many wins and losses, if both are equally likely."""
    return min(1.0, 2 * _at_most(min(wins, losses), wins + losses, 0.5))


def head_to_head(ours: Numbers, others: Numbers) -> tuple[int, int, str, str]:
    """Two systems' right answers (1 or 0): wins, losses, points with their interval, exact p."""
    gains = np.asarray(ours, float) - np.asarray(others, float)
    wins, losses = int((gains > 0).sum()), int((gains < 0).sum())
    return wins, losses, str(difference(others, ours)), f"{sign_test(wins, losses):.2g}"


def _highest(right: int, n: int) -> float:
    """The share at which at most `right` of n right answers have a probability of 2.5 %."""
    if right == n:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        share = (low + high) / 2
        low, high = (share, high) if _at_most(right, n, share) > _MIDDLE[0] else (low, share)
    return low


def _at_most(right: int, n: int, share: float) -> float:
    """The probability of at most `right` right answers of n, each right with `share`."""
    return sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(right + 1))
