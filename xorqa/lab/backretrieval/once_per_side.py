"""What encodes the texts of each language once, although both sides of many pairs need them."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from .texts import Texts

Floats = NDArray[np.float32]


class OncePerSide(ABC):
    """Caches the vectors of a side by its language and texts."""

    def __init__(self) -> None:
        self._encoded: dict[tuple[str, ...], Floats] = {}

    def vectors_of(self, side: Texts) -> Floats:
        """The vectors of a side: (texts, dimensions)."""
        key = (side.lang, *side.texts)
        if key not in self._encoded:
            self._encoded[key] = self._encode(side)
        return self._encoded[key]

    @abstractmethod
    def _encode(self, side: Texts) -> Floats: ...
