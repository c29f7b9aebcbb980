"""Passages into an index: in order, no faster than the cluster takes them, and resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .client import Cluster

BATCH = 500  # passages a request
MOST_BYTES = 10_000_000  # a request; clusters take 100 MB, proxies often less
TRIES = 6
FIRST_WAIT = 0.5  # seconds, doubled with every try

Documents = Callable[[Sequence[int]], Iterator[tuple[str, Mapping[str, Any]]]]
"""The ids and fields of the documents of some rows."""


def load(
    cluster: Cluster,
    index: str,
    rows: Sequence[int],
    documents: Documents,
    progress: Callable[[int], None],
) -> None:
    """Load the documents of some rows, in order; those that are there are left as they are.

    Rejected documents are sent again, later and later, before others follow. A document is
    created but never overwritten: a deleted document would count in BM25 until a merge.

    Raises:
        ClusterError: if the cluster refuses documents, or holds fewer than it took.
    """
    from elasticsearch.helpers import streaming_bulk

    client = cluster.client
    done = _loaded(cluster, index, rows)
    for ok, answer in streaming_bulk(
        client.options(retry_on_timeout=True),
        _actions(index, rows[done:], documents),
        chunk_size=BATCH,
        max_chunk_bytes=MOST_BYTES,
        max_retries=TRIES,
        initial_backoff=FIRST_WAIT,
        raise_on_error=False,
    ):
        result = answer["create"]
        if not ok and result["status"] != 409:  # 409: it is there
            raise cluster.refusal(result["status"], result["error"])
        done += 1
        if done % BATCH == 0:
            progress(done)
    if _loaded(cluster, index, rows) < len(rows):
        raise cluster.error(f"has lost passages of index {index}; run again to load them")
    progress(len(rows))


def _loaded(cluster: Cluster, index: str, rows: Sequence[int]) -> int:
    """How many of the rows are there, from the first one on; 0 if there is a gap."""
    cluster.client.indices.refresh(index=index)
    last = {"last": {"max": {"field": "row"}}}
    found = cluster.client.search(index=index, size=0, track_total_hits=True, aggs=last)
    count = int(found["hits"]["total"]["value"])
    unbroken = 0 < count <= len(rows) and found["aggregations"]["last"]["value"] == rows[count - 1]
    return count if unbroken else 0


def _actions(index: str, rows: Sequence[int], documents: Documents) -> Iterator[dict[str, Any]]:
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        for row, (docid, fields) in zip(some, documents(some), strict=True):
            yield {"_op_type": "create", "_index": index, "_id": docid, "row": row, **fields}
