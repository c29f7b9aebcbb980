"""P-values from resampled mean differences of paired scores, and corrections for multiple tests.

The macro average is a mean over languages, so resampling is stratified by language. Each
language has its own random streams, seeded by the seed and its name, so its results do not
depend on the other languages.
"""

from collections.abc import Callable, Mapping
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

Draw = Callable[[np.random.Generator, int, int], npt.NDArray[np.number]]

_CHUNK = 2_000_000  # question weights in memory at a time; 16 MB
ROUNDING = 1e-9  # sums of the same percentages in another order differ by less


def bootstrap(differences: Mapping[str, Floats], *, samples: int, seed: int) -> dict[str, Floats]:
    """Mean differences over questions sampled with replacement (Koehn 2004).

    Args:
        differences: an array of shape (questions, measures) per language, in percent.

    Returns:
        An array of shape (samples, measures) per language, in percent.
    """
    return _resample("bootstrap", _counts, differences, samples, seed)


def randomise(differences: Mapping[str, Floats], *, samples: int, seed: int) -> dict[str, Floats]:
    """Mean differences after swapping the two scores of each question at random.

    Approximate randomisation (Noreen 1989; Riezler & Maxwell 2005).
    Arguments and result as for `bootstrap`.
    """
    return _resample("randomise", _signs, differences, samples, seed)


def p_bootstrap(means: Floats) -> float:
    """Two-sided p: twice the share of `bootstrap` samples on the less frequent side of 0.

    It is below 0.05 when the 95 % percentile interval excludes 0, and vice versa. The observed
    scores count as one more sample.
    """
    rarer = min((means <= ROUNDING).sum(), (means >= -ROUNDING).sum())
    return float(min(1, 2 * (1 + rarer) / (1 + len(means))))


def p_randomisation(means: Floats, observed: float) -> float:
    """Two-sided p: the share of `randomise` samples as far from 0 as the observed difference.

    The observed scores count as one more sample.
    """
    as_far = (np.abs(means) >= abs(observed) - ROUNDING).sum()
    return float((1 + as_far) / (1 + len(means)))


def _resample(
    name: str, draw: Draw, differences: Mapping[str, Floats], samples: int, seed: int
) -> dict[str, Floats]:
    means = {}
    for lang, rows in differences.items():
        stream = np.random.default_rng([seed, *f"{name} {lang}".encode()])
        sums = [draw(stream, size, len(rows)) @ rows for size in sizes(len(rows), samples)]
        means[lang] = np.concatenate(sums) / len(rows)
    return means


def sizes(rows: int, samples: int) -> list[int]:
    """How many samples to draw at a time, so that their weights fit `_CHUNK`."""
    step = max(1, _CHUNK // max(1, rows))
    return [min(step, samples - start) for start in range(0, samples, step)]


def _counts(stream: np.random.Generator, samples: int, n: int) -> npt.NDArray[np.number]:
    """How often each of n questions is drawn in n draws with replacement: (samples, n)."""
    drawn = stream.integers(n, size=(samples, n)) + n * np.arange(samples)[:, None]
    return np.bincount(drawn.ravel(), minlength=samples * n).reshape(samples, n)


def _signs(stream: np.random.Generator, samples: int, n: int) -> npt.NDArray[np.number]:
    """-1 where the two scores of a question are swapped, else 1: (samples, n)."""
    return stream.choice((-1.0, 1.0), size=(samples, n))
