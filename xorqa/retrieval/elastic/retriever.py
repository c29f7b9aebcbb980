"""BM25, dense or hybrid retrieval with an Elasticsearch cluster."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from ...core.errors import DataError
from ...core.lang import language
from ...core.progress import Progress, quantity, silent
from ...core.types import Hit, Passage, Query, SearchText, best_first
from ...core.validation import Count, NonNegative, Share
from ...datasets.corpus import Corpus
from ...io.files import digest
from ..hybrid import fuse, in_language_order
from ..over_corpus import OverCorpus, search_nonempty
from ..vectors.encoding import VectorField
from .client import (
    CLOUD,
    EXTRA,
    URL,
    Cluster,
    UnlicensedError,
    connect,
    response_error,
    valid_unicode,
)
from .store import Store

SEARCHES = 64  # per request
MAX_CHARACTERS = 1000  # of a query; clusters limit its tokens (1024 or more)

MIN_CANDIDATES, MAX_CANDIDATES = 100, 10_000  # of a kNN search; Elasticsearch's limit

Results = list[tuple[str, float]]
"""Docids and scores, best first."""


class Elastic(OverCorpus):
    """One index per language, behind an alias, in the cluster that the environment names.

    `search` is "bm25" (title and text as one field), "dense" (nearest neighbours of `encoder`, a
    name or a table of `EncoderSettings`) or "hybrid" (both, fused by reciprocal rank: in the
    cluster if its licence allows it and the corpus has one language, else here). `analyzers`
    overrides the default analyzers by language; an index keeps those it was built with. `text`
    selects what is encoded, "question" or "query"; `vectors` is the type of the cluster's
    `index_options`.

    BM25 searches the index of the query's language, or all indexes if that language has none;
    scores of different languages are then compared unchanged. Dense search covers all indexes.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Elastic, Query, load_dataset
        >>> world = load_dataset("mini").only(["fi"])
        >>> question = world.examples[0].question
        >>> query = Query(question, "Who discovered francium?", "en")
        >>> retriever = Elastic(corpus=world.corpora["en"], folder=Path("indexes/elastic"))
        >>> [hits] = retriever.retrieve([query], k=1)
        >>> hits[0].passage.title
        'Francium'

    Raises:
        ConfigError: for an unknown search, language or encoder setting.
    """

    version = 2
    extra = EXTRA
    packages = ("elasticsearch",)
    store_type: ClassVar[type[Store]] = Store

    def __init__(
        self,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        search: Literal["bm25", "dense", "hybrid"] = "bm25",
        k1: NonNegative = 0.9,
        b: Share = 0.4,
        analyzers: Mapping[str, str] | None = None,
        encoder: str | Mapping[str, Any] | None = None,
        text: SearchText = "question",
        vectors: str = "int8_hnsw",
        constant: Count = 60,
        depth: Count = 100,
    ) -> None:
        for code in analyzers or {}:
            language(code)
        super().__init__(corpus, folder)
        self.search = search
        self.constant = constant
        self.depth = depth
        dense = search != "bm25"
        self.vectors = VectorField(encoder or {}, text=text) if dense else None
        self.vector_type = vectors
        self.k1, self.b, self.analyzers = k1, b, analyzers or {}
        self._licensed = True  # until the cluster says otherwise

    @classmethod
    def machine_checks(cls) -> Mapping[str, Callable[[], str]]:
        """The connection to the cluster, if the environment names one."""
        return {"elastic": _check_cluster}

    def health(self, sample: Sequence[Passage]) -> dict[str, Callable[[], str]]:
        """Checks for `xorqa doctor`: the live indexes hold the corpus, with these settings."""
        return {"index": self._check_index}

    def _check_index(self) -> str:
        if not self.is_built():
            raise DataError("the cluster has no index of this corpus; build it with xorqa index")
        store = self._store
        languages = ", ".join(store.rows)
        where = f"{store.base} at {store.cluster.address}, {store.cluster.version}"
        return f"{quantity(len(self.corpus), 'passage')} of {languages} in {where}"

    @property
    def ranks_each_language(self) -> bool:
        """Whether it is BM25."""
        return self.search == "bm25"

    @cached_property
    def store(self) -> Store:
        """The corpus's indexes in the cluster."""
        return self.store_type(
            self.corpus,
            self.folder,
            self.k1,
            self.b,
            self.analyzers,
            self.vectors,
            self.vector_type,
        )

    def fingerprint(self) -> str:
        """A hash of the manifests, the cluster's version and the search settings."""
        manifests, version = self.store.manifests(), self.store.cluster.version
        text = self.vectors.text if self.vectors else None
        precision = self.vectors.precision if self.vectors else []
        options = self.search, text, self.constant, self.depth
        return digest(manifests, version, *options, *precision)

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Load the passages, or check existing indexes; a killed build resumes.

        The old indexes stay live until a rebuild is complete.

        Raises:
            IndexMismatchError: if the existing indexes have other passages or settings.
            ClusterError: if the cluster cannot be used.
        """
        self.store.build(rebuild=rebuild, progress=progress)

    def is_built(self) -> bool:
        """Whether the cluster has live indexes of this corpus's name and this folder's."""
        return self.store.is_live()

    def is_complete(self) -> bool:
        """The cluster has its indexes, which are checked when they are opened."""
        return self.is_built()

    def update(self, earlier: Self, *, progress: Progress = silent) -> int:
        """Replace the earlier indexes by copies with the new passages; see `Store.update`."""
        return self.store.update(earlier.store, progress)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k best passages per query, equal scores by docid. Builds the indexes on first use.

        Raises:
            DataError: if the indexes do not hold the corpus.
            ClusterError: if the cluster cannot be used.
        """
        text = self.vectors.text if self.vectors else "query"
        search = partial(self._search, k=min(k, len(self.corpus)))
        return search_nonempty(queries, text, k, search)

    def _search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        if self.vectors is None:
            return self._bm25(queries, k)
        if self.search == "dense":
            return self._dense(self.vectors, queries, k)
        depth = max(k, self.depth)
        if self._licensed and len(self._store.rows) == 1:
            try:
                return self._rrf(self.vectors, queries, depth)
            except UnlicensedError:
                self._licensed = False
        rankings = self._bm25(queries, depth), self._dense(self.vectors, queries, depth)
        several = len(self._store.rows) > 1
        return [
            fuse(
                (in_language_order(lexical, dense) if several else lexical, dense),
                weights=(1, 1),
                constant=self.constant,
            )
            for lexical, dense in zip(*rankings, strict=True)
        ]

    def _bm25(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        rows = self._store.rows
        langs_by_query = [[query.lang] if query.lang in rows else list(rows) for query in queries]
        rankings = self._run(
            ([lang], bm25_search(query.text, k))
            for query, langs in zip(queries, langs_by_query, strict=True)
            for lang in langs
        )
        return [
            best_first(hit for _ in langs for hit in next(rankings))[:k] for langs in langs_by_query
        ]

    def _dense(self, vectors: VectorField, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        langs = list(self._store.rows)
        bodies = (self.vector_search(vector, k) for vector in vectors.encode_queries(queries))
        rankings = self._run((langs, body) for body in bodies)
        return [[Hit(hit.passage, inner_product(hit.score)) for hit in hits] for hits in rankings]

    def vector_search(self, vector: Sequence[float], k: int) -> dict[str, Any]:
        """The body of a search for the nearest neighbours of a vector."""
        return {"knn": knn_clause(vector, k), "size": k}

    def _rrf(self, vectors: VectorField, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        langs = list(self._store.rows)
        searches = (
            rrf_search(query.text, knn_clause(vector, k), constant=self.constant)
            for query, vector in zip(queries, vectors.encode_queries(queries), strict=True)
        )
        return list(self._run((langs, search) for search in searches))

    def _run(self, searches: Iterable[tuple[list[str], dict[str, Any]]]) -> Iterator[list[Hit]]:
        """The hits of (languages, search body) pairs, equal scores by docid."""
        store = self._store
        by_alias = [(list(map(store.alias, langs)), body) for langs, body in searches]
        for results in msearch(store.cluster, by_alias):
            yield best_first(Hit(store.passage(docid), score) for docid, score in results)

    @cached_property
    def _store(self) -> Store:
        """The store, built and complete."""
        self.store.build(rebuild=False, progress=silent)
        self.store.check_size()
        return self.store


def _check_cluster() -> str:
    if not (os.environ.get(URL) or os.environ.get(CLOUD)):
        return f"no cluster is configured ({URL})"
    cluster = connect()
    return f"Elasticsearch {cluster.version} at {cluster.address}"


def bm25_query(text: str) -> dict[str, Any]:
    """BM25 over title and text as if they were one field (Robertson et al. 2004, BM25F)."""
    text = valid_unicode(text[:MAX_CHARACTERS])
    return {"combined_fields": {"query": text, "fields": ["title", "text"]}}


def bm25_search(text: str, k: int) -> dict[str, Any]:
    """A BM25 search; equal scores by row, and therefore by docid."""
    return {"query": bm25_query(text), "size": k, "sort": [{"_score": "desc"}, {"row": "asc"}]}


def knn_clause(vector: Sequence[float], k: int) -> dict[str, Any]:
    """The clause that searches for the nearest neighbours of a vector."""
    candidates = min(max(2 * k, MIN_CANDIDATES), MAX_CANDIDATES)
    return {"field": "vector", "query_vector": vector, "k": k, "num_candidates": candidates}


def rrf_search(text: str, knn: Mapping[str, Any], *, constant: int) -> dict[str, Any]:
    """Both searches, fused in the cluster by reciprocal rank."""
    both = [{"standard": {"query": bm25_query(text)}}, {"knn": dict(knn)}]
    fusion = {"retrievers": both, "rank_constant": constant, "rank_window_size": knn["k"]}
    return {"retriever": {"rrf": fusion}, "size": knn["k"]}


def msearch(
    cluster: Cluster, searches: Sequence[tuple[Sequence[str], Mapping[str, Any]]]
) -> Iterator[Results]:
    """Run searches, each in its indexes (aliases); see `search_each`."""
    for hits in search_each(cluster, searches):
        yield [(str(hit["_id"]), float(hit["_score"])) for hit in hits]


def search_each(
    cluster: Cluster, searches: Sequence[tuple[Sequence[str], Mapping[str, Any]]]
) -> Iterator[list[Mapping[str, Any]]]:
    """Run searches, each in its indexes (aliases); the hits of each, as the cluster returns them.

    Raises:
        UnlicensedError: if the licence does not include a search.
        ClusterError: if a search fails, or only some shards respond.
    """
    for start in range(0, len(searches), SEARCHES):
        lines: list[Mapping[str, Any]] = []
        for indexes, body in searches[start : start + SEARCHES]:
            lines.append({"index": list(indexes), "allow_partial_search_results": False})
            lines.append({"_source": False, "track_total_hits": False, **body})
        with cluster.readable_errors():
            responses = cluster.client.msearch(searches=lines)["responses"]
        for response in responses:
            if "error" in response:
                raise response_error(cluster.address, response["status"], response["error"])
            yield response["hits"]["hits"]


def inner_product(score: float) -> float:
    """The inner product x of a kNN score, which is 1 + x, or 1 / (1 - x) for negative x."""
    return score - 1 if score >= 1 else 1 - 1 / score
