"""BM25, an encoder's vectors, or both, in an Elasticsearch cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ...core.lang import language
from ...core.ordering import best_first
from ...core.progress import Progress, silent
from ...core.types import Hit, Query
from ...datasets.corpus import Corpus
from ...io.files import digest
from ..hybrid import fuse
from ..over_corpus import OverCorpus
from . import msearch
from .errors import UnlicensedError
from .store import Store
from .vectors import Vectors, inner_product


class Elastic(OverCorpus):
    """One index a language, behind an alias, in the cluster that the environment names.

    `search` is "bm25" (title and text as one field), "dense" (the nearest of `encoder`'s
    vectors; a table of `EncoderSettings`) or "hybrid" (both, fused by reciprocal rank: in
    the cluster where its licence and a corpus of one language allow it, else here).
    `analyzers` names other analyzers than the table's, by language; an index keeps those it
    was built with. `text` says what is encoded, "question" or "query"; `vectors` is how the
    cluster keeps vectors (its `index_options`).

    BM25 goes to the index of the query's language; where there is none, to all of them,
    and scores of different languages are compared as they are. Vectors are searched in all.

    Raises:
        ConfigError: for a search, a language or an encoder's setting that does not exist.
    """

    version = 1

    def __init__(
        self,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        search: Literal["bm25", "dense", "hybrid"] = "bm25",
        k1: float = 0.9,
        b: float = 0.4,
        analyzers: Mapping[str, str] | None = None,
        encoder: Mapping[str, Any] | None = None,
        text: Literal["question", "query"] = "question",
        vectors: str = "int8_hnsw",
        constant: int = 60,
        depth: int = 100,
    ) -> None:
        for code in analyzers or {}:
            language(code)
        super().__init__(corpus, folder)
        self.search = search
        self.constant = constant
        self.depth = depth
        dense = search != "bm25"
        self.vectors = Vectors(encoder or {}, kind=vectors, text=text) if dense else None
        self.k1, self.b, self.analyzers = k1, b, analyzers or {}
        self._licensed = True  # until the cluster says otherwise

    @cached_property
    def store(self) -> Store:
        """The corpus in the cluster."""
        return Store(
            self.corpus,
            self.folder,
            k1=self.k1,
            b=self.b,
            analyzers=self.analyzers,
            vectors=self.vectors,
        )

    def fingerprint(self) -> str:
        """A hash of what the indexes say of themselves, the cluster's version and the search."""
        return digest(
            self.store.described(),
            self.store.cluster.version,
            self.search,
            self.vectors.text if self.vectors else None,
            self.constant,
            self.depth,
        )

    def build(
        self,
        *,
        rebuild: bool = False,
        progress: Progress = silent,
    ) -> None:
        """Load the passages, or check those there; goes on where it was killed.

        A rebuild leaves the old indexes serving until the new ones are complete.

        Raises:
            IndexMismatchError: if the indexes there belong to other passages or settings.
            ClusterError: if the cluster cannot be used.
        """
        self.store.build(rebuild=rebuild, progress=progress)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """At most k passages a query, equal scores by docid. Builds the indexes on first use.

        Raises:
            DataError: if the indexes do not hold the corpus.
            ClusterError: if the cluster cannot be used.
        """
        hits: list[list[Hit]] = [[] for _ in queries]
        asked = [at for at, query in enumerate(queries) if self._text(query).strip()]
        if k > 0 and asked:
            found = self._found([queries[at] for at in asked], min(k, len(self.corpus)))
            for at, some in zip(asked, found, strict=True):
                hits[at] = some[:k]
        return hits

    def _text(self, query: Query) -> str:
        return self.vectors.asked(query).text if self.vectors else query.text

    def _found(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        if self.vectors is None:
            return self._by_bm25(queries, k)
        if self.search == "dense":
            return self._by_vector(self.vectors, queries, k)
        depth = max(k, self.depth)
        if self._licensed and len(self._store.rows) == 1:
            try:
                return self._by_both(self.vectors, queries, depth)
            except UnlicensedError:
                self._licensed = False
        lexical = self._by_bm25(queries, depth)
        dense = self._by_vector(self.vectors, queries, depth)
        return [
            fuse(pair, weights=(1, 1), constant=self.constant)
            for pair in zip(lexical, dense, strict=True)
        ]

    def _by_bm25(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        rows = self._store.rows
        langs = [[query.lang] if query.lang in rows else list(rows) for query in queries]
        found = self._run(
            ([lang], msearch.by_bm25(query.text, k))
            for query, some in zip(queries, langs, strict=True)
            for lang in some
        )
        return [best_first(hit for _ in some for hit in next(found))[:k] for some in langs]

    def _by_vector(self, vectors: Vectors, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        rows = list(self._store.rows)
        found = self._run((rows, msearch.by_vector(knn)) for knn in vectors.searches(queries, k))
        return [[Hit(hit.passage, inner_product(hit.score)) for hit in hits] for hits in found]

    def _by_both(self, vectors: Vectors, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        rows = list(self._store.rows)
        return list(
            self._run(
                (rows, msearch.by_both(query.text, knn, constant=self.constant))
                for query, knn in zip(queries, vectors.searches(queries, k), strict=True)
            )
        )

    def _run(self, searches: Iterable[tuple[list[str], dict[str, Any]]]) -> Iterator[list[Hit]]:
        """The hits of searches in the indexes of some languages, equal scores by docid."""
        store = self._store
        named = [(list(map(store.alias, langs)), body) for langs, body in searches]
        for found in msearch.run(store.cluster, named):
            yield best_first(Hit(store.passage(docid), score) for docid, score in found)

    @cached_property
    def _store(self) -> Store:
        """The store, built and whole."""
        self.store.build(rebuild=False, progress=silent)
        self.store.check_size()
        return self.store
