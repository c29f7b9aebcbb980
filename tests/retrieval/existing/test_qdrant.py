"""Qdrant collections of others: rankings are those of its own client."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.retrieval.qdrant.conftest import QdrantServer, server  # noqa: F401  a fixture
from tests.zoo import engines
from xorqa.core.errors import ConfigError, DataError, Notice
from xorqa.core.registry import build
from xorqa.core.types import Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load as load_mini
from xorqa.models.encoder import Encoder, EncoderSettings
from xorqa.retrieval.existing.qdrant import QdrantCollection

qdrant_client = pytest.importorskip("qdrant_client")

PASSAGES = load_mini().corpora["fi"].passages[:40]
CORPUS = Corpus("world", PASSAGES)
QUERIES = [
    Query(Question(str(number), one.text[:50], "fi"), one.text[:50], "fi")
    for number, one in enumerate(PASSAGES[:10])
]
FIELDS = {**engines.FIELDS, "vector": "passage"}


def table(tiny: Path) -> dict[str, Any]:
    return {"model": str(tiny), "pooling": "mean", "normalize": True, "dtype": "float32"}


@pytest.fixture(scope="module")
def vectors(tiny: Path) -> Any:
    """The vectors of the passages, in order."""
    return Encoder(EncoderSettings(**table(tiny))).passages([one.titled for one in PASSAGES])


@pytest.fixture
def folder(tmp_path: Path, vectors: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of Qdrant's embedded mode with a collection of other people."""
    monkeypatch.delenv("XORQA_QDRANT_URL", raising=False)
    client = qdrant_client.QdrantClient(path=str(tmp_path / "qdrant"))
    engines.fill_qdrant(client, "wiki", PASSAGES, vectors)
    client.close()
    return tmp_path / "qdrant"


def open_as(tiny: Path, **settings: Any) -> QdrantCollection:
    options = {"collection": "wiki", "encoder": table(tiny), "fields": FIELDS, **settings}
    corpus = options.pop("corpus", CORPUS)
    stage = build("retriever", {"use": "qdrant-collection", **options}, corpus=corpus, folder=None)
    assert isinstance(stage, QdrantCollection)
    return stage


def assert_same(retriever: QdrantCollection, client: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)  # the encoder is that of the collection
        rankings = retriever.retrieve(QUERIES, k=10)
    for vector, hits in zip(retriever.field.encode_queries(QUERIES), rankings, strict=True):
        points = client.query_points("wiki", query=vector, using="passage", limit=10).points
        assert [hit.passage.docid for hit in hits] == [point.payload["pid"] for point in points]
        assert [hit.score for hit in hits] == pytest.approx([point.score for point in points])
        assert all(hit.passage == CORPUS[hit.passage.docid] for hit in hits)


def test_a_folder_ranks_as_the_client_does(folder: Path, tiny: Path) -> None:
    retriever = open_as(tiny, path=str(folder))
    client = qdrant_client.QdrantClient(path=str(folder))  # which locks the folder
    assert_same(retriever, client)
    client.close()


def test_a_server_ranks_as_the_client_does(
    server: QdrantServer,  # noqa: F811
    vectors: Any,
    tiny: Path,
) -> None:
    engines.fill_qdrant(server.engine, "wiki", PASSAGES, vectors)
    assert_same(open_as(tiny), server.engine)


def test_what_it_lacks_is_refused_or_noticed(folder: Path, tiny: Path, make_tiny: Any) -> None:
    with pytest.raises(ConfigError, match=r"has no vector 'title'; .* passage, summary"):
        open_as(tiny, path=str(folder), fields={**FIELDS, "vector": "title"}).build()
    with pytest.raises(DataError, match="has no collection other; it has: wiki"):
        open_as(tiny, path=str(folder), collection="other").build()
    with pytest.raises(DataError, match="has no field 'body'"):
        open_as(tiny, path=str(folder), fields={**FIELDS, "text": "body"}).build()
    with pytest.raises(DataError, match="is not a folder of Qdrant"):
        open_as(tiny, path=str(folder / "nowhere")).build()
    with pytest.raises(ConfigError, match="needs url or path, or set XORQA_QDRANT_URL"):
        open_as(tiny)
    with pytest.raises(ConfigError, match="cannot rebuild it"):
        open_as(tiny, path=str(folder)).build(rebuild=True)
    with pytest.warns(Notice, match="have another vector when encoded again"):
        open_as(tiny, path=str(folder), encoder=table(make_tiny(seed=9))).build()


def test_payloads_without_text_take_the_corpus(folder: Path, tiny: Path) -> None:
    fields = {"docid": "pid", "text": "", "vector": "passage"}
    [hits] = open_as(tiny, path=str(folder), fields=fields).retrieve(QUERIES[:1], k=3)
    assert all(hit.passage is CORPUS[hit.passage.docid] for hit in hits)


def test_health(folder: Path, tiny: Path) -> None:
    checks = open_as(tiny, path=str(folder)).health(PASSAGES[:8])
    notes = {name: check() for name, check in checks.items()}
    assert notes["index"] == f"40 points in wiki at {folder}"
    assert "8 passages encoded again" in notes["vectors"]
    assert "rank first" in notes["search"]
