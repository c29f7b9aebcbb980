"""Vectors in memory as parts of an index, and more of them than there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .shards import Floats

SEED = 2026
NOISE = 0.3  # length of the noise added to a unit vector
DRAWN = 65_536  # vectors made at once


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some vectors and their places, as a shard has them."""

    places: NDArray[np.int64]
    vectors: Floats

    def read(self) -> Floats:
        """The vectors (passages, dimensions)."""
        return self.vectors


def in_parts(vectors: Floats, size: int) -> list[Rows]:
    """The vectors in parts of that size; an index may train on the first of them only."""
    places = np.arange(len(vectors))
    starts = range(0, len(vectors), size)
    return [Rows(places[at : at + size], vectors[at : at + size]) for at in starts]


def enlarged(real: Floats, size: int) -> Floats:
    """`size` unit vectors: some real ones or, where they are too few, all and synthetic ones.

    A synthetic vector is a real one drawn at random plus Gaussian noise, the same in all
    directions and about `NOISE` long, brought back to length 1.
    """
    chance = np.random.default_rng(SEED)
    if size <= len(real):
        return real[chance.permutation(len(real))[:size]]
    vectors = np.empty((size, real.shape[1]), np.float32)
    vectors[: len(real)] = real
    for start in range(len(real), size, DRAWN):
        part = vectors[start : start + DRAWN]
        noise = chance.standard_normal(part.shape, np.float32)
        part[:] = real[chance.integers(len(real), size=len(part))]
        part += noise * np.float32(NOISE / np.sqrt(real.shape[1]))
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return vectors[chance.permutation(size)]  # an index is trained on the first of them
