"""MaxSim: the score of a query's token vectors against those of passages.

Each token of the query counts with its highest inner product with a token of the passage; the sum
over the query's tokens is the score (Khattab and Zaharia 2020, ColBERT).
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def maxsim(
    queries: Sequence[Floats], rows: Floats, lengths: NDArray[np.int64], *, mean: bool = False
) -> Floats:
    """Scores (queries, passages) of token vectors.

    A query is (tokens, dimensions); `rows` are those of all passages (tokens, dimensions), in
    order, and `lengths` the tokens of each passage. `mean` divides by the number of the query's
    tokens. A passage without tokens scores 0.
    """
    scores = np.zeros((len(queries), len(lengths)), np.float32)
    filled = np.flatnonzero(lengths)
    starts = np.cumsum(lengths)[filled] - lengths[filled]
    for number, query in enumerate(queries if len(filled) else ()):
        best = np.maximum.reduceat(query @ rows.T, starts, axis=1)
        scores[number, filled] = best.mean(axis=0) if mean else best.sum(axis=0)
    return scores


def chunks(lengths: NDArray[np.int64], *, most: int) -> Iterator[slice]:
    """Consecutive positions of texts, as slices of at most `most` tokens or of one text."""
    start, tokens = 0, 0
    for position, length in enumerate(lengths.tolist()):
        if tokens and tokens + length > most:
            yield slice(start, position)
            start, tokens = position, 0
        tokens += length
    if start < len(lengths):
        yield slice(start, len(lengths))
