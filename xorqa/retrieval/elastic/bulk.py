"""Bulk loading of passages: in order, with backoff, and resumable."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .client import Cluster

BATCH = 500  # passages per request
MAX_BYTES = 10_000_000  # per request; clusters accept 100 MB, proxies often less
MAX_RETRIES = 6
INITIAL_BACKOFF = 0.5  # seconds, doubled with every retry

Documents = Callable[[Sequence[int]], Iterator[tuple[str, Mapping[str, Any]]]]
"""Returns the ids and fields of the documents of the given rows."""


def load(
    cluster: Cluster,
    index: str,
    rows: Sequence[int],
    documents: Documents,
    progress: Callable[[int], None],
) -> None:
    """Load the documents of the rows in order; documents already loaded are kept.

    Rejected documents are retried with exponential backoff before others follow. Documents are
    never overwritten, because a deleted document counts in BM25 until segments are merged.

    Raises:
        ClusterError: if the cluster rejects documents, or holds fewer than it accepted.
    """
    loaded = _loaded_count(cluster, index, rows)
    for response in _sent(cluster, _actions(index, rows[loaded:], documents)):
        _check(cluster, response["create"], accepted=409)  # the document exists
        loaded += 1
        if loaded % BATCH == 0:
            progress(loaded)
    if _loaded_count(cluster, index, rows) < len(rows):
        raise cluster.error(f"lost passages of index {index}; run again to load them")
    progress(len(rows))


def change(
    cluster: Cluster,
    index: str,
    rows: Sequence[int],
    delete: Sequence[str],
    documents: Documents,
    progress: Callable[[int], None],
) -> None:
    """Delete documents by id, write those of the rows, and merge, as BM25 counts deleted ones.

    Raises:
        ClusterError: if the cluster rejects documents.
    """
    deletions = ({"_op_type": "delete", "_index": index, "_id": docid} for docid in delete)
    for response in _sent(cluster, deletions):
        _check(cluster, response["delete"], accepted=404)
    actions = _actions(index, rows, documents, operation="index")
    for written, response in enumerate(_sent(cluster, actions), 1):
        _check(cluster, response["index"])
        if written % BATCH == 0 or written == len(rows):
            progress(written)
    cluster.client.indices.forcemerge(index=index, max_num_segments=1)
    cluster.client.indices.refresh(index=index)


def _sent(cluster: Cluster, actions: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Send actions in order and yield their responses; rejected ones are sent again."""
    from elasticsearch.helpers import streaming_bulk

    for ok, response in streaming_bulk(
        cluster.client.options(retry_on_timeout=True),
        actions,
        chunk_size=BATCH,
        max_chunk_bytes=MAX_BYTES,
        max_retries=MAX_RETRIES,
        initial_backoff=INITIAL_BACKOFF,
        raise_on_error=False,
    ):
        yield {operation: {**result, "ok": ok} for operation, result in response.items()}


def _check(cluster: Cluster, result: Mapping[str, Any], *, accepted: int | None = None) -> None:
    if not result["ok"] and result["status"] != accepted:
        raise cluster.response_error(result["status"], result.get("error", {}))


def _loaded_count(cluster: Cluster, index: str, rows: Sequence[int]) -> int:
    """How many of the rows are loaded, without gaps from the first on; 0 if there is a gap."""
    cluster.client.indices.refresh(index=index)
    last = {"last": {"max": {"field": "row"}}}
    response = cluster.client.search(index=index, size=0, track_total_hits=True, aggs=last)
    count = int(response["hits"]["total"]["value"])
    last_row = response["aggregations"]["last"]["value"]
    return count if 0 < count <= len(rows) and last_row == rows[count - 1] else 0


def _actions(
    index: str, rows: Sequence[int], documents: Documents, *, operation: str = "create"
) -> Iterator[dict[str, Any]]:
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        for row, (docid, fields) in zip(batch, documents(batch), strict=True):
            yield {"_op_type": operation, "_index": index, "_id": docid, "row": row, **fields}
