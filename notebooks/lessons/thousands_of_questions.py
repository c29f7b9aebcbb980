"""Tools of lesson 9: intervals and paired tests over the recorded run, and small samples of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from xorqa.metrics.report import Score
from xorqa.metrics.resampling import holm
from xorqa.metrics.significance import Comparison, compare

from .intervals import Numbers, difference, mean_interval
from .is_it_better import comparison_table, interval_chart
from .thousands_of_questions_data import TRANSLATED, Array, load, texts
from .thousands_of_questions_exercises import check_1, check_2, check_3, check_4, check_5, sentences

__all__ = [
    "LATIN",
    "TRANSLATED",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "compared",
    "comparison_table",
    "difference",
    "first",
    "interval_chart",
    "load",
    "mean_interval",
    "percent",
    "samples",
    "sentences",
    "texts",
]

LATIN = ("de", "es", "ro", "tr", "vi")
"""The languages besides English that are written in Latin letters."""


def percent(values: Numbers) -> str:
    """A mean in percent with its 95 % interval."""
    low, high = mean_interval(values)
    return f"{100 * np.mean(values):.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def first(system: str, lang: str, depth: int = 1) -> Array:
    """Whether each gold passage is among the first `depth` hits."""
    within: Array = load().ranks(system, lang) <= depth
    return within


def compared(baseline: Array, others: Mapping[str, Array]) -> list[Comparison]:
    """Paired tests of others against a baseline, corrected for their number.

    All are values from 0 to 1 of the same questions in the same order.
    """
    runs = {
        name: [Score(str(at), "all", {"f1": float(value)}) for at, value in enumerate(values)]
        for name, values in {"": baseline, **others}.items()
    }
    return compare(runs.pop(""), runs)


def corrected(pairs: Mapping[str, tuple[Array, Array]]) -> dict[str, float]:
    """The p of each pair's own test (as in `compared`), corrected for their number (Holm)."""
    tests = [compared(before, {name: after}) for name, (before, after) in pairs.items()]
    ps = holm(np.array([test.p_randomisation for [test] in tests]))
    return dict(zip(pairs, map(float, ps), strict=True))


def samples(gains: Array, n: int, count: int = 2000) -> Array:
    """Samples of `n` questions each, a row per sample, drawn from the gains of all."""
    drawn: Array = gains[np.random.default_rng(n).integers(len(gains), size=(count, n))]
    return drawn
