"""Vectors of texts without a model, by the characters or terms that both sides share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Weights = Sequence[Mapping[str, float]]
"""By text, the weight of each term."""

_K1, _B = 0.9, 0.4  # as in Lucene's and LAReQA's BM25 here


def character_vectors(source: Sequence[str], target: Sequence[str]) -> tuple[Floats, Floats]:
    """How often each letter and digit occurs in a text, case-folded."""
    sides = (
        [Counter(filter(str.isalnum, text.casefold())) for text in side]
        for side in (source, target)
    )
    return _vectors(*sides)


def bm25_vectors(
    source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]
) -> tuple[Floats, Floats]:
    """Counts of the source's terms and BM25's weights of the target's terms, as unit vectors.

    Their inner product orders the target texts like BM25 divided by the length of the text's
    vector: CORR and XLR are defined on cosines.
    """
    n = len(target)
    frequency = Counter(term for text in target for term in set(text))
    idf = {term: math.log(1 + (n - df + 0.5) / (df + 0.5)) for term, df in frequency.items()}
    mean = sum(map(len, target)) / n or 1.0
    weights = []
    for text in target:
        norm = _K1 * (1 - _B + _B * len(text) / mean)
        weights.append({t: idf[t] * tf / (tf + norm) for t, tf in Counter(text).items()})
    return _vectors([Counter(text) for text in source], weights)


def _vectors(source: Weights, target: Weights) -> tuple[Floats, Floats]:
    """Unit vectors over the shared terms.

    The terms that only one side has have one column together, which is zero on the other side.
    """
    shared = sorted(_terms(source) & _terms(target))
    columns = {term: column for column, term in enumerate(shared, 2)}
    return _matrix(source, columns, alone=0), _matrix(target, columns, alone=1)


def _terms(texts: Weights) -> set[str]:
    return {term for text in texts for term in text}


def _matrix(texts: Weights, columns: Mapping[str, int], *, alone: int) -> Floats:
    rows = np.zeros((len(texts), len(columns) + 2), np.float32)
    for row, text in zip(rows, texts, strict=True):
        length = math.hypot(*text.values())
        for term, weight in text.items():
            if term in columns:
                row[columns[term]] = weight / length
        row[alone] = math.sqrt(max(0.0, 1 - float(row @ row))) if length else 0
    return rows
