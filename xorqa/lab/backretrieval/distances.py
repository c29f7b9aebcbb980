"""CORR: do texts that are far apart have images that are far apart?

The baseline of Fain et al. 2021, section 3.1: Spearman's correlation between the cosine distances
of source and target texts and those of their images. Similarities have the same ranks as distances,
reversed on both sides, so they are correlated instead.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .measures import ALL, Similarity, blocks

EXACT = 2000  # texts on each side up to which all pairs are ranked
PAIRS = 1_000_000  # sampled beyond
_BATCHES = 20  # of sampled pairs, whose spread gives the error
_DIGITS = 6  # of a similarity; the rest is rounding
_FEW_LEVELS = 10  # per value

Doubles = NDArray[np.float64]
Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Source and target texts, by index."""


class DistanceCorrelation:
    """CORR of any number of encoders on one sample; the images are ranked once.

    Args:
        images: similarity of target images (rows) and source images (columns).
        n: the number of texts on each side.
        stream: draws the pairs, if there are more than `exact` texts.
    """

    def __init__(
        self,
        images: Similarity,
        n: int,
        stream: np.random.Generator,
        *,
        exact: int = EXACT,
        pairs: int = PAIRS,
    ) -> None:
        self._n = n
        self._pairs = None if n <= exact else _draw(n, pairs, stream)
        if self._pairs is None:
            scores = images(ALL, ALL).T.ravel()
        else:
            scores = _picked(images, self._pairs[1], self._pairs[0], n)
        self._images = [_ranks(part) for part in self._parts(scores)]

    def __call__(self, texts: Similarity) -> tuple[float, float]:
        """CORR, and its standard error from sampling pairs, which is 0 if all are ranked.

        Args:
            texts: similarity of source texts (rows) and target texts (columns).
        """
        if self._pairs is None:
            scores = texts(ALL, ALL).ravel()
        else:
            scores = _picked(texts, *self._pairs, self._n)
        parts = [
            _pearson(_ranks(part), images)
            for part, images in zip(self._parts(scores), self._images, strict=True)
        ]
        error = float(np.std(parts, ddof=1) / len(parts) ** 0.5) if len(parts) > 1 else 0.0
        return float(np.mean(parts)), error

    def _parts(self, scores: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        return [scores] if self._pairs is None else np.array_split(scores, _BATCHES)


def pearson(first: Doubles, second: Doubles) -> float:
    """Pearson's correlation; 0 if one side is constant."""
    return _pearson(np.asarray(first, np.float64), np.asarray(second, np.float64))


def spearman(first: Doubles, second: Doubles) -> float:
    """Spearman's correlation, tied values with their mean rank; 0 if one side is constant."""
    return _pearson(_ranks(first), _ranks(second))


def _pearson(first: Doubles, second: Doubles) -> float:
    a, b = first - first.mean(), second - second.mean()
    norm = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / norm if norm > 1e-12 else 0.0


def _ranks(values: NDArray[np.floating]) -> Doubles:
    """Ranks from 1, tied values with their mean rank; differences below 10^-6 are ties.

    Many cosines have few values of that precision, and counting them is faster than sorting.
    """
    levels = np.rint(np.asarray(values, np.float64) * 10**_DIGITS).astype(np.int64)
    levels -= levels.min()
    if levels.max() > _FEW_LEVELS * len(levels):
        levels = np.unique(levels, return_inverse=True)[1]
    counts = np.bincount(levels)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(ranks[levels], np.float64)


def _draw(n: int, count: int, stream: np.random.Generator) -> Pairs:
    source, target = stream.integers(n, size=(2, count))
    return source, target


def _picked(
    similarity: Similarity, rows: NDArray[np.int64], columns: NDArray[np.int64], n: int
) -> NDArray[np.float32]:
    """The similarities of pairs of a row and a column, computed in blocks of rows."""
    picked = np.empty(len(rows), np.float32)
    order = np.argsort(rows, kind="stable")
    for block in blocks(n):
        start, stop = np.searchsorted(rows[order], (block.start, block.stop))
        selected = order[start:stop]
        picked[selected] = similarity(block, ALL)[rows[selected] - block.start, columns[selected]]
    return picked
