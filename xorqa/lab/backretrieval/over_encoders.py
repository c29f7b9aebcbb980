"""How far a correlation over encoders depends on which encoders are compared: a bootstrap of them.

The errors over seeds are those of the samples of texts; the encoders, often few and related, are a
sample too. In each resample encoders are drawn with replacement (Efron 1979).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

FEWEST = 5
"""Encoders; fewer have too few different resamples."""
RESAMPLES = 2_000
_DISTINCT = 3  # encoders in a resample: two points always lie on a line
_TIE = 1e-6  # as in `distances`
_NONE = 1e-12


def resampled_correlations(values: Doubles, xlr: Doubles) -> dict[str, Doubles]:
    """By kind of correlation, its mean over seeds in each resample of the encoders.

    The resamples depend only on the number of encoders, so those of two measures are paired.

    Args:
        values: of a measure, (seeds, encoders).
        xlr: those of XLR.

    Returns:
        Arrays (resamples,); empty with fewer than `FEWEST` encoders.
    """
    encoders = values.shape[1]
    if encoders < FEWEST:
        return {}
    drawn = np.random.default_rng([1, *b"encoders"]).integers(encoders, size=(RESAMPLES, encoders))
    counts = (drawn[:, :, None] == np.arange(encoders)).sum(axis=1)
    counts = counts[(counts > 0).sum(axis=1) >= _DISTINCT]
    plain = _correlations(values[:, None], xlr[:, None], counts)
    ranked = _correlations(_ranks(values, counts), _ranks(xlr, counts), counts)
    return {"pearson": plain.mean(axis=0), "spearman": ranked.mean(axis=0)}


def interval(resampled: Doubles) -> tuple[float, float]:
    """The 95 % percentile interval."""
    low, high = np.quantile(resampled, (0.025, 0.975)).tolist()
    return low, high


def _correlations(first: Doubles, second: Doubles, counts: NDArray[np.int64]) -> Doubles:
    """Correlations (seeds, resamples) of encoders that a resample has `counts` times.

    Args:
        first, second: (seeds, resamples or 1, encoders).
    """
    weights = counts / counts.shape[1]
    a, b = (side - (weights * side).sum(axis=-1, keepdims=True) for side in (first, second))
    both = (weights * a * b).sum(axis=-1)
    norm = np.sqrt((weights * a * a).sum(axis=-1) * (weights * b * b).sum(axis=-1))
    correlations: Doubles = np.divide(both, norm, out=np.zeros_like(both), where=norm > _NONE)
    return correlations


def _ranks(values: Doubles, counts: NDArray[np.int64]) -> Doubles:
    """Mean ranks (seeds, resamples, encoders) in each resample, less a constant."""
    differences = values[:, :, None] - values[:, None]
    below = (differences > _TIE / 2) + 0.5 * (np.abs(differences) <= _TIE / 2)
    ranks: Doubles = np.einsum("re,sfe->srf", counts, below, optimize=True)
    return ranks
