"""Backretrieval (BkR) and cross-lingual retrieval (XLR); `distances` has CORR.

Fain et al. 2021, section 2 (BkR) and section 3.1 (XLR). Ties count against the system: the
rank of an item is the number of items that are at least as similar, itself included. Similarities
that differ by at most `TIE` are equal, so that rounding decides nothing. Blocks of rows bound the
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...models.towers import units

Floats = NDArray[np.float32]
Ranks = NDArray[np.int64]

Similarity = Callable[[slice, slice], Floats]
"""Similarities of a slice of rows with a slice of columns, higher is more similar."""

TIE = 1e-6
ALL = slice(None)
_BLOCK = 512  # rows whose similarities with all columns are in memory


def cosine(rows: Floats, columns: Floats) -> Similarity:
    """Cosine similarity of vectors (n, dimensions); that of a zero vector is 0."""
    left, right = units(rows), units(columns)

    def similarity(of_rows: slice, of_columns: slice) -> Floats:
        product: Floats = left[of_rows] @ right[of_columns].T
        return product

    return similarity


def csls(rows: Floats, columns: Floats, *, neighbours: int = 10) -> Similarity:
    """Twice the cosine, less both vectors' mean cosine with their nearest on the other side.

    Conneau et al. 2018, "Word Translation Without Parallel Data": it demotes hubs, vectors that are
    near to many others.
    """
    plain, reverse = cosine(rows, columns), cosine(columns, rows)
    of_rows, of_columns = (
        np.concatenate(
            [_mean_of_nearest(cosines(block, ALL), neighbours) for block in blocks(size)]
        )
        for cosines, size in ((plain, len(rows)), (reverse, len(columns)))
    )

    def similarity(at_rows: slice, at_columns: slice) -> Floats:
        means = of_rows[at_rows][:, None] + of_columns[at_columns]
        scores: Floats = 2 * plain(at_rows, at_columns) - means
        return scores

    return similarity


def _mean_of_nearest(scores: Floats, neighbours: int) -> Floats:
    nearest = min(neighbours, scores.shape[1])
    means: Floats = np.partition(scores, -nearest, axis=1)[:, -nearest:].mean(axis=1)
    return means


def recall(ranks: Ranks, k: int) -> float:
    """The share of ranks, counted from 1, that are at most k."""
    return float((ranks <= k).mean())


def cross_lingual_ranks(texts: Similarity, n: int) -> Ranks:
    """The rank of target text i among the n target texts for source text i, its translation.

    Args:
        texts: similarity of source texts (rows) and target texts (columns).
    """
    ranks = np.empty(n, np.int64)
    for block in blocks(n):
        scores = texts(block, ALL)
        own = scores[np.arange(len(scores)), np.arange(block.start, block.stop)]
        ranks[block] = (scores >= own[:, None] - TIE).sum(1)
    return ranks


def back_ranks(texts: Similarity, images: Similarity, n: int) -> Ranks:
    """The rank of each source text's own image when the path goes through the target language.

    The four steps: a source text, the target text nearest to it, that text's image, and the source
    images ranked by their similarity to it. If several target texts are nearest, the rank is the
    worst that one of them gives.

    Args:
        texts: similarity of source texts (rows) and target texts (columns).
        images: similarity of target images (rows) and source images (columns).
        n: the number of texts on each side.
    """
    best = np.concatenate([texts(block, ALL).max(1) for block in blocks(n)])
    ranks = np.zeros(n, np.int64)
    for block in blocks(n):
        is_nearest = texts(ALL, block) >= best[:, None] - TIE
        used = np.flatnonzero(is_nearest.any(0))
        if not len(used):
            continue
        scores = images(block, ALL)[used]
        ordered = np.sort(scores, axis=1)
        for row, target in enumerate(used):
            queries = np.flatnonzero(is_nearest[:, target])
            rank = n - np.searchsorted(ordered[row], scores[row, queries] - np.float32(TIE))
            ranks[queries] = np.maximum(ranks[queries], rank)
    return ranks


def blocks(n: int) -> Iterator[slice]:
    """Slices of consecutive rows, small enough for their similarities with all columns."""
    return (slice(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK))
