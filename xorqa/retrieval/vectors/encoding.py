"""Encode passages and queries with a shared encoder, for any index of vectors."""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from ...core.errors import IndexMismatchError
from ...core.progress import quantity
from ...core.types import Passage, Query, SearchText
from ...core.validation import SETTINGS
from ...models.encoder import Encoder
from ...models.encoder_settings import EncoderSettings
from ...models.towers import Text
from .shards import Floats


@cache
def shared_encoder(settings: EncoderSettings) -> Encoder:
    """The encoder shared by all retrievers with these settings, so that weights load once."""
    return Encoder(settings)


def encode_passages(
    settings: EncoderSettings, texts: Sequence[Text], langs: Sequence[str]
) -> Floats:
    """Encode passages with an encoder of these settings; picklable, for worker processes."""
    return shared_encoder(settings).passages(texts, langs)


def compare_vectors(
    stored: Floats, encoded: Floats, docids: Sequence[str], *, min_cosine: float, remedy: str
) -> str:
    """Compare stored vectors (passages, dimensions) with newly encoded ones; returns a note.

    Raises:
        IndexMismatchError: if one has a lower cosine, with the remedy.
    """
    if stored.shape != encoded.shape:
        raise IndexMismatchError(
            f"the index has {stored.shape[1]} dimensions, the encoder {encoded.shape[1]}; {remedy}"
        )
    norms = np.linalg.norm(stored, axis=1) * np.linalg.norm(encoded, axis=1)
    cosines = (stored * encoded).sum(axis=1) / np.maximum(norms, 1e-12)
    changed = [docid for docid, cos in zip(docids, cosines, strict=True) if not cos >= min_cosine]
    if changed:
        raise IndexMismatchError(
            f"{len(changed)} of {len(docids)} passages, such as '{changed[0]}', have another "
            f"vector when encoded again (minimum cosine {cosines.min():.4f} < {min_cosine}); "
            f"{remedy}"
        )
    return f"{quantity(len(docids), 'passage')} encoded again: cosine {cosines.min():.4f} or more"


class VectorField:
    """The vectors of an index on a server, such as a vector database or a search engine.

    `encoder` is a model's name, or a table of `EncoderSettings`; `text` selects what is encoded of
    a query: the original "question" or the "query" (its translation).
    """

    def __init__(self, encoder: str | Mapping[str, Any], *, text: SearchText = "question") -> None:
        table = {"model": encoder} if isinstance(encoder, str) else encoder
        self.settings = SETTINGS.fill(EncoderSettings, table, where="[retriever] encoder")
        self.encoder = shared_encoder(self.settings)
        self.text = text

    @cached_property
    def for_manifest(self) -> dict[str, Any]:
        """The settings that an index manifest stores."""
        return {"weights": self.encoder.fingerprint(), "encoder": self.settings.for_manifest()}

    @property
    def precision(self) -> list[dict[str, Any]]:
        """For a fingerprint, see `EncoderSettings.precision`."""
        return self.settings.precision

    def encode(self, passages: Sequence[Passage]) -> list[list[float]]:
        """The vectors of passages."""
        texts, langs = [p.titled for p in passages], [p.lang for p in passages]
        vectors: list[list[float]] = self.encoder.passages(texts, langs).tolist()
        return vectors

    def encode_queries(self, queries: Sequence[Query]) -> list[list[float]]:
        """The vectors of queries."""
        sources = [query.of(self.text) for query in queries]
        texts, langs = [s.text for s in sources], [s.lang for s in sources]
        vectors: list[list[float]] = self.encoder.queries(texts, langs).tolist()
        return vectors
