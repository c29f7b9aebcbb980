"""Loading: all of it, once, in spite of a busy, read-only, full or vanishing cluster."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from xorqa.retrieval.elastic import indexes, store
from xorqa.retrieval.elastic.client import Cluster, ClusterError, connect

ROWS = list(range(0, 50, 2))  # of one language among others
BUSY = (429, {"error": {"type": "es_rejected_execution_exception", "reason": "queue is full"}})


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BATCH", 10)
    monkeypatch.setattr(store, "INITIAL_BACKOFF", 0.001)


@pytest.fixture
def index(cluster: str, middle: Any) -> str:
    name = f"{cluster}-bulk-{uuid.uuid4().hex[:8]}"
    body = indexes.index_body({"analyzer": "standard"}, k1=0.9, b=0.4, vectors=None)
    connect().client.indices.create(index=name, **body)
    return name


def documents(rows: Sequence[int]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for row in rows:
        yield f"d{row}", {"lang": "en", "title": "", "text": f"number {row}"}


def load(index: str, *, given: store.Documents = documents) -> list[int]:
    told: list[int] = []
    store.load_documents(connect(), index, ROWS, given, told.append)
    return told


def rows_in(index: str) -> list[int]:
    client = connect().client
    client.indices.refresh(index=index)
    return sorted(
        hit["_source"]["row"] for hit in client.search(index=index, size=99)["hits"]["hits"]
    )


def sent(middle: Any) -> list[int]:
    """Keeps the rows of every bulk request; returns the list they are kept in."""
    rows: list[int] = []

    def keep(method: str, path: str, body: bytes) -> None:
        if "_bulk" in path:
            lines = [json.loads(line) for line in body.splitlines()]
            rows.extend(line["row"] for line in lines if "row" in line)

    middle.answer = keep
    return rows


def test_everything_is_loaded_in_batches(index: str, middle: Any) -> None:
    assert load(index) == [10, 20, 25]
    assert rows_in(index) == ROWS
    assert middle.asked("_bulk") == 3


def test_a_busy_cluster_is_asked_again(index: str, middle: Any) -> None:
    middle.answer = lambda method, path, body: (
        BUSY if "_bulk" in path and middle.asked("_bulk") % 3 else None
    )
    load(index)
    assert rows_in(index) == ROWS


def test_only_rejected_passages_are_sent_again(index: str, middle: Any) -> None:
    rejected = {"create": {"_id": "0", "status": 429, **BUSY[1]}}
    rows = sent(middle)
    keep = middle.answer

    def reject(method: str, path: str, body: bytes) -> Any:
        keep(method, path, body)
        if middle.asked("_bulk") == 1 and "_bulk" in path:
            return 200, {"errors": True, "items": [rejected] * 10}
        return None

    middle.answer = reject
    load(index)
    assert rows == ROWS[:10] * 2 + ROWS[10:]
    assert rows_in(index) == ROWS


def test_a_cluster_that_stays_busy(index: str, middle: Any) -> None:
    middle.answer = lambda method, path, body: BUSY if "_bulk" in path else None
    with (
        pytest.raises(ClusterError, match="is overloaded; run again later"),
        connect().readable_errors(),
    ):
        load(index)
    assert middle.asked("_bulk") == store.MAX_RETRIES + 1


def test_a_killed_load_goes_on_where_it_was(index: str, middle: Any) -> None:
    def killed(rows: Sequence[int]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        if rows[0] == ROWS[20]:
            raise KeyboardInterrupt
        return documents(rows)

    with pytest.raises(KeyboardInterrupt):
        load(index, given=killed)
    there = rows_in(index)
    assert 0 < len(there) < len(ROWS)
    rows = sent(middle)
    load(index)
    assert rows == ROWS[len(there) :]
    assert rows_in(index) == ROWS


def test_a_gap_is_filled_and_nothing_is_written_twice(index: str) -> None:
    load(index)
    connect().client.delete(index=index, id=f"d{ROWS[7]}")
    load(index)
    assert rows_in(index) == ROWS
    versions = connect().client.search(index=index, size=99, version=True)["hits"]["hits"]
    assert {hit["_version"] for hit in versions if hit["_id"] != f"d{ROWS[7]}"} == {1}


def test_a_lost_answer_is_no_double(index: str, middle: Any) -> None:
    lost = iter([True])

    def lose(method: str, path: str, body: bytes) -> Any:
        if "_bulk" in path and next(lost, False):
            direct = Cluster(connect().client, "", 1)
            direct.client.bulk(operations=[json.loads(line) for line in body.splitlines()])
            return 503, {}
        return None

    middle.answer = lose
    load(index)
    assert rows_in(index) == ROWS


@pytest.mark.parametrize(
    ("block", "meaning"),
    [
        ("write", "is read-only; lift the block and run again ("),
        ("read_only_allow_delete", "is full; free space in it and run again ("),
    ],
)
def test_read_only_and_full(index: str, middle: Any, block: str, meaning: str) -> None:
    client = connect().client
    client.indices.put_settings(index=index, settings={f"index.blocks.{block}": True})
    with pytest.raises(ClusterError) as error, connect().readable_errors():
        load(index)
    assert str(error.value).startswith(f"the cluster at {middle.url} {meaning}")
    assert "\n" not in str(error.value)
    client.indices.put_settings(index=index, settings={f"index.blocks.{block}": None})
    load(index)
    assert rows_in(index) == ROWS


def test_passages_that_vanish(index: str, middle: Any) -> None:
    done = {"create": {"_id": "0", "status": 201, "result": "created"}}
    middle.answer = lambda method, path, body: (
        (200, {"errors": False, "items": [done] * (len(body.splitlines()) // 2)})
        if "_bulk" in path
        else None
    )
    with pytest.raises(ClusterError, match=f"lost passages of index {index}; run again"):
        load(index)
