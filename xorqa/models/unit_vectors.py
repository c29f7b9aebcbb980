"""Vectors scaled to unit length."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def units(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """The rows with unit length; zero rows stay zero."""
    rows = np.asarray(vectors, np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled = np.zeros_like(rows)
    np.divide(rows, norms, out=scaled, where=norms > 0)
    return scaled
