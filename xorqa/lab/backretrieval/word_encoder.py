"""A text encoder that averages word vectors, by the files of the languages."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..common.word_vectors import WordVectors
from .document_head.model import concatenated
from .model_encoders import FIELDS, chosen_fields
from .once_per_side import Floats, OncePerSide
from .texts import Texts


class WordEncoder(OncePerSide):
    """Mean word vectors of the texts of each language, read once (`common.word_vectors`)."""

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        super().__init__()
        self.vectors = WordVectors(name)
        self._both = chosen_fields(options) == FIELDS[1]

    def __call__(self, source: Texts, target: Texts) -> tuple[Floats, Floats]:
        """Vectors of source and target texts."""
        return self.vectors_of(source), self.vectors_of(target)

    def _encode(self, side: Texts) -> Floats:
        if not self._both:
            return self.vectors.encode(side.texts, side.lang)
        every = self.vectors.encode([*side.texts, *side.whole_bodies(self.vectors.name)], side.lang)
        return concatenated(*np.split(every, 2))
