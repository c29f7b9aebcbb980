"""Building, checking and replacing the indexes of a corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import DataError, IndexMismatchError
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.retrieval.elastic import indexes, store
from xorqa.retrieval.elastic.client import ClusterError, connect
from xorqa.retrieval.elastic.retriever import Elastic

PASSAGES = [
    *(Passage(f"en-{n:02d}", f"River {n} flows by town {n}.", "Rivers") for n in range(30)),
    *(Passage(f"fi-{n:02d}", f"Joki {n} virtaa.", "Joet", "fi") for n in range(15)),
]
CORPUS = Corpus("rivers & Lakes", PASSAGES)
QUERY = Query(Question("q", "river 7", "en"), "river 7", "en")


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BATCH", 10)
    monkeypatch.setattr(store, "INITIAL_BACKOFF", 0.001)


@pytest.fixture
def folder(middle: Any, tmp_path: Path) -> Path:
    """The folder that an index's name is made from; nothing is written to it."""
    return tmp_path / tmp_path.name


def elastic(folder: Path, corpus: Corpus = CORPUS, **settings: Any) -> Elastic:
    return Elastic(corpus=corpus, folder=folder, **settings)


def stored_indexes(folder: Path) -> list[indexes.StoredIndex]:
    return indexes.stored_indexes(connect().client, elastic(folder).store.base)


def docids(retriever: Elastic) -> list[str]:
    return [hit.passage.docid for hit in retriever.retrieve([QUERY], k=3)[0]]


def kill(done: int, total: int) -> None:
    if done >= 20:
        raise KeyboardInterrupt


def test_one_index_a_language_that_says_what_it_is(folder: Path, cluster: str) -> None:
    told: list[tuple[int, int]] = []
    elastic(folder).build(progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (45, 45)
    en, fi = stored_indexes(folder)
    assert en.name.startswith(f"{cluster}-rivers_lakes-")
    assert en.live and fi.live
    assert (en.meta["analyzer"], fi.meta["analyzer"]) == ("english", "finnish")
    assert en.meta["corpus_sha"] == CORPUS.sha
    assert not folder.exists()


def test_what_is_there_is_not_loaded_again(folder: Path, middle: Any) -> None:
    elastic(folder).build()
    loads = middle.asked("_bulk")
    elastic(folder).build()
    assert docids(elastic(folder))[0] == "en-07"
    assert middle.asked("_bulk") == loads


def test_a_killed_build_does_not_serve_and_is_resumed(folder: Path, middle: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        elastic(folder).build(progress=kill)
    [half] = stored_indexes(folder)
    assert not half.live
    loads = middle.asked("_bulk")
    elastic(folder).build()
    assert half.name in {index.name for index in stored_indexes(folder) if index.live}
    assert middle.asked("_bulk") - loads == 1 + 2  # the rest of English, and Finnish
    assert docids(elastic(folder))[0] == "en-07"


def test_what_was_left_half_loaded_for_something_else_goes(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        elastic(folder, k1=1.5).build(progress=kill)
    [half] = stored_indexes(folder)
    elastic(folder).build()
    assert half.name not in {index.name for index in stored_indexes(folder)}
    assert len(stored_indexes(folder)) == 2


def test_an_index_of_others_is_left_alone(folder: Path) -> None:
    others = f"{elastic(folder).store.base}-notes"
    connect().client.indices.create(index=others, aliases={f"{others}-alias": {}})
    elastic(folder).build()
    elastic(folder).build(rebuild=True)
    assert others not in {index.name for index in stored_indexes(folder)}
    assert connect().client.indices.exists(index=others)


def test_the_old_index_serves_until_the_new_one_is_whole(folder: Path) -> None:
    elastic(folder).build()
    old = {index.name for index in stored_indexes(folder)}
    served: list[set[str]] = []

    def look(done: int, total: int) -> None:
        served.append({index.name for index in stored_indexes(folder) if index.live})
        assert docids(elastic(folder))[0] == "en-07"

    elastic(folder).build(rebuild=True, progress=look)
    assert len(served) > 3
    assert all(names == old for names in served)
    new = {index.name for index in stored_indexes(folder)}
    assert len(new) == 2
    assert not new & old


def test_a_rebuild_that_fails_leaves_the_old_index(folder: Path, middle: Any) -> None:
    elastic(folder).build()
    full = {"type": "cluster_block_exception", "reason": "disk usage exceeded flood-stage"}
    middle.answer = lambda method, path, body: (429, {"error": full}) if "_bulk" in path else None
    with pytest.raises(ClusterError, match="is full"):
        elastic(folder).build(rebuild=True)
    assert docids(elastic(folder))[0] == "en-07"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k1": 1.2}, r"has k1 0.9, not 1.2; rebuild it with xorqa index --rebuild"),
        ({"b": 0.1}, "has b 0.4, not 0.1"),
        ({"analyzers": {"en": "standard"}}, "has analyzer 'english', not 'standard'"),
        ({"corpus": Corpus(CORPUS.name, PASSAGES[1:])}, "has corpus_sha"),
    ],
)
def test_an_index_of_something_else_is_refused(
    folder: Path, settings: dict[str, Any], message: str
) -> None:
    elastic(folder).build()
    with pytest.raises(IndexMismatchError, match=message):
        elastic(folder, **settings).retrieve([QUERY], k=1)
    other = elastic(folder, **settings)
    other.build(rebuild=True)
    assert other.retrieve([QUERY], k=1)[0]


def test_an_index_keeps_its_analyzers(folder: Path) -> None:
    elastic(folder, analyzers={"en": "standard"}).build()
    kept = elastic(folder)
    kept.build()
    assert kept.store.manifests()["en"]["analyzer"] == "standard"
    assert kept.fingerprint() == elastic(folder, analyzers={"en": "standard"}).fingerprint()


def test_passages_that_were_deleted(folder: Path) -> None:
    elastic(folder).build()
    client = connect().client
    client.delete(index=stored_indexes(folder)[0].name, id="en-03", refresh=True)
    with pytest.raises(DataError, match=r"holds 44 passages, not 45; rebuild it with xorqa "):
        elastic(folder).retrieve([QUERY], k=1)
    elastic(folder).build(rebuild=True)
    assert docids(elastic(folder))[0] == "en-07"


def test_another_corpus_that_was_loaded_meanwhile(folder: Path) -> None:
    running = elastic(folder)
    running.retrieve([QUERY], k=1)
    other = Corpus(CORPUS.name, [Passage("new", "River 7 flows.")])
    elastic(folder, other).build(rebuild=True)
    with pytest.raises(DataError, match="holds passage 'new', which corpus rivers & Lakes does"):
        running.retrieve([QUERY], k=1)


def test_corpora_and_folders_are_kept_apart() -> None:
    names = {
        indexes.base_name("x", corpus, folder)
        for corpus in ("mini.en", "mini_en", "MINI.en", "日本", "../*?")
        for folder in ("elastic", "elastic-12345678")
    }
    assert len(names) == 10
    assert all(name == name.lower() and not set(name) & set(' \\/*?"<>|,#:') for name in names)
    assert len(indexes.base_name("x", "c" * 1000, "f")) < 100


def test_no_secret_is_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XORQA_ELASTIC_API_KEY", "S3CR3T")
    retriever = elastic(folder)
    retriever.build()
    client = connect().client
    stored = [client.indices.get(index=index.name).body for index in stored_indexes(folder)]
    assert "S3CR3T" not in json.dumps([*stored, retriever.store.manifests()])
