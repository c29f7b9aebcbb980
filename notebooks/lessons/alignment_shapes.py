"""The outlines of lesson A1's shapes: corners (x, y) from -1 to 1, y downwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Outline = NDArray[np.float64]

_FULL = np.linspace(0, 2 * np.pi, 48, endpoint=False)


def _polar(radius: Sequence[float] | NDArray[np.float64]) -> Outline:
    """Corners at equal angles, the first one at the top."""
    angles = np.arange(len(radius)) * 2 * np.pi / len(radius) - np.pi / 2
    return np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)


def _corners(*pairs: tuple[float, float]) -> Outline:
    return np.array(pairs, np.float64)


def _heart() -> Outline:
    across = 16 * np.sin(_FULL) ** 3
    up = 13 * np.cos(_FULL) - 5 * np.cos(2 * _FULL) - 2 * np.cos(3 * _FULL) - np.cos(4 * _FULL)
    return np.stack([across, -up - 2], axis=1) / 16


def _moon() -> Outline:
    outer = np.linspace(np.pi / 3, 5 * np.pi / 3, 32)
    inner = np.linspace(5 * np.pi / 4, 3 * np.pi / 4, 24)
    first = np.stack([np.cos(outer), np.sin(outer)], axis=1)
    second = np.stack([1.1 + 0.9 * np.cos(inner), 1.2 * np.sin(inner)], axis=1)
    moon: Outline = np.concatenate([first, second]) + np.array([0.1, 0])
    return moon


def _fish() -> Outline:
    body = np.linspace(np.pi * 0.88, -np.pi * 0.88, 36)
    ellipse = np.stack([0.72 * np.cos(body) + 0.25, 0.5 * np.sin(body)], axis=1)
    return np.concatenate([ellipse, _corners((-1, -0.6), (-0.8, 0), (-1, 0.6))])


SHAPES: dict[str, tuple[str, Callable[[], Outline]]] = {
    "circle": ("ympyrä", lambda: _polar(np.ones(48))),
    "square": ("neliö", lambda: _corners((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))),
    "triangle": ("kolmio", lambda: _polar([1.0, 1.0, 1.0])),
    "star": ("tähti", lambda: _polar([1.0, 0.4] * 5)),
    "cross": (
        "risti",
        lambda: _corners(
            *((-0.3, -1), (0.3, -1), (0.3, -0.3), (1, -0.3), (1, 0.3), (0.3, 0.3)),
            *((0.3, 1), (-0.3, 1), (-0.3, 0.3), (-1, 0.3), (-1, -0.3), (-0.3, -0.3)),
        ),
    ),
    "heart": ("sydän", _heart),
    "moon": ("kuu", _moon),
    "arrow": (
        "nuoli",
        lambda: _corners(
            *((-1, -0.25), (0.2, -0.25), (0.2, -0.7), (1, 0)),
            *((0.2, 0.7), (0.2, 0.25), (-1, 0.25)),
        ),
    ),
    "house": (
        "talo",
        lambda: _corners((0, -1), (0.9, -0.1), (0.65, 0.9), (-0.65, 0.9), (-0.9, -0.1)),
    ),
    "tree": (
        "puu",
        lambda: _corners(
            *((0, -1), (0.5, -0.3), (0.25, -0.3), (0.7, 0.5), (0.15, 0.5)),
            *((0.15, 1), (-0.15, 1), (-0.15, 0.5), (-0.7, 0.5), (-0.25, -0.3), (-0.5, -0.3)),
        ),
    ),
    "fish": ("kala", _fish),
    "flower": ("kukka", lambda: _polar(0.65 + 0.35 * np.cos(5 * _FULL))),
}
"""English shape to the Finnish word and the outline."""
