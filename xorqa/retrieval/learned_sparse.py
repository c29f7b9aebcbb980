"""Learned sparse retrieval: weights of terms from a model, in an inverted index."""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from ..core.progress import Progress, silent
from ..core.types import Hit, Passage, Query, SearchText
from ..core.validation import Count
from ..datasets.corpus import Corpus
from ..io.files import digest
from ..models.device import Dtype
from ..models.learned_sparse import SparseSettings, SparseTextEncoder, Terms, sparse_encoder
from ..models.released import EXTRA
from .over_corpus import search_nonempty
from .rows.retriever import RowIndex, joined_rows
from .rows.store import Table

QUERIES = 64  # scored at a time


class LearnedSparse(RowIndex):
    """Ranks passages by the inner product of term weights (Formal et al. 2021, SPLADE).

    `model` is a SparseEncoder of sentence-transformers (SPLADE, inference-free ones included) or
    BGE-M3, whose lexical weights are used; `SparseSettings` describes the other settings. `text`
    selects what is encoded of a query: the "query" (its translation) or the original "question".
    A passage that shares no term with the query is no hit.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, LearnedSparse, Passage, Query, Question
        >>> corpus = Corpus("rivers", [Passage("Nile", "The Nile is in Africa.")])
        >>> retriever = LearnedSparse("./splade", corpus=corpus, folder=Path("indexes/splade"))
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [[hit]] = retriever.retrieve([query], k=1)
        >>> hit.passage.docid
        'Nile'
    """

    version = 1
    use = "learned-sparse"
    extra = EXTRA
    packages = ("sentence_transformers",)
    disk_share = 4.0
    arrays = ("terms", "weights")

    def __init__(
        self,
        model: str,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        max_tokens: Count | None = None,
        dtype: Dtype = "auto",
        batch_tokens: Count | None = None,
        trust_remote_code: bool = False,
        text: SearchText = "query",
    ) -> None:
        super().__init__(corpus, folder)
        self.settings = SparseSettings(
            model, query_prefix, passage_prefix, max_tokens, dtype, trust_remote_code, batch_tokens
        )
        self.text = text

    @cached_property
    def encoder(self) -> SparseTextEncoder:
        """The encoder; weights load on first use."""
        return sparse_encoder(self.settings)

    def index_settings(self) -> dict[str, Any]:
        """The model, the hash of its weights, and the settings that override its own."""
        return {
            "encoder": self.settings.model,
            "weights": self.encoder.sha,
            "settings": self.settings.overridden,
        }

    def fingerprint(self) -> str:
        """A hash of the manifest and of which text is encoded."""
        return digest(self.index_manifest(), self.text, *self.settings.precision)

    def encode(self, passages: Sequence[Passage], progress: Progress = silent) -> Table:
        """The passages' terms with their weights."""
        rows = self.encoder.encode("passage", [p.titled for p in passages], progress)
        return joined_rows(rows, self.arrays)

    def truncated(self, passages: Sequence[Passage]) -> int:
        """The number of passages of which only the beginning is encoded."""
        return self.encoder.truncated([passage.titled for passage in passages])

    def cosine(self, stored: Table, encoded: Table) -> float:
        """The cosine between the weights."""
        one, other = (
            dict(zip(table["terms"].tolist(), table["weights"].tolist(), strict=True))
            for table in (stored, encoded)
        )
        dot = sum(weight * other.get(term, 0.0) for term, weight in one.items())
        norms = np.linalg.norm(list(one.values())) * np.linalg.norm(list(other.values()))
        return float(dot / norms) if norms else float(one == other)

    @cached_property
    def _inverted(self) -> Any:
        """The weights (terms, passages) as a sparse matrix of rows of terms."""
        from scipy.sparse import csr_matrix

        rows = self.index
        parts = (rows.table["weights"], rows.table["terms"], rows.starts)
        return csr_matrix(parts, shape=(len(rows.lengths), self.encoder.vocabulary)).T.tocsr()

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest inner product, equal scores by docid."""
        return search_nonempty(queries, self.text, k, partial(self._search, k=k))

    def _search(self, queries: Sequence[Query], k: int) -> Iterator[list[Hit]]:
        rows = self.encoder.encode("query", [query.of(self.text).text for query in queries])
        for start in range(0, len(rows), QUERIES):
            for scores in self._scores(rows[start : start + QUERIES]):
                yield self.best(scores, k, positive=True)

    def _scores(self, queries: Sequence[Terms]) -> Any:
        """Inner products (queries, passages)."""
        from scipy.sparse import csr_matrix

        table = joined_rows(queries, self.arrays)
        starts = np.concatenate([[0], np.cumsum(table["lengths"])])
        shape = (len(queries), self.encoder.vocabulary)
        matrix = csr_matrix((table["weights"], table["terms"], starts), shape=shape)
        return (matrix @ self._inverted).toarray().astype(np.float32)
