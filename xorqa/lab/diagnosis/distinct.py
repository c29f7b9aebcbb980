"""Resampled mean differences of one group of questions, from its distinct rows."""

import numpy as np
import numpy.typing as npt

from ...metrics.resampling import ROUNDING, Floats, sizes

Counts = npt.NDArray[np.int64]


def bootstrap_distinct(
    rows: Floats, counts: Counts, *, samples: int, stream: np.random.Generator
) -> Floats:
    """As `metrics.resampling.bootstrap`, for one group with its distinct rows and their counts.

    The number of draws of each row is multinomial, so that the cost depends on the distinct rows
    only: F1 and exact match have a few hundred, however many questions there are.

    Returns:
        An array of shape (samples, measures).
    """
    n = int(counts.sum())
    sums = [
        stream.multinomial(n, counts / n, size=size) @ rows for size in sizes(len(rows), samples)
    ]
    return np.concatenate(sums) / n


def randomise_distinct(
    rows: Floats, counts: Counts, *, samples: int, stream: np.random.Generator
) -> Floats:
    """As `randomise`, for one group; arguments and result as for `bootstrap_distinct`."""
    n = int(counts.sum())
    differ = np.any(np.abs(rows) > ROUNDING, axis=1)
    rows, counts = rows[differ], counts[differ]
    sums = []
    for size in sizes(len(rows), samples):
        positive = stream.binomial(counts, 0.5, size=(size, len(rows)))
        sums.append((2 * positive - counts) @ rows)
    return np.concatenate(sums) / n
