"""Intervals that stand beside a figure: of a mean or a difference, and of a share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def mean_interval(
    values: Sequence[float] | npt.NDArray[np.float64], *, samples: int = 10_000
) -> tuple[float, float]:
    """The 95 % interval of a mean, by the bootstrap over questions; lesson 7b explains it.

    `values` are one per question: scores, or differences of the scores of two systems.
    """
    drawn = np.asarray(values, dtype=float)
    at = np.random.default_rng(1).integers(len(drawn), size=(samples, len(drawn)))
    low, high = np.quantile(drawn[at].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)
