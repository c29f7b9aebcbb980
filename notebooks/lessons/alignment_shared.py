"""What the nearest Finnish names of lesson A1 have in common with the query."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.backretrieval.evaluate import stream_of
from xorqa.lab.backretrieval.measures import ALL, TIE, cosine
from xorqa.lab.backretrieval.sampling import Sample

from .alignment_world import SEEDS, sampler, things, vectors

Shares = dict[str, float]
"""The percentages of nearest names with the query's shape and colour."""


@cache
def shared_without_own(name: str) -> Shares:
    """Those in the samples without translations, the means: the query's own thing is missing."""
    samples = [sampler().draw_non_matching(stream_of(seed)) for seed in range(SEEDS)]
    shares = [_shares(name, sample) for sample in samples]
    return {part: float(np.mean([row[part] for row in shares])) for part in shares[0]}


@cache
def shared_of_all(name: str) -> Shares:
    """Those if all Finnish names are searched, the translation among them."""
    everything = np.arange(len(things()))
    return _shares(name, Sample(everything, everything))


def _shares(name: str, sample: Sample) -> Shares:
    """The shares in one sample; of several nearest names, their mean."""
    first, second = vectors(name)
    scores = cosine(first[sample.source], second[sample.target])(ALL, ALL)
    nearest = scores >= scores.max(axis=1, keepdims=True) - TIE
    shares = {}
    for part in ("shape", "colour"):
        values = np.array([getattr(thing, part) for thing in things()])
        same = values[sample.source][:, None] == values[sample.target]
        shares[part] = 100 * float(_mean_where(same, nearest).mean())
    return shares


def _mean_where(same: NDArray[np.bool_], nearest: NDArray[np.bool_]) -> NDArray[np.float64]:
    means: NDArray[np.float64] = (same & nearest).sum(axis=1) / nearest.sum(axis=1)
    return means
