"""Indexes of OpenSearch that other programs filled."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ..elastic.client import Cluster
from ..elastic.opensearch import nearest
from ..elastic.opensearch_client import EXTRA, connect
from .elastic import ElasticIndex


class OpenSearchIndex(ElasticIndex):
    """Searches an index, an alias or a pattern in the OpenSearch cluster of the environment.

    The settings are those of `ElasticIndex`. Vectors are in a field of the type `knn_vector`;
    `match = "combined_fields"` needs OpenSearch 3.2.

    Example:
        >>> from xorqa import Corpus, OpenSearchIndex, Passage, Query, Question
        >>> corpus = Corpus("rivers", [Passage("Nile", "The Nile is in Africa.")])
        >>> fields = {"docid": "pid", "title": "heading", "text": "body"}
        >>> query = Query(Question("q", "Missä Niili on?", "fi"), "Where is the Nile?", "en")
        >>> [hits] = OpenSearchIndex("wiki", fields=fields, corpus=corpus).retrieve([query], k=1)
        >>> hits[0].passage.docid
        'Nile'
    """

    use = "opensearch-index"
    version = 1
    extra = EXTRA
    packages = ("opensearchpy",)

    @cached_property
    def cluster(self) -> Cluster:
        """The cluster that the environment names."""
        return connect()

    def vector_body(self, vector: Sequence[float], k: int) -> dict[str, Any]:
        """The body of a search for the nearest neighbours of a vector."""
        return nearest(self.fields.vector, vector, k)
