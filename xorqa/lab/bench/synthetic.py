"""Synthetic vectors, which enlarge a set of real ones, and chunks of vectors in memory."""

import numpy as np

from ...retrieval.vectors.kinds import MemoryChunk
from ...retrieval.vectors.shards import Floats

SEED = 2026
NOISE = 0.3  # length of the noise added to a unit vector
BATCH = 65_536  # vectors generated at a time


def in_chunks(vectors: Floats, size: int) -> list[MemoryChunk]:
    """Split vectors into chunks; an index may be trained on the first of them only."""
    positions = np.arange(len(vectors))
    rows = [slice(start, start + size) for start in range(0, len(vectors), size)]
    return [MemoryChunk(positions[chunk], vectors[chunk]) for chunk in rows]


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
