"""Qdrant in a folder and on a server: built, resumed, searched, updated, refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.retrieval.qdrant.conftest import KEY, QdrantServer
from xorqa.cli import doctor
from xorqa.cli.index_checks import check_index
from xorqa.core.errors import ConfigError, DataError, IndexMismatchError, Notice
from xorqa.core.progress import silent
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus, apply_changes
from xorqa.datasets.mini import load as load_mini
from xorqa.retrieval import manifest
from xorqa.retrieval.over_corpus import retriever_over
from xorqa.retrieval.qdrant import collections
from xorqa.retrieval.qdrant.client import DatabaseError
from xorqa.retrieval.update import delete_superseded, update_indexes
from xorqa.retrieval.vectors.encoding import VectorField

pytest.importorskip("qdrant_client")

CORPUS = Corpus("rivers", load_mini().corpora["fi"].passages[:40])
FIRST, SECOND, *_, LAST = CORPUS.passages
GIVEN = [Passage(SECOND.docid, "It dried up.", lang="fi"), Passage("new", "Uusi joki.", lang="fi")]
NEW, _ = apply_changes(CORPUS, GIVEN, [LAST.docid])
QUERIES = [
    Query(Question(str(number), passage.text[:40], "fi"), passage.text[:40], "fi")
    for number, passage in enumerate(CORPUS.passages[:10])
]


@pytest.fixture(params=["folder", "server"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> QdrantServer | None:
    """A folder, None, or the server that the environment names."""
    monkeypatch.delenv("XORQA_QDRANT_URL", raising=False)
    if request.param == "folder":
        return None
    server: QdrantServer = request.getfixturevalue("server")
    return server


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The docids of the passages that were encoded."""
    docids: list[str] = []
    encode = VectorField.encode

    def recorded(self: VectorField, passages: Sequence[Passage]) -> list[list[float]]:
        docids.extend(passage.docid for passage in passages)
        return encode(self, passages)

    monkeypatch.setattr(VectorField, "encode", recorded)
    return docids


def pooled(encoder: Path) -> dict[str, str]:
    """The settings of a bare checkpoint."""
    return {"model": str(encoder), "pooling": "mean"}


def over(corpus: Corpus, indexes: Path, encoder: Path, **settings: Any) -> Any:
    """The retriever over a corpus, as a pipeline builds it."""
    table = {"use": "qdrant", "encoder": pooled(encoder), **settings}
    return retriever_over(corpus, table, manifest.folder_of(corpus, indexes))


def rankings(retriever: Any, k: int = 10) -> list[list[tuple[str, float]]]:
    hits = retriever.retrieve(QUERIES, k=k)
    return [[(hit.passage.docid, round(hit.score, 4)) for hit in ranking] for ranking in hits]


def test_ranks_as_exact_dense_retrieval(
    tmp_path: Path, tiny: Path, place: QdrantServer | None
) -> None:
    table = {"use": "dense", "encoder": str(tiny), "pooling": "mean"}
    dense = retriever_over(CORPUS, table, manifest.folder_of(CORPUS, tmp_path))
    expected = dense.retrieve(QUERIES, k=10)
    hits = over(CORPUS, tmp_path, tiny, exact=True).retrieve(QUERIES, k=10)
    for ours, theirs in zip(hits, expected, strict=True):
        assert [hit.passage for hit in ours] == [hit.passage for hit in theirs]
        assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in theirs], abs=1e-5)


def test_ranks_as_the_client_itself(tmp_path: Path, tiny: Path) -> None:
    from qdrant_client import QdrantClient

    retriever = over(CORPUS, tmp_path, tiny)
    retriever.build()
    client = QdrantClient(path=str(retriever.folder / "database"))
    for vector, hits in zip(
        retriever.field.encode_queries(QUERIES), retriever.retrieve(QUERIES, k=10), strict=True
    ):
        points = client.query_points("passages", query=vector, limit=10).points
        assert [hit.passage.docid for hit in hits] == [point.payload["docid"] for point in points]
        assert [hit.score for hit in hits] == [point.score for point in points]
    client.close()


def test_an_index_is_built_once_and_opened_by_several(
    tmp_path: Path, tiny: Path, encoded: list[str], place: QdrantServer | None
) -> None:
    first = over(CORPUS, tmp_path, tiny)
    first.build()
    assert sorted(encoded) == sorted(passage.docid for passage in CORPUS)
    assert rankings(first) == rankings(over(CORPUS, tmp_path, tiny, text="query"))
    assert len(encoded) == len(CORPUS)
    first.build(rebuild=True)
    assert len(encoded) == 2 * len(CORPUS)
    assert rankings(first) == rankings(over(CORPUS, tmp_path, tiny))
    if place:
        assert len(place.engine.get_collections().collections) == 1
        assert [path.name for path in first.folder.iterdir()] == [manifest.FILE]
    else:
        assert first.verify()


def test_another_machine_takes_the_collection_of_a_server(
    tmp_path: Path, tiny: Path, server: QdrantServer, encoded: list[str]
) -> None:
    expected = rankings(over(CORPUS, tmp_path / "one", tiny))
    assert rankings(over(CORPUS, tmp_path / "other", tiny)) == expected
    assert len(encoded) == len(CORPUS)


def test_a_killed_build_resumes(
    tmp_path: Path,
    tiny: Path,
    encoded: list[str],
    place: QdrantServer | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collections, "BATCH", 8)

    def killed(done: int, total: int) -> None:
        if done >= 24:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        over(CORPUS, tmp_path, tiny).build(progress=killed)
    assert len(encoded) == 24
    retriever = over(CORPUS, tmp_path, tiny)
    retriever.build()
    assert sorted(encoded) == sorted(passage.docid for passage in CORPUS)
    assert rankings(retriever) == rankings(over(CORPUS, tmp_path / "other", tiny))


def test_an_update_encodes_only_what_changed(
    tmp_path: Path, tiny: Path, encoded: list[str], place: QdrantServer | None
) -> None:
    before = rankings(over(CORPUS, tmp_path, tiny))
    encoded.clear()
    [updated] = update_indexes(CORPUS, NEW, tmp_path, progress=silent)
    assert (updated.written, sorted(encoded)) == (2, sorted(["new", SECOND.docid]))
    assert rankings(over(NEW, tmp_path, tiny)) == rankings(over(NEW, tmp_path / "other", tiny))
    assert rankings(over(CORPUS, tmp_path, tiny)) == before
    [again] = update_indexes(CORPUS, NEW, tmp_path, progress=silent)
    assert again.written == 0


def test_a_server_keeps_the_first_collection_and_that_before_the_update(
    tmp_path: Path, tiny: Path, server: QdrantServer
) -> None:
    over(CORPUS, tmp_path, tiny).build()
    corpora = [CORPUS]
    for number in range(3):
        changed = [Passage(f"new-{number}", f"River {number}.", lang="fi")]
        corpora.append(apply_changes(corpora[-1], changed, [])[0])
        update_indexes(corpora[-2], corpora[-1], tmp_path, progress=silent)
        delete_superseded(corpora[-1], tmp_path)
    kept = {alias.alias_name for alias in server.engine.get_aliases().aliases}
    assert {corpus.sha for corpus in corpora if any(corpus.sha in name for name in kept)} == {
        corpora[number].sha for number in (0, 2, 3)
    }
    assert len(server.engine.get_collections().collections) == 3


def test_an_index_of_another_encoder_or_corpus_is_refused(
    tmp_path: Path, tiny: Path, make_tiny: Any, place: QdrantServer | None
) -> None:
    retriever = over(CORPUS, tmp_path, tiny)
    retriever.build()
    for encoder, corpus in ((make_tiny(seed=9), CORPUS), (tiny, NEW)):
        other = type(retriever)(pooled(encoder), corpus=corpus, folder=retriever.folder)
        assert other.fingerprint() != retriever.fingerprint()
        with pytest.raises(IndexMismatchError):
            other.build()


def test_a_collection_that_has_gone_or_changed_is_refused(
    tmp_path: Path, tiny: Path, server: QdrantServer
) -> None:
    retriever = over(CORPUS, tmp_path, tiny)
    retriever.build()
    [stored] = server.engine.get_collections().collections
    server.engine.delete(stored.name, points_selector=[3])
    with pytest.raises(DataError, match="39 points"):
        over(CORPUS, tmp_path, tiny).retrieve(QUERIES, k=1)
    server.engine.delete_collection(stored.name)
    with pytest.raises(DataError, match="has no collection"):
        over(CORPUS, tmp_path, tiny).retrieve(QUERIES, k=1)


def test_no_query_no_hits(tmp_path: Path, tiny: Path) -> None:
    retriever = over(CORPUS, tmp_path, tiny)
    empty = Query(Question("e", " ", "fi"), " ", "fi")
    assert retriever.retrieve([empty, QUERIES[0]], k=2)[0] == []
    assert retriever.retrieve(QUERIES[:1], k=0) == [[]]
    assert len(retriever.retrieve(QUERIES[:1], k=100)[0]) == len(CORPUS)


@pytest.mark.parametrize(
    ("url", "message"),
    [("host:6333", "must look like"), ("http://me:secret@host:6333", "must not contain")],
)
def test_an_unfit_address_is_refused(tiny: Path, url: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as error:
        over(CORPUS, Path("unused"), tiny, url=url)
    assert "secret" not in str(error.value)


def test_errors_of_a_server_are_one_line(
    tmp_path: Path, tiny: Path, server: QdrantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.broken = 401
    with pytest.raises(DatabaseError, match="rejects the credentials") as error:
        over(CORPUS, tmp_path, tiny).build()
    assert KEY not in str(error.value)
    server.broken, server.version = 0, "1.9.2"
    with pytest.raises(DatabaseError, match=r"version 1\.9\.2; Qdrant 1\.16 or later"):
        over(CORPUS, tmp_path, tiny).build()
    monkeypatch.setenv("XORQA_QDRANT_URL", "http://127.0.0.1:9")
    with pytest.raises(DatabaseError, match="cannot be reached"):
        over(CORPUS, tmp_path, tiny).build()


def test_doctor_searches_a_folder_or_asks_the_server(
    tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch, place: QdrantServer | None
) -> None:
    retriever = over(CORPUS, tmp_path, tiny)
    retriever.build()
    states = {one.check: one.state for one in check_index(retriever.folder, [CORPUS])}
    checks = ("manifest", "sums", "corpus", "languages", "collection", "vectors")
    assert states == dict.fromkeys(checks, "ok")
    qdrant = {"qdrant": "xorqa.retrieval.qdrant.retriever:Qdrant"}
    monkeypatch.setattr(doctor, "STAGES", {"retriever": qdrant})
    [finding] = [one for one in doctor.check_machine() if one.check == "qdrant"]
    assert finding.state == "ok"
    assert finding.note.startswith("Qdrant 1.16" if place else "no server is configured")


def test_passages_longer_than_the_encoder_reads_are_counted(
    tmp_path: Path, place: QdrantServer | None, tiny: Path
) -> None:
    passages = [Passage("long", "river " * 2000), Passage("short", "A river.")]
    with pytest.warns(Notice, match="1 passage of 2 longer than the encoder reads"):
        over(Corpus("long", passages), tmp_path, tiny).build()
