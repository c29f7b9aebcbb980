"""Whether the BkR of two encoders differs over the directed pairs of languages.

Fain et al. 2021, table 2 calls its differences statistically significant, but names no test. Here:
approximate randomisation (Noreen 1989) of the encoders' values of each pair, corrected for all
comparisons (Holm 1979). Pairs share languages and texts, so the tests are about these languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...metrics.resampling import holm, p_randomisation, randomise
from ...tables.grid import Grid
from .evaluate import Results

_SAMPLES = 10_000
_FEWEST_PAIRS = 2
_CAPTION = (
    "BkR x 1000 of encoder less other, mean over the {pairs} directed pairs; the pairs in which "
    "the encoder is ahead; p by approximate randomisation over the pairs, and corrected for "
    "{tests} tests (Holm)."
)
_HEADER = ("encoder", "other", "difference", "ahead", "p", "p corrected")


@dataclass(frozen=True, slots=True)
class PairTest:
    """The mean `difference` of two encoders' BkR, and in how many pairs the first is `ahead`."""

    encoder: str
    other: str
    difference: float
    ahead: int
    p: float
    p_corrected: float


def pair_tests(results: Mapping[tuple[str, str], Results]) -> list[PairTest]:
    """A test of each two encoders, the one with the higher mean first; none of a single pair."""
    names = list(next(iter(results.values())).values)
    values = {
        name: np.array([result.values[name]["BkR"].mean() for result in results.values()])
        for name in names
    }
    ordered = sorted(names, key=lambda name: -values[name].mean())
    if len(results) < _FEWEST_PAIRS or len(names) < 2:
        return []
    compared = list(combinations(ordered, 2))
    differences = [values[first] - values[second] for first, second in compared]
    null = randomise({"": np.stack(differences, axis=1)}, samples=_SAMPLES, seed=1)[""]
    means = [float(difference.mean()) for difference in differences]
    ps = np.array([p_randomisation(null[:, at], mean) for at, mean in enumerate(means)])
    return [
        PairTest(*pair, mean, int((difference > 0).sum()), float(p), float(corrected))
        for pair, difference, mean, p, corrected in zip(
            compared, differences, means, ps, holm(ps), strict=True
        )
    ]


def tests_to_json(tests: list[PairTest]) -> list[dict[str, Any]]:
    """The tests as JSON; differences are shares from 0 to 1."""
    return [asdict(test) for test in tests]


def difference_grid(tests: list[PairTest], pairs: int) -> Grid:
    """The tests as a table."""
    rows = tuple(
        (
            test.encoder,
            test.other,
            f"{1000 * test.difference:.1f}",
            f"{test.ahead}/{pairs}",
            f"{test.p:.4f}",
            f"{test.p_corrected:.4f}",
        )
        for test in tests
    )
    caption = _CAPTION.format(pairs=pairs, tests=len(tests))
    return Grid("Differences over pairs", _HEADER, (rows,), caption, labels=2, fixed=True)
