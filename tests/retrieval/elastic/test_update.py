"""Updating a corpus in a cluster."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.retrieval.elastic.test_store import CORPUS, elastic, stored_indexes
from tests.zoo.hub import LoopbackHub
from xorqa.core.errors import IndexMismatchError
from xorqa.core.registry import build
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus, apply_changes
from xorqa.retrieval.elastic import store
from xorqa.retrieval.elastic.client import connect
from xorqa.retrieval.elastic.retriever import Elastic

GIVEN = [
    Passage("en-07", "River 7 dried up.", "Rivers"),
    Passage("en-99", "River 7 and river 9 meet.", "Rivers"),
    Passage("en-03", "Joki 3 siirtyi.", "Joet", "fi"),
    Passage("sv-01", "Floden 7 rinner.", "Floder", "sv"),
]
NEW, _ = apply_changes(CORPUS, GIVEN, ["en-11", "fi-02"])


@pytest.fixture
def folder(middle: Any, tmp_path: Path) -> Path:
    """The folder that an index's name is made from; nothing is written to it."""
    return tmp_path / tmp_path.name


def query(text: str, lang: str) -> Query:
    return Query(Question("q", text, lang), text, lang)


def rankings(retriever: Elastic) -> list[list[tuple[str, float]]]:
    queries = [query("river 7", "en"), query("joki 3", "fi"), query("floden", "sv")]
    hits = retriever.retrieve(queries, k=5)
    return [[(hit.passage.docid, round(hit.score, 4)) for hit in ranking] for ranking in hits]


def updated(folder: Path, new: Corpus = NEW, **settings: Any) -> tuple[Elastic, int]:
    earlier, later = elastic(folder, **settings), elastic(folder, new, **settings)
    return later, later.update(earlier)


def test_an_updated_index_ranks_as_a_rebuilt_one(folder: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(store, "BATCH", 2)
    elastic(folder).build()
    later, written = updated(folder)
    assert written == len(GIVEN)
    rebuilt = elastic(folder.with_name("other"), NEW)
    rebuilt.build()
    assert rankings(later) == rankings(rebuilt)
    assert {index.live for index in stored_indexes(folder)} == {True}
    assert len(stored_indexes(folder)) == 3
    assert updated(folder)[1] == 0
    with pytest.raises(IndexMismatchError):
        elastic(folder).build()


def test_only_changed_passages_are_encoded(folder: Path, monkeypatch: Any) -> None:
    settings = {"search": "dense"}
    earlier, later = elastic(folder, **settings), elastic(folder, NEW, **settings)
    assert earlier.vectors and later.vectors
    encoded: list[str] = []

    def encode(passages: list[Passage]) -> list[list[float]]:
        encoded.extend(passage.docid for passage in passages)
        return [[float(len(p.text)), 1.0, float(ord(p.docid[-1]))] for p in passages]

    for retriever in (earlier, later):
        monkeypatch.setattr(retriever.vectors, "encode", encode)
    earlier.build()
    encoded.clear()
    later.update(earlier)
    assert sorted(encoded) == sorted(passage.docid for passage in GIVEN)
    knn = {"field": "vector", "query_vector": [0.0, 0.0, 1.0], "k": 45, "num_candidates": 100}
    names = [later.store.alias(lang) for lang in later.store.rows]
    hits = connect().client.search(index=names, knn=knn, size=45)["hits"]["hits"]
    assert {hit["_id"] for hit in hits} == {passage.docid for passage in NEW}


def test_a_killed_update_leaves_the_live_index_and_starts_again(
    folder: Path, monkeypatch: Any
) -> None:
    elastic(folder).build()
    before = rankings(elastic(folder))

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "change_documents", killed)
        with pytest.raises(KeyboardInterrupt):
            updated(folder)
    assert rankings(elastic(folder)) == before
    later, _ = updated(folder)
    assert later.store.corpus is NEW
    assert {index.live for index in stored_indexes(folder)} == {True}


@pytest.mark.parametrize("use", ["elastic", "opensearch"])
def test_indexes_and_their_copies_record_the_commit_and_a_killed_build_resumes(
    use: str,
    request: pytest.FixtureRequest,
    hub: LoopbackHub,
    tiny: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = request.getfixturevalue("middle" if use == "elastic" else use)
    monkeypatch.setattr(store, "BATCH", 1)
    shutil.copytree(tiny, hub.folder / "owner" / "tiny")
    hub.branches["owner/tiny"] = "a" * 40
    encoder = {"model": "owner/tiny", "pooling": "mean"}
    table = {"use": use, "search": "dense", "encoder": encoder}
    folder = tmp_path / tmp_path.name
    old = Corpus("rivers", [Passage(name, f"The {name}.", lang="en") for name in "abcd"])
    new = Corpus("rivers", [*old.passages[1:], Passage("e", "Another.", lang="en")])

    def killed(done: int, total: int) -> None:
        if done >= 2:
            raise KeyboardInterrupt

    earlier, later = (build("retriever", table, corpus=c, folder=folder) for c in (old, new))
    with pytest.raises(KeyboardInterrupt):
        earlier.build(progress=killed)
    loads = server.asked("_bulk")
    earlier.build()
    assert server.asked("_bulk") - loads == len(old) - 2
    assert [index.meta["commits"] for index in earlier.store.stored()] == [{"owner/tiny": "a" * 40}]
    assert later.update(earlier) == 1
    assert [index.meta["commits"] for index in later.store.stored()] == [{"owner/tiny": "a" * 40}]
