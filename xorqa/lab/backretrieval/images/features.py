"""Image vectors without a model: histograms of colours and gradients, and a perceptual hash."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .picture import on_white, pixels

Floats = NDArray[np.float32]

_SIDE = 64  # pixels
_COLOURS = 4  # bins per channel
_CELLS = 4  # per side, of gradients
_ANGLES = 8
_HASH_SIDE, _HASH_BITS = 32, 8  # the lowest 8 by 8 frequencies of a picture of 32 by 32


def histogram(picture: Any) -> Floats:
    """Colours (64 bins, weighted by opacity) and gradients (8 directions in 4 by 4 cells).

    Each half is the square root of a distribution, so that the cosine of two pictures is the mean
    of the Bhattacharyya coefficients of their colours and of their gradients.
    """
    return np.concatenate([_root(_colours(picture)), _root(_gradients(picture))])


def _colours(picture: Any) -> Floats:
    rgba = pixels(picture, _SIDE, "RGBA")
    bins = np.minimum(rgba[..., :3] * _COLOURS, _COLOURS - 1).astype(int)
    flat = (bins @ np.array([_COLOURS**2, _COLOURS, 1])).ravel()
    return np.bincount(flat, rgba[..., 3].ravel(), _COLOURS**3).astype(np.float32)


def _gradients(picture: Any) -> Floats:
    down, across = np.gradient(pixels(on_white(picture), _SIDE, "L"))
    strength, angle = np.hypot(down, across), np.arctan2(down, across) % (2 * np.pi)
    direction = (angle / (2 * np.pi) * _ANGLES).astype(int) % _ANGLES
    cell = np.arange(_SIDE) * _CELLS // _SIDE
    bins = (cell[:, None] * _CELLS + cell) * _ANGLES + direction
    return np.bincount(bins.ravel(), strength.ravel(), _CELLS**2 * _ANGLES).astype(np.float32)


def _root(counts: Floats) -> Floats:
    total = float(counts.sum())
    return np.sqrt(counts / total) if total else counts


def perceptual_hash(picture: Any) -> Floats:
    """63 signs: which of the lowest frequencies of brightness are above their median.

    The cosine of two pictures is 1 - 2 d / 63, where d is the number of signs that differ.
    """
    brightness = pixels(on_white(picture), _HASH_SIDE, "L").astype(np.float64)
    positions = np.arange(_HASH_SIDE)
    waves = np.cos(np.pi / _HASH_SIDE * (positions + 0.5) * np.arange(_HASH_BITS)[:, None])
    frequencies = (waves @ brightness @ waves.T).ravel()[1:]  # without the mean brightness
    return np.where(frequencies > np.median(frequencies), 1, -1).astype(np.float32)
