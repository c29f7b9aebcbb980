"""BM25, dense or hybrid retrieval with an OpenSearch cluster, through Elasticsearch's code."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from ...core.types import SearchText
from ...core.validation import Count, NonNegative, Share
from ...datasets.corpus import Corpus
from . import indexes
from .client import OPENSEARCH_URL as URL
from .client import Cluster
from .opensearch_client import EXTRA, connect
from .retriever import Elastic
from .store import Store

OLDEST = (3, 2)  # the first with combined_fields


@dataclass
class OpenSearchStore(Store):
    """A corpus in an OpenSearch cluster; `vector_type` is the engine of its vectors."""

    engine: ClassVar[str] = "opensearch"

    @cached_property
    def cluster(self) -> Cluster:
        """The cluster that the environment names."""
        return connect(oldest=OLDEST)

    def create(self, lang: str, meta: Mapping[str, Any]) -> str:
        """Create a language's empty index; returns its name."""
        body = indexes.index_body(meta, k1=self.k1, b=self.b, vectors=None)
        if self.vectors:
            method = {"name": "hnsw", "engine": self.vector_type, "space_type": "innerproduct"}
            size = self.vectors.encoder.passage_dimensions
            field = {"type": "knn_vector", "dimension": size, "method": method}
            body["mappings"]["properties"]["vector"] = field
            body["settings"]["index.knn"] = True
        return indexes.create(self.cluster.client, self.alias(lang), body)


class OpenSearch(Elastic):
    """One index per language, behind an alias, in the OpenSearch cluster of the environment.

    The settings are those of `Elastic`, except that `vectors` is the engine of the vectors' graph,
    "faiss" or "lucene", and that both rankings of "hybrid" are fused here. It needs OpenSearch 3.2
    (`combined_fields`); `opensearch-index` searches an index in any version from 2 on.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import OpenSearch, Query, load_dataset
        >>> world = load_dataset("mini").only(["fi"])
        >>> question = world.examples[0].question
        >>> query = Query(question, "Who discovered francium?", "en")
        >>> retriever = OpenSearch(corpus=world.corpora["en"], folder=Path("indexes/opensearch"))
        >>> [hits] = retriever.retrieve([query], k=1)
        >>> hits[0].passage.title
        'Francium'
    """

    version = 1
    extra = EXTRA
    packages = ("opensearchpy",)
    store_type = OpenSearchStore

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
        vectors: Literal["faiss", "lucene"] = "faiss",
        constant: Count = 60,
        depth: Count = 100,
    ) -> None:
        super().__init__(
            corpus=corpus,
            folder=folder,
            search=search,
            k1=k1,
            b=b,
            analyzers=analyzers,
            encoder=encoder,
            text=text,
            vectors=vectors,
            constant=constant,
            depth=depth,
        )
        self._licensed = False  # OpenSearch has another way to fuse rankings

    @classmethod
    def machine_checks(cls) -> Mapping[str, Callable[[], str]]:
        """The connection to the cluster, if the environment names one."""
        return {"opensearch": _check_cluster}

    def vector_search(self, vector: Sequence[float], k: int) -> dict[str, Any]:
        """The body of a search for the nearest neighbours of a vector."""
        return nearest("vector", vector, k)


def nearest(field: str, vector: Sequence[float], k: int) -> dict[str, Any]:
    """The body of a search for the nearest neighbours of a vector, in OpenSearch's words."""
    return {"query": {"knn": {field: {"vector": vector, "k": k}}}, "size": k}


def _check_cluster() -> str:
    if not os.environ.get(URL):
        return f"no cluster is configured ({URL})"
    cluster = connect()
    return f"OpenSearch {cluster.version} at {cluster.address}"
