"""Nearest neighbours by cosine, and the margin that compares a pair with its neighbours.

Artetxe and Schwenk 2019, "Margin-based Parallel Corpus Mining": with a the cosine of
a pair and b the mean of both sides' mean cosines to their k nearest neighbours, the margin is a
("absolute"), a - b ("distance") or a / b ("ratio").
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...core.progress import Progress, silent

Margin = Literal["absolute", "distance", "ratio"]
MARGINS: tuple[Margin, ...] = get_args(Margin)
K = 4
"""The number of neighbours in the paper and in LASER."""

BLOCK = 2048  # rows that are searched with at once
SPARE = 4  # neighbours beyond k, ranked again with 64 bits

Vectors = NDArray[np.floating[Any]]
"""Vectors (texts, dimensions) of any length; a cosine with a zero vector is 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The nearest rows of the other side, best first, equal cosines by row number.

    `rows` and `cosines` have the shape (texts, k), or fewer columns if the other side is smaller.
    """

    rows: NDArray[np.int64]
    cosines: NDArray[np.float64]

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean cosine of each text with its neighbours."""
        means: NDArray[np.float64] = self.cosines.mean(axis=1)
        return means


def nearest(x: Vectors, y: Vectors, *, k: int = K, progress: Progress = silent) -> Neighbours:
    """The k nearest rows of `y` for each row of `x`, by exhaustive search in blocks.

    FAISS searches with 32 bits; the cosines of the nearest are computed again with 64 bits. Beside
    unit copies of `x` and `y`, memory does not depend on the number of rows.
    """
    import faiss

    k = min(k, len(y))
    unit_x, unit_y = _unit(x), _unit(y)
    rows = np.empty((len(x), k), np.int64)
    cosines = np.empty((len(x), k))
    for start in range(0, len(x), BLOCK):
        block = slice(start, start + BLOCK)
        _, candidates = faiss.knn(
            unit_x[block], unit_y, min(k + SPARE, len(y)), metric=faiss.METRIC_INNER_PRODUCT
        )
        exact = cosine(x[block, None], y[candidates])
        order = np.lexsort((candidates, -exact))[:, :k]
        rows[block] = np.take_along_axis(candidates, order, axis=1)
        cosines[block] = np.take_along_axis(exact, order, axis=1)
        progress(min(start + BLOCK, len(x)), len(x))
    return Neighbours(rows, cosines)


def cosine(x: Vectors, y: Vectors) -> NDArray[np.float64]:
    """Cosines along the last axis, with 64 bits; 0 for a zero vector."""
    a, b = x.astype(np.float64), y.astype(np.float64)
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    dots = (a * b).sum(axis=-1)
    return _divide(dots, lengths)


def margin_scores(
    neighbours: Neighbours, other: Neighbours, margin: Margin = "ratio"
) -> NDArray[np.float64]:
    """The margin (texts, k) of each text with each of its neighbours; `other` is theirs.

    A ratio whose denominator is 0 counts as 0.
    """
    if margin == "absolute":
        return neighbours.cosines
    b = (neighbours.means[:, None] + other.means[neighbours.rows]) / 2
    return neighbours.cosines - b if margin == "distance" else _divide(neighbours.cosines, b)


def best_by_margin(
    neighbours: Neighbours, other: Neighbours, margin: Margin = "ratio"
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each text, the neighbour with the highest margin (the nearest of equals), and it."""
    scores = margin_scores(neighbours, other, margin)
    best = scores.argmax(axis=1)[:, None]
    return (
        np.take_along_axis(neighbours.rows, best, axis=1)[:, 0],
        np.take_along_axis(scores, best, axis=1)[:, 0],
    )


def _unit(vectors: Vectors) -> NDArray[np.float32]:
    """The vectors with length 1; without a copy if they have it already."""
    single: NDArray[np.float32] = np.ascontiguousarray(vectors, dtype=np.float32)
    lengths = np.empty((len(single), 1), np.float32)
    for start in range(0, len(single), BLOCK):  # whole, it would copy all vectors
        block = slice(start, start + BLOCK)
        lengths[block] = np.linalg.norm(single[block], axis=1, keepdims=True)
    if np.allclose(lengths, 1, rtol=0, atol=1e-6):
        return single
    return (single / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _divide(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """a / b, and 0 where b is 0."""
    quotient: NDArray[np.float64] = np.divide(a, b, out=np.zeros_like(a), where=b != 0)
    return quotient
