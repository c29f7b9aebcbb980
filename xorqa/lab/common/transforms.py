"""Fit the transforms of `models.transforms` on vectors, and write them."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, DataError, one_of
from ...io.files import atomic_path
from ...models.transforms import SIDES, Key, Transform, direction_count


def fit_transform(vectors: Mapping[Key, NDArray[np.float32]], kind: str) -> Transform:
    """Fit a transform on the vectors (texts, dimensions) of each (language, side).

    Raises:
        ConfigError: for an unknown kind or side.
        DataError: if the vectors are too few or differ in length.
    """
    count = direction_count(kind)
    for lang, side in vectors:
        if side not in SIDES:
            raise ConfigError(f"no side of {lang} is called '{side}'; valid: {one_of(SIDES)}")
    if len({rows.shape[1] for rows in vectors.values()}) > 1:
        raise DataError("the vectors of a transform must all have the same length")
    return Transform(kind, {key: _entry(rows, count, key) for key, rows in vectors.items()})


def save_transform(path: Path, transform: Transform, *, encoder: str) -> None:
    """Write a transform and its card; `encoder` is the fingerprint of the encoder it fits."""
    from safetensors.numpy import save_file

    metadata = {
        "task": "transform",
        "kind": transform.kind,
        "encoder": encoder,
        "card": json.dumps(dict(transform.card), ensure_ascii=False),
    }
    tensors = {f"{lang}.{side}": entry for (lang, side), entry in transform.entries.items()}
    with atomic_path(path) as temporary:
        save_file(tensors, temporary, metadata=metadata)


def _entry(rows: NDArray[np.float32], count: int, key: Key) -> NDArray[np.float32]:
    """The mean and the first `count` principal directions, computed in float64."""
    if min(rows.shape) < max(1, count):
        raise DataError(
            f"{rows.shape[0]} {key[1]} vectors of length {rows.shape[1]} in '{key[0]}' are too few "
            f"for a mean and {count} directions"
        )
    exact = rows.astype(np.float64)
    entry = exact.mean(axis=0, keepdims=True)
    if count:  # right singular vectors, in ascending order of their values
        directions = np.linalg.eigh(exact.T @ exact).eigenvectors.T[::-1]
        entry = np.concatenate([entry, directions[:count]])
    return np.ascontiguousarray(entry, np.float32)
