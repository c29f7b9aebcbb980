"""Search bodies for Elasticsearch, sent many per request, and their results."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .client import Cluster

BATCH = 64  # searches per request
MAX_CHARACTERS = 1000  # of a query; clusters limit its tokens (1024 or more)

MIN_CANDIDATES, MAX_CANDIDATES = 100, 10_000  # of a kNN search; Elasticsearch's limit

Results = list[tuple[str, float]]
"""Docids and scores, best first."""


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


def knn_search(knn: Mapping[str, Any]) -> dict[str, Any]:
    """A nearest-neighbour search."""
    return {"knn": dict(knn), "size": knn["k"]}


def rrf_search(text: str, knn: Mapping[str, Any], *, constant: int) -> dict[str, Any]:
    """Both searches, fused in the cluster by reciprocal rank."""
    both = [{"standard": {"query": bm25_query(text)}}, {"knn": dict(knn)}]
    fusion = {"retrievers": both, "rank_constant": constant, "rank_window_size": knn["k"]}
    return {"retriever": {"rrf": fusion}, "size": knn["k"]}


def run(
    cluster: Cluster, searches: Sequence[tuple[Sequence[str], Mapping[str, Any]]]
) -> Iterator[Results]:
    """Run searches, each in its indexes (aliases).

    Raises:
        UnlicensedError: if the licence does not include a search.
        ClusterError: if a search fails, or only some shards respond.
    """
    for start in range(0, len(searches), BATCH):
        lines: list[Mapping[str, Any]] = []
        for indexes, body in searches[start : start + BATCH]:
            lines.append({"index": list(indexes), "allow_partial_search_results": False})
            lines.append({"_source": False, "track_total_hits": False, **body})
        with cluster.readable_errors():
            responses = cluster.client.msearch(searches=lines)["responses"]
        for response in responses:
            if "error" in response:
                raise cluster.response_error(response["status"], response["error"])
            yield [(str(hit["_id"]), float(hit["_score"])) for hit in response["hits"]["hits"]]


def valid_unicode(text: str) -> str:
    """The text with lone surrogates replaced, which JSON in UTF-8 cannot encode."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def inner_product(score: float) -> float:
    """The inner product x of a kNN score, which is 1 + x, or 1 / (1 - x) for negative x."""
    return score - 1 if score >= 1 else 1 - 1 / score
