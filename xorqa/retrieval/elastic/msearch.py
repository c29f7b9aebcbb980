"""Searches as Elasticsearch wants them, many in one request, and what they found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .client import Cluster

AT_ONCE = 64  # searches a request
MOST_CHARACTERS = 1000  # of a query; clusters limit its tokens (1024 or more)

Found = list[tuple[str, float]]
"""Docids and scores, best first."""


def lexical(text: str) -> dict[str, Any]:
    """BM25 over title and text as if they were one field (Robertson et al. 2004, BM25F)."""
    text = whole(text[:MOST_CHARACTERS])
    return {"combined_fields": {"query": text, "fields": ["title", "text"]}}


def by_bm25(text: str, k: int) -> dict[str, Any]:
    """The best passages for a text, equal scores by row, and so by docid."""
    return {"query": lexical(text), "size": k, "sort": [{"_score": "desc"}, {"row": "asc"}]}


def by_vector(knn: Mapping[str, Any]) -> dict[str, Any]:
    """The nearest passages."""
    return {"knn": dict(knn), "size": knn["k"]}


def by_both(text: str, knn: Mapping[str, Any], *, constant: int) -> dict[str, Any]:
    """Both rankings, fused in the cluster by reciprocal rank."""
    both = [{"standard": {"query": lexical(text)}}, {"knn": dict(knn)}]
    fusion = {"retrievers": both, "rank_constant": constant, "rank_window_size": knn["k"]}
    return {"retriever": {"rrf": fusion}, "size": knn["k"]}


def run(
    cluster: Cluster, searches: Sequence[tuple[Sequence[str], Mapping[str, Any]]]
) -> Iterator[Found]:
    """What each search finds in its indexes (aliases).

    Raises:
        UnlicensedError: if the licence does not include it.
        ClusterError: if one fails, or only some of an index answers.
    """
    for start in range(0, len(searches), AT_ONCE):
        lines: list[Mapping[str, Any]] = []
        for indexes, body in searches[start : start + AT_ONCE]:
            lines.append({"index": list(indexes), "allow_partial_search_results": False})
            lines.append({"_source": False, "track_total_hits": False, **body})
        with cluster.told():
            answers = cluster.client.msearch(searches=lines)["responses"]
        for answer in answers:
            if "error" in answer:
                raise cluster.refusal(answer["status"], answer["error"])
            yield [(str(hit["_id"]), float(hit["_score"])) for hit in answer["hits"]["hits"]]


def whole(text: str) -> str:
    """The text without half surrogate pairs, which JSON in UTF-8 cannot hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
