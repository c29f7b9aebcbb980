"""Encode picture files with an image encoder by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import ConfigError, WeightsError, one_of
from ....core.progress import TaskProgress, silent
from .convolutional import ConvolutionalEncoder
from .features import histogram, perceptual_hash
from .model import ImageModel
from .picture import BrokenPictureError, open_picture

Floats = NDArray[np.float32]

FEATURES: Mapping[str, Callable[[Any], Floats]] = {"histogram": histogram, "hash": perceptual_hash}
"""Image encoders without a model, from a picture to its vector."""

SHIPPED = "image-encoder"
_BATCH = 16


def open_image_encoder(name: str) -> Callable[[Sequence[Any]], Floats]:
    """An image encoder: pictures to vectors (pictures, dimensions) whose cosine is similarity.

    Args:
        name: one of `FEATURES`, a shipped image encoder or its file, or a model: a hub name
            (`owner/name`) or `./folder`.

    Raises:
        ConfigError: for an unknown name.
        WeightsError: if the model does not exist.
    """
    if name in FEATURES:
        feature = FEATURES[name]
        return lambda pictures: np.stack([feature(picture) for picture in pictures])
    if name == SHIPPED or name.endswith(".safetensors"):
        return ConvolutionalEncoder(name)
    if "/" not in name:
        raise ConfigError(
            f"no image encoder is called '{name}'; valid: {one_of([*FEATURES, SHIPPED])}, a hub "
            "name (owner/name) or ./folder"
        )
    return ImageModel(name)


def encode_pictures(
    name: str, paths: Sequence[Path], *, progress: TaskProgress = silent
) -> tuple[dict[Path, Floats], list[Path]]:
    """The vector of each picture, and the files that cannot be decoded."""
    encode = open_image_encoder(name)
    vectors: dict[Path, Floats] = {}
    broken: list[Path] = []
    todo = [*dict.fromkeys(paths)]
    for start in range(0, len(todo), _BATCH):
        opened = {}
        for path in todo[start : start + _BATCH]:
            try:
                opened[path] = open_picture(path)
            except BrokenPictureError:
                broken.append(path)
        if opened:
            rows = encode([*opened.values()])
            if not np.isfinite(rows).all():
                raise WeightsError(f"{name} gives vectors that are not finite")
            vectors |= dict(zip(opened, rows, strict=True))
        progress("images", min(start + _BATCH, len(todo)), len(todo))
    return vectors, broken
