"""Differences between systems with their intervals, for the lessons that compare rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAMPLES = 10_000
CONFIDENCE = 0.95


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


def difference(
    before: Sequence[float] | NDArray[Any],
    after: Sequence[float] | NDArray[Any],
    *,
    groups: Sequence[Any] | None = None,
    seed: int = 1,
) -> Difference:
    """The mean of `after` minus `before` in percent, with the interval of a paired bootstrap.

    `groups` names what was asked in each row. Rows with the same name, such as translations of one
    question, are drawn together, since they are not independent.
    """
    gains = 100 * (np.asarray(after, float) - np.asarray(before, float))
    if groups is not None:
        _, rows = np.unique(np.asarray(groups), return_inverse=True)
        gains = np.bincount(rows, gains) / np.bincount(rows)
    stream, n = np.random.default_rng(seed), len(gains)
    means = [gains[stream.integers(n, size=(100, n))].mean(axis=1) for _ in range(SAMPLES // 100)]
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.concatenate(means), (tail, 1 - tail))
    return Difference(float(gains.mean()), float(low), float(high), n)
