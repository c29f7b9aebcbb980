"""A corpus in an OpenSearch cluster: built, searched, resumed, updated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.retrieval.elastic.conftest import Middle
from tests.retrieval.elastic.test_retriever import CORPUS, ENGLISH, docids, query
from xorqa.core.errors import IndexMismatchError
from xorqa.core.registry import build
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus, apply_changes
from xorqa.retrieval.elastic import store
from xorqa.retrieval.elastic.client import ClusterError
from xorqa.retrieval.elastic.opensearch import OpenSearch

pytest.importorskip("opensearchpy")
QUERIES = [
    query("Where is the Nile?"),
    query("Lake Inari"),
    query("joki", "fi"),
    query("Nile", "xx"),
]
GIVEN = [Passage("c", "The Rhine dried up.", "Rhine"), Passage("e", "A new Nile.", "Nile")]
NEW, _ = apply_changes(ENGLISH, GIVEN, ["d"])


@pytest.fixture
def folder(opensearch: Middle, tmp_path: Path) -> Path:
    """The folder that an index's name is made from; nothing is written to it."""
    return tmp_path / tmp_path.name


def made(folder: Path, tiny: Path, corpus: Corpus = CORPUS, **settings: Any) -> OpenSearch:
    if settings.get("search", "bm25") != "bm25":
        settings |= {"encoder": {"model": str(tiny), "pooling": "mean"}}
    stage = build("retriever", {"use": "opensearch", **settings}, corpus=corpus, folder=folder)
    assert isinstance(stage, OpenSearch)
    return stage


def rankings(retriever: Any) -> list[list[tuple[str, float]]]:
    hits = retriever.retrieve(QUERIES, k=4)
    return [[(hit.passage.docid, round(hit.score, 3)) for hit in ranking] for ranking in hits]


def test_bm25_ranks_as_elasticsearch_does(folder: Path, tiny: Path) -> None:
    ours = made(folder, tiny)
    elastic = build("retriever", {"use": "elastic"}, corpus=CORPUS, folder=folder)
    elastic.store.__dict__["base"] = f"{elastic.store.base}-other"
    assert rankings(ours) == rankings(elastic)
    assert docids(ours.retrieve(QUERIES, k=1)[0]) == ["a"]
    assert ours.fingerprint() == made(folder, tiny).fingerprint() != elastic.fingerprint()


def test_vectors_rank_as_exact_dense_retrieval(folder: Path, tiny: Path, tmp_path: Path) -> None:
    table = {"use": "dense", "encoder": str(tiny), "pooling": "mean"}
    exact = build("retriever", table, corpus=CORPUS, folder=tmp_path / "dense")
    expected = exact.retrieve(QUERIES, k=4)
    found = made(folder, tiny, search="dense").retrieve(QUERIES, k=4)
    for ours, theirs in zip(found, expected, strict=True):
        assert docids(ours) == docids(theirs)
        assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in theirs], abs=1e-3)


def test_both_are_fused(folder: Path, tiny: Path) -> None:
    hits = made(folder, tiny, ENGLISH, search="hybrid").retrieve(QUERIES[:1], k=4)[0]
    assert len(hits) == 4 and {"a", "b"} <= {*docids(hits)}


def test_a_killed_build_resumes(
    folder: Path, tiny: Path, opensearch: Middle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BATCH", 1)

    def killed(done: int, total: int) -> None:
        if done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(folder, tiny, ENGLISH).build(progress=killed)
    before = opensearch.asked("_bulk")
    retriever = made(folder, tiny, ENGLISH)
    retriever.build()
    assert opensearch.asked("_bulk") - before == len(ENGLISH) - 2
    assert docids(retriever.retrieve(QUERIES[:1], k=4)[0]) == ["a", "b"]


def test_an_update_writes_what_changed(folder: Path, tiny: Path) -> None:
    earlier = made(folder, tiny, ENGLISH)
    earlier.build()
    later = made(folder, tiny, NEW)
    assert later.update(earlier) == len(GIVEN)
    rebuilt = made(folder.with_name("rebuilt"), tiny, NEW)
    assert rankings(later) == rankings(rebuilt)
    with pytest.raises(IndexMismatchError):
        made(folder, tiny, ENGLISH).build()


def test_an_older_version_is_refused(folder: Path, tiny: Path, opensearch: Middle) -> None:
    opensearch.answer = lambda method, path, body: (200, {"version": {"number": "2.19.1"}})
    with pytest.raises(ClusterError, match=r"is version 2\.19\.1; OpenSearch 3\.2 or later"):
        made(folder, tiny).build()
