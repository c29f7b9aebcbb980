"""Indexes of others in Elasticsearch and OpenSearch: rankings are those of their own clients."""

from __future__ import annotations

import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.retrieval.elastic.conftest import Middle, as_opensearch, running
from tests.zoo import engines
from xorqa.core.errors import ConfigError, DataError, IndexMismatchError, Notice
from xorqa.core.registry import build
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load as load_mini
from xorqa.io.cache import Cache
from xorqa.models.encoder import Encoder, EncoderSettings
from xorqa.retrieval.elastic.client import ClusterError
from xorqa.retrieval.existing.elastic import ElasticIndex

pytest.importorskip("elasticsearch")
pytest.importorskip("opensearchpy")

WORLD = load_mini().corpora
PASSAGES = [*WORLD["fi"].passages[:20], *WORLD["en"].passages[:20]]
CORPUS = Corpus("world", PASSAGES)
QUERIES = [
    Query(Question(str(number), one.text[:50], one.lang), one.text[:50], one.lang)
    for number, one in enumerate(PASSAGES[::6])
]
VECTOR = {**engines.FIELDS, "vector": "embedding"}


def table(tiny: Path) -> dict[str, Any]:
    return {"model": str(tiny), "pooling": "mean", "normalize": True, "dtype": "float32"}


@pytest.fixture(scope="module")
def index(noida: str, tiny: Path) -> Iterator[str]:
    """The name of an index with other fields in the local cluster."""
    name = f"wiki-{uuid.uuid4().hex[:8]}"
    vectors = Encoder(EncoderSettings(**table(tiny))).passages([one.titled for one in PASSAGES])
    engines.fill_elastic(compatible(noida), name, PASSAGES, vectors)
    yield name
    compatible(noida).indices.delete(index=name)


def compatible(url: str) -> Any:
    """A client that sends plain JSON, as both engines accept."""
    from opensearchpy import OpenSearch

    return OpenSearch(hosts=[url])


@pytest.fixture(params=["elastic-index", "opensearch-index"])
def use(request: pytest.FixtureRequest) -> str:
    """The retriever over each engine."""
    return str(request.param)


@pytest.fixture
def middle(noida: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Middle]:
    """A server before the local one, named in the environment for both engines.

    It answers OpenSearch's kNN queries, which the local server does not know.
    """
    for between in running(noida):
        between.answer = as_opensearch(noida)
        monkeypatch.setenv("XORQA_ELASTIC_URL", between.url)
        monkeypatch.setenv("XORQA_OPENSEARCH_URL", between.url)
        yield between


def open_as(use: str, index: str, **settings: Any) -> ElasticIndex:
    options = {"use": use, "index": index, "fields": engines.FIELDS, **settings}
    stage = build("retriever", options, corpus=CORPUS, folder=Path("unused"))
    assert isinstance(stage, ElasticIndex)
    return stage


def own(noida: str, index: str, body: dict[str, Any]) -> list[tuple[str, float]]:
    """The docids and scores that the engine's own client returns."""
    hits = compatible(noida).search(index=index, body=body)["hits"]["hits"]
    scored = [(hit["_source"]["pid"], hit["_score"]) for hit in hits]
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def found(retriever: ElasticIndex, query: Query, k: int = 10) -> list[tuple[str, float]]:
    [hits] = retriever.retrieve([query], k=k)
    return [(hit.passage.docid, hit.score) for hit in hits]


def test_bm25_ranks_as_the_client_does(middle: Middle, noida: str, index: str, use: str) -> None:
    for match in ("best_fields", "most_fields", "cross_fields", "combined_fields"):
        retriever = open_as(use, index, match=match)
        for query in QUERIES:
            asked: dict[str, Any] = {"query": query.text, "fields": ["heading", "page.body"]}
            clause = {"multi_match": asked | {"type": match}}
            if match == "combined_fields":
                clause = {"combined_fields": asked}
            assert found(retriever, query) == own(noida, index, {"query": clause, "size": 10})
    [hits] = open_as(use, index).retrieve(QUERIES[:1], k=1)
    assert hits[0].passage == PASSAGES[0]


def test_other_fields_are_searched_with_boosts(
    middle: Middle, noida: str, index: str, use: str
) -> None:
    fields = ["heading^3", "page.body"]
    retriever = open_as(use, index, searched=fields)
    clause = {"query": QUERIES[1].text, "fields": fields, "type": "best_fields"}
    assert found(retriever, QUERIES[1]) == own(noida, index, {"query": {"multi_match": clause}})


def test_vectors_rank_as_the_client_does(
    middle: Middle, noida: str, index: str, use: str, tiny: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)  # the encoder is that of the index
        retriever = open_as(use, index, search="dense", encoder=table(tiny), fields=VECTOR)
        rankings = [found(retriever, query) for query in QUERIES]
    vectors = Encoder(EncoderSettings(**table(tiny))).queries([q.question.text for q in QUERIES])
    for ranking, vector in zip(rankings, vectors.tolist(), strict=True):
        knn = {"field": "embedding", "query_vector": vector, "k": 10, "num_candidates": 100}
        expected = own(noida, index, {"knn": knn, "size": 10})
        assert [docid for docid, _ in ranking] == [docid for docid, _ in expected]
        scores = [score for _, score in expected]
        assert [score for _, score in ranking] == pytest.approx(scores, abs=1e-5)


def test_both_are_fused(middle: Middle, index: str, use: str, tiny: Path) -> None:
    options = {"encoder": table(tiny), "fields": VECTOR}
    hybrid = open_as(use, index, search="hybrid", **options)
    lexical = found(open_as(use, index), QUERIES[0], k=100)
    dense = found(open_as(use, index, search="dense", **options), QUERIES[0], k=100)
    expected: dict[str, float] = {}
    for ranking in (lexical, dense):
        for rank, (docid, _) in enumerate(ranking, 1):
            expected[docid] = expected.get(docid, 0) + 1 / (60 + rank)
    best = sorted(expected, key=lambda docid: (-expected[docid], docid))[:10]
    assert [docid for docid, _ in found(hybrid, QUERIES[0])] == best


def test_passages_without_a_text_field_come_from_the_corpus(
    middle: Middle, index: str, use: str
) -> None:
    fields = {"docid": "pid", "text": ""}
    [hits] = open_as(use, index, fields=fields, searched=["page.body"]).retrieve(QUERIES[:1], k=3)
    assert all(hit.passage is CORPUS[hit.passage.docid] for hit in hits)
    fewer = Corpus("fewer", PASSAGES[-2:])
    options = {"use": use, "index": index, "fields": fields, "searched": ["page.body"]}
    with pytest.raises(DataError, match="which corpus fewer lacks"):
        build("retriever", options, corpus=fewer, folder=None).retrieve(QUERIES, k=3)


def test_the_language_is_that_of_the_field_the_setting_or_the_corpus(
    middle: Middle, index: str, use: str
) -> None:
    fields = {**engines.FIELDS, "lang": ""}
    with pytest.raises(ConfigError, match="set lang, or the name of the field"):
        open_as(use, index, fields=fields).retrieve(QUERIES[:1], k=1)
    [hits] = open_as(use, index, fields=fields, lang="ko").retrieve(QUERIES[:1], k=1)
    assert hits[0].passage.lang == "ko"


def test_without_a_corpus(middle: Middle, index: str, use: str) -> None:
    options = {"use": use, "index": index, "fields": engines.FIELDS}
    retriever = build("retriever", options)
    [hits] = retriever.retrieve(QUERIES[:1], k=1)
    assert hits[0].passage == PASSAGES[0]
    assert retriever.fingerprint()


def test_what_the_index_lacks_is_refused(
    middle: Middle, index: str, use: str, tiny: Path, make_tiny: Any
) -> None:
    with pytest.raises(ConfigError, match=r"no field 'titel'; its fields: embedding, heading"):
        open_as(use, index, fields={"title": "titel"}).build()
    with pytest.raises(ConfigError, match="no field 'body'"):
        open_as(use, index, searched=["body^2"]).build()
    with pytest.raises(ConfigError, match="needs encoder, and the field of the vectors"):
        open_as(use, index, search="dense")
    with pytest.raises((DataError, ClusterError), match=r"no such index|has no index"):
        open_as(use, "nowhere").build()
    with pytest.raises(ConfigError, match="cannot rebuild it"):
        open_as(use, index).build(rebuild=True)
    with pytest.warns(Notice, match="have another vector when encoded again"):
        other = {**table(tiny), "model": str(make_tiny(seed=9))}
        open_as(use, index, search="dense", encoder=other, fields=VECTOR).build()
    wide = {**table(tiny), "model": str(make_tiny(seed=1))}
    retriever = open_as(use, index, search="dense", encoder=wide, fields=VECTOR)
    assert retriever.field is not None
    retriever.field.encoder.__dict__["_query_tower"] = type("Wide", (), {"dimensions": 64})()
    with pytest.raises(IndexMismatchError, match=r"of 32 dimensions, encoder .* of 64"):
        retriever.build()


def test_a_change_of_the_index_changes_the_fingerprint(
    middle: Middle, noida: str, use: str
) -> None:
    client, name = compatible(noida), f"changing-{uuid.uuid4().hex[:8]}"
    client.index(index=name, id="1", body={"text": "One."}, refresh=True)
    options = {"use": use, "index": name, "lang": "en"}
    before = build("retriever", options).fingerprint()
    assert before == build("retriever", options).fingerprint()
    client.index(index=name, id="1", body={"text": "Two."}, refresh=True)
    assert before != build("retriever", options).fingerprint()
    client.indices.delete(index=name)


def test_health(middle: Middle, index: str, use: str, tiny: Path) -> None:
    retriever = open_as(use, index, search="dense", encoder=table(tiny), fields=VECTOR)
    notes = {name: check() for name, check in retriever.health(PASSAGES[:8]).items()}
    assert notes["index"].startswith(f"40 documents in {index} at {middle.url}")
    assert "8 passages encoded again" in notes["vectors"]
    assert "rank first" in notes["search"]


def test_errors_of_opensearch_are_one_line(
    middle: Middle, index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = middle.url.replace("http://", "http://me:secret-word@")
    monkeypatch.setenv("XORQA_OPENSEARCH_URL", secret)
    middle.answer = lambda method, path, body: (401, {"error": "not secret-word", "status": 401})
    with pytest.raises(
        ClusterError, match="rejects the credentials; set XORQA_OPENSEARCH"
    ) as error:
        open_as("opensearch-index", index).build()
    assert "secret-word" not in str(error.value)
    middle.answer = lambda method, path, body: (200, {"version": {"number": "1.3.0"}})
    with pytest.raises(ClusterError, match=r"is version 1\.3\.0; OpenSearch 2.0 or later"):
        open_as("opensearch-index", index).build()
    middle.answer = lambda method, path, body: None
    monkeypatch.setenv("XORQA_OPENSEARCH_URL", "http://127.0.0.1:9")
    with pytest.raises(ClusterError, match="cannot be reached; start it or set XORQA_OPENSEARCH"):
        open_as("opensearch-index", index).build()
    monkeypatch.delenv("XORQA_OPENSEARCH_URL")
    with pytest.raises(ConfigError, match="no cluster is configured"):
        open_as("opensearch-index", index).build()


def test_a_document_without_its_text_is_named(middle: Middle, noida: str, use: str) -> None:
    client, name = compatible(noida), f"partial-{uuid.uuid4().hex[:8]}"
    client.index(index=name, id="1", body={"text": "One.", "title": "A"}, refresh=True)
    client.index(index=name, id="2", body={"title": "Alone"}, refresh=True)
    query = Query(Question("q", "alone", "en"), "alone", "en")
    retriever = build(
        "retriever",
        {"use": use, "index": name, "lang": "en", "fields": {"title": "title"}},
        corpus=Corpus("x", [Passage("1", "One.")]),
    )
    with pytest.raises(DataError, match="document '2' has no field 'text'"):
        retriever.retrieve([query], k=3)
    client.indices.delete(index=name)


def test_a_cached_hit_has_the_text_of_the_index(
    middle: Middle, index: str, use: str, tmp_path: Path
) -> None:
    other = Corpus(
        "other", [Passage(one.docid, "Another text.", lang=one.lang) for one in PASSAGES]
    )
    options = {"use": use, "index": index, "fields": engines.FIELDS}
    retriever, cache = build("retriever", options, corpus=other), Cache(tmp_path / "stages.sqlite")
    for _ in range(2):
        [hits] = cache.retrieve(retriever, QUERIES[:1], other, k=1)
        assert hits[0].passage == PASSAGES[0]
