"""Corrections of p-values for multiple tests, by name."""

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Correction = Literal["holm", "bonferroni", "bh", "none"]


def holm(ps: Floats) -> Floats:
    """Control the family-wise error rate under any dependence (Holm 1979)."""
    order = np.argsort(ps)
    steps = np.maximum.accumulate(ps[order] * np.arange(len(ps), 0, -1))
    return np.minimum(steps, 1)[np.argsort(order)]


def bonferroni(ps: Floats) -> Floats:
    """Control the family-wise error rate: multiply p by the number of tests; weaker than `holm`."""
    return np.minimum(ps * len(ps), 1)


def benjamini_hochberg(ps: Floats) -> Floats:
    """Control the false discovery rate (Benjamini & Hochberg 1995).

    For tests that are independent or positively dependent.
    """
    order = np.argsort(-ps)
    steps = np.minimum.accumulate(ps[order] * len(ps) / np.arange(len(ps), 0, -1))
    return steps[np.argsort(order)]


CORRECTIONS: dict[Correction, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "bh": benjamini_hochberg,
    "none": np.copy,
}
