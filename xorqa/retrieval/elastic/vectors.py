"""The vector field of an index: its mapping, the passages' vectors, and kNN searches."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from ...core.types import Passage, Query, SearchText
from ...core.validation import SETTINGS
from ...models.encoder import EncoderSettings
from ..dense import shared_encoder

MIN_CANDIDATES, MAX_CANDIDATES = 100, 10_000  # of a kNN search; Elasticsearch's limit


class VectorField:
    """`encoder` is a table of `EncoderSettings`; `kind` is Elasticsearch's `index_options`.

    The search is approximate (HNSW), and "int8_hnsw" also quantises the vectors.
    """

    def __init__(self, encoder: Mapping[str, Any], *, kind: str, text: SearchText) -> None:
        self.settings = SETTINGS.fill(EncoderSettings, encoder, where="[retriever] encoder")
        self.encoder = shared_encoder(self.settings)
        self.kind = kind
        self.text = text

    @cached_property
    def for_manifest(self) -> dict[str, Any]:
        """The settings an index manifest stores."""
        return {
            "vectors": self.kind,
            "weights": self.encoder.fingerprint(),
            "encoder": self.settings.for_manifest(),
        }

    def mapping(self) -> dict[str, Any]:
        """The mapping; its dimensions are set by the first vector."""
        return {
            "type": "dense_vector",
            "similarity": "max_inner_product",
            "index_options": {"type": self.kind},
        }

    def encode(self, passages: Sequence[Passage]) -> list[list[float]]:
        """The vectors of passages."""
        texts, langs = [p.titled for p in passages], [p.lang for p in passages]
        return self.encoder.passages(texts, langs).tolist()  # type: ignore[no-any-return]

    def knn(self, queries: Sequence[Query], k: int) -> list[dict[str, Any]]:
        """A kNN clause per query."""
        sources = [query.of(self.text) for query in queries]
        vectors = self.encoder.queries([s.text for s in sources], [s.lang for s in sources])
        candidates = min(max(2 * k, MIN_CANDIDATES), MAX_CANDIDATES)
        return [
            {"field": "vector", "query_vector": vector, "k": k, "num_candidates": candidates}
            for vector in vectors.tolist()
        ]


def inner_product(score: float) -> float:
    """The inner product x of a score, which is 1 + x, or 1 / (1 - x) for negative x."""
    return score - 1 if score >= 1 else 1 - 1 / score
