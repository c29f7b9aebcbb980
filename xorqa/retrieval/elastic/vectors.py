"""An encoder's vectors in a cluster: their field, their documents, their search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from ...core.types import Passage, Query, Question
from ...core.validation import SETTINGS
from ...models.encoder import EncoderSettings
from ..dense import shared_encoder

LEAST_CANDIDATES, MOST_CANDIDATES = 100, 10_000  # of a search; the most a cluster looks at


class Vectors:
    """`encoder` is a table of `EncoderSettings`; `kind` is Elasticsearch's `index_options`.

    The search is approximate (HNSW graphs), and "int8_hnsw" rounds the vectors too.
    """

    def __init__(
        self, encoder: Mapping[str, Any], *, kind: str, text: Literal["question", "query"]
    ) -> None:
        self.settings = SETTINGS.fill(EncoderSettings, encoder, where="[retriever] encoder")
        self.encoder = shared_encoder(self.settings)
        self.kind = kind
        self.text = text

    @cached_property
    def described(self) -> dict[str, Any]:
        """What an index says of its vectors."""
        return {
            "vectors": self.kind,
            "weights": self.encoder.fingerprint(),
            "encoder": self.settings.for_manifest(),
        }

    def mapping(self) -> dict[str, Any]:
        """The field; its dimensions are those of the first vector."""
        return {
            "type": "dense_vector",
            "similarity": "max_inner_product",
            "index_options": {"type": self.kind},
        }

    def of_passages(self, passages: Sequence[Passage]) -> list[list[float]]:
        """Vectors of what is searched."""
        texts, langs = [p.titled for p in passages], [p.lang for p in passages]
        return self.encoder.passages(texts, langs).tolist()  # type: ignore[no-any-return]

    def asked(self, query: Query) -> Question | Query:
        """What of a query is encoded."""
        return query.question if self.text == "question" else query

    def searches(self, queries: Sequence[Query], k: int) -> list[dict[str, Any]]:
        """A kNN search a query."""
        asking = [self.asked(query) for query in queries]
        vectors = self.encoder.queries([a.text for a in asking], [a.lang for a in asking])
        candidates = min(max(2 * k, LEAST_CANDIDATES), MOST_CANDIDATES)
        return [
            {"field": "vector", "query_vector": vector, "k": k, "num_candidates": candidates}
            for vector in vectors.tolist()
        ]


def inner_product(score: float) -> float:
    """The product behind a score, which is never negative: 1 + x, or 1 / (1 - x) below 0."""
    return score - 1 if score >= 1 else 1 - 1 / score
