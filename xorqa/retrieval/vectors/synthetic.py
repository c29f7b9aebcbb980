"""In-memory vectors for index builds, and synthetic vectors to enlarge a set."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .shards import Floats

SEED = 2026
NOISE = 0.3  # length of the noise added to a unit vector
BATCH = 65_536  # vectors generated at a time


@dataclass(frozen=True, slots=True, eq=False)
class MemoryChunk:
    """A chunk of vectors in memory, with their positions in the corpus."""

    positions: NDArray[np.int64]
    vectors: Floats

    def read(self) -> Floats:
        """The vectors (passages, dimensions)."""
        return self.vectors


def in_chunks(vectors: Floats, size: int) -> list[MemoryChunk]:
    """Split vectors into chunks; an index may be trained on the first of them only."""
    positions = np.arange(len(vectors))
    starts = range(0, len(vectors), size)
    return [MemoryChunk(positions[at : at + size], vectors[at : at + size]) for at in starts]


def resize(real: Floats, size: int) -> Floats:
    """`size` unit vectors: a sample of the real ones, or all of them and synthetic ones.

    A synthetic vector is a real one drawn at random plus isotropic Gaussian noise of length
    about `NOISE`, renormalised.
    """
    rng = np.random.default_rng(SEED)
    if size <= len(real):
        return real[rng.permutation(len(real))[:size]]
    vectors = np.empty((size, real.shape[1]), np.float32)
    vectors[: len(real)] = real
    for start in range(len(real), size, BATCH):
        batch = vectors[start : start + BATCH]
        noise = rng.standard_normal(batch.shape, np.float32)
        batch[:] = real[rng.integers(len(real), size=len(batch))]
        batch += noise * np.float32(NOISE / np.sqrt(real.shape[1]))
        batch /= np.linalg.norm(batch, axis=1, keepdims=True)
    return vectors[rng.permutation(size)]  # an index is trained on the first of them
