"""A text encoder that averages word vectors, by the files of the languages."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..common.word_vectors import WordVectors
from .document_head.model import concatenated
from .model_encoders import FIELDS, chosen_fields
from .texts import Texts

Floats = NDArray[np.float32]


class WordEncoder:
    """Mean word vectors of the texts of each language, read once (`common.word_vectors`)."""

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        self.vectors = WordVectors(name)
        self._both = chosen_fields(options) == FIELDS[1]
        self._encoded: dict[tuple[str, ...], Floats] = {}

    def __call__(self, source: Texts, target: Texts) -> tuple[Floats, Floats]:
        """Vectors of source and target texts."""
        return self._of(source), self._of(target)

    def _of(self, side: Texts) -> Floats:
        key = (side.lang, *side.texts)
        if key not in self._encoded:
            self._encoded[key] = self._encode(side)
        return self._encoded[key]

    def _encode(self, side: Texts) -> Floats:
        if not self._both:
            return self.vectors.encode(side.texts, side.lang)
        every = self.vectors.encode([*side.texts, *side.whole_bodies(self.vectors.name)], side.lang)
        return concatenated(*np.split(every, 2))
