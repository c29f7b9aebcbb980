"""Updated indexes: beside the old ones, the same as rebuilt ones, and encoded only where new."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.retrieval.test_dense import CORPUS, Hashing, query
from xorqa.core.errors import ConfigError, DataError, IndexMismatchError, LockedError
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus, apply_changes
from xorqa.io.files import read_json, write_json
from xorqa.io.locks import lock_path
from xorqa.retrieval import dense, manifest
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.dense import SINCE_TRAINING, UPDATE, Dense
from xorqa.retrieval.update import (
    Generations,
    delete_superseded,
    generations,
    is_superseded,
    update_indexes,
)
from xorqa.retrieval.vectors import shards

pytest.importorskip("faiss")

GIVEN = [Passage("p03", "River 3 dried up.", "R3"), Passage("p10", "A new river.", "R10")]
NEW, CHANGES = apply_changes(CORPUS, GIVEN, ["p01", "p05"])
TEXTS = ["River number 9.", "Niili", "A new river.", "River 3 dried up."]


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hashing]:
    """The encoder of all dense retrievers."""
    made = Hashing()
    monkeypatch.setattr(shards, "SIZE", 2)
    monkeypatch.setattr(dense, "shared_encoder", lambda settings: made)
    yield made


def silent(*_: object) -> None:
    """No progress."""


def built(corpus: Corpus, indexes: Path, use: str = "dense", **settings: Any) -> Any:
    folder = manifest.folder_of(corpus, indexes) / use
    made = {"dense": Dense, "bm25": Bm25}[use](corpus=corpus, folder=folder, **settings)
    made.build()
    return made


def rankings(retriever: Any) -> list[list[tuple[str, float]]]:
    hits = retriever.retrieve([query(text) for text in TEXTS], k=6)
    return [[(hit.passage.docid, round(hit.score, 5)) for hit in ranking] for ranking in hits]


@pytest.mark.parametrize("kind", ["flat", "sq8", "hnsw-sq8"])
def test_an_updated_index_ranks_as_a_rebuilt_one(
    kind: str, tmp_path: Path, encoder: Hashing
) -> None:
    earlier = built(CORPUS, tmp_path / "a", kind=kind)
    before = rankings(earlier)
    encoder.encoded.clear()
    later = Dense(corpus=NEW, folder=tmp_path / "a" / "new" / "dense", kind=kind)
    assert later.update(earlier, progress=silent) == 2
    assert sorted(encoder.encoded) == sorted(passage.titled for passage in GIVEN)
    rebuilt = built(NEW, tmp_path / "b", kind=kind)
    best, others = ([ranking[0][0] for ranking in rankings(one)] for one in (later, rebuilt))
    assert sum(a == b for a, b in zip(best, others, strict=True)) >= 3  # few to train with
    if kind == "flat":
        assert rankings(later) == rankings(rebuilt)
    assert later.fingerprint() == rebuilt.fingerprint()
    assert rankings(Dense(corpus=CORPUS, folder=earlier.folder, kind=kind)) == before
    assert not (earlier.folder / UPDATE).exists()
    assert "recall@100" in manifest.read(later.folder) or kind == "flat"
    assert "have their sums" in manifest.verify(later.folder)


def test_an_index_is_trained_again_when_a_quarter_is_newer(tmp_path: Path) -> None:
    states, since = [CORPUS], []
    retriever = built(CORPUS, tmp_path, kind="sq8")
    for at in range(3):
        states.append(apply_changes(states[-1], [Passage(f"n{at}", f"New {at}.")], [])[0])
        later = Dense(corpus=states[-1], folder=tmp_path / str(at), kind="sq8")
        later.update(retriever, progress=silent)
        stored, before = manifest.read(later.folder), manifest.read(retriever.folder)
        since.append(stored.get(SINCE_TRAINING))
        assert stored.keys() - {SINCE_TRAINING} == before.keys() - {SINCE_TRAINING}
        retriever = later
    assert since == [1, 2, 3]
    states.append(apply_changes(states[-1], [Passage("n3", "New 3.")], [])[0])
    later = Dense(corpus=states[-1], folder=tmp_path / "last", kind="sq8")
    later.update(retriever, progress=silent)
    assert SINCE_TRAINING not in manifest.read(later.folder)
    rebuilt = built(states[-1], tmp_path / "b", kind="sq8")
    assert rankings(later)[0][0][0] == rankings(rebuilt)[0][0][0]


def test_a_killed_update_resumes_and_leaves_the_old_index(tmp_path: Path, encoder: Hashing) -> None:
    many = [Passage(f"q{at}", f"Lake {at}.") for at in range(12)]
    new, _ = apply_changes(CORPUS, many, [])
    earlier = built(CORPUS, tmp_path)
    later = Dense(corpus=new, folder=tmp_path / "new" / "dense")
    encoder.encoded.clear()
    encoder.kill_after = 6
    with pytest.raises(KeyboardInterrupt):
        later.update(earlier, progress=silent)
    done = len(encoder.encoded)
    assert 6 <= done < 12 and not later.folder.exists()
    assert len(rankings(Dense(corpus=CORPUS, folder=earlier.folder))[0]) == 6
    encoder.kill_after = None
    later.update(earlier, progress=silent)
    assert len(encoder.encoded) == 12
    assert rankings(later) == rankings(built(new, tmp_path / "b"))


def test_vectors_of_another_update_are_not_reused(tmp_path: Path, encoder: Hashing) -> None:
    earlier = built(CORPUS, tmp_path)
    encoder.kill_after = len(encoder.encoded)
    other, _ = apply_changes(CORPUS, [Passage("p03", "Quite another text.")], [])
    with pytest.raises(KeyboardInterrupt):
        Dense(corpus=other, folder=tmp_path / "other").update(earlier)
    encoder.kill_after = None
    later = Dense(corpus=NEW, folder=tmp_path / "new")
    later.update(earlier, progress=silent)
    assert rankings(later) == rankings(built(NEW, tmp_path / "b"))


def test_the_old_index_must_be_whole_and_of_the_old_passages(tmp_path: Path) -> None:
    earlier = built(CORPUS, tmp_path)
    later = Dense(corpus=NEW, folder=tmp_path / "new")
    with pytest.raises(IndexMismatchError, match="corpus_sha"):
        later.update(Dense(corpus=NEW, folder=earlier.folder))
    path = earlier.folder / dense.INDEX
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(DataError, match="is damaged"):
        later.update(earlier, progress=silent)
    assert not later.folder.exists()


def test_one_update_at_a_time(tmp_path: Path) -> None:
    earlier = built(CORPUS, tmp_path)
    later = Dense(corpus=NEW, folder=tmp_path / "new")
    with lock_path(earlier.folder, "index"), pytest.raises(LockedError, match="being written by"):
        later.update(earlier, progress=silent)


def test_all_indexes_of_the_passages_are_updated(tmp_path: Path, encoder: Hashing) -> None:
    built(CORPUS, tmp_path)
    bm25 = built(CORPUS, tmp_path, "bm25", k1=1.2)
    encoder.encoded.clear()
    updated = update_indexes(CORPUS, NEW, tmp_path, progress=silent)
    folder = manifest.folder_of(NEW, tmp_path)
    assert [(index.folder, index.written) for index in updated] == [
        (folder / "bm25", 9),
        (folder / "dense", 2),
    ]
    lexical = Bm25(corpus=NEW, folder=folder / "bm25", k1=1.2)
    assert rankings(lexical) == rankings(built(NEW, tmp_path / "b", "bm25", k1=1.2))
    assert rankings(bm25)
    again = update_indexes(CORPUS, NEW, tmp_path, progress=silent)
    assert [index.written for index in again] == [0, 0]
    assert len(encoder.encoded) == 2


def test_indexes_of_a_language_are_updated_too(tmp_path: Path, encoder: Hashing) -> None:
    docids = [f"{lang}{at}" for at in range(4) for lang in ("fi", "en")]
    passages = [Passage(docid, f"Text {docid}.", lang=docid[:2]) for docid in docids]
    mixed = Corpus("mixed", passages)
    new, _ = apply_changes(mixed, [Passage("fi9", "Uusi", lang="fi")], ["en0"])
    finnish = [[p for p in corpus if p.lang == "fi"] for corpus in (mixed, new)]
    before, after = (Corpus("mixed.fi", passages) for passages in finnish)
    built(before, tmp_path)
    encoder.encoded.clear()
    [index] = update_indexes(mixed, new, tmp_path, progress=silent)
    assert index.folder == manifest.folder_of(after, tmp_path) / "dense"
    assert (index.passages, encoder.encoded) == (5, ["Uusi"])


def test_an_index_is_updated_once(tmp_path: Path, encoder: Hashing) -> None:
    """All passages were those of the only language."""
    new, _ = apply_changes(CORPUS, [*GIVEN, Passage("fi1", "Uusi", lang="fi")], [])
    built(CORPUS, tmp_path)
    encoder.encoded.clear()
    [index] = update_indexes(CORPUS, new, tmp_path, progress=silent)
    assert (index.passages, index.written, len(encoder.encoded)) == (12, 3, 3)


def test_old_generations_go_with_the_second_update(tmp_path: Path) -> None:
    built(CORPUS, tmp_path)
    states = [CORPUS]
    for at in range(4):
        changed = [Passage("p03", f"Text number {at}.")]
        states.append(apply_changes(states[-1], changed, [])[0])
        update_indexes(*states[-2:], tmp_path, progress=silent)
        delete_superseded(states[-1], tmp_path)
    folders = [manifest.folder_of(corpus, tmp_path) for corpus in states]
    assert [folder.is_dir() for folder in folders] == [True, False, False, True, True]
    assert generations(folders[4]).first == folders[0].name
    stay = [folders[at] for at in (0, 3, 4)]
    assert [is_superseded(folder) for folder in stay] == [True, True, False]


def test_an_index_whose_settings_are_unknown_is_refused(tmp_path: Path) -> None:
    found = built(CORPUS, tmp_path)
    path = found.folder / manifest.FILE
    table = read_json(path)
    assert table[manifest.BUILT_BY] == {"use": "dense"}
    del table[manifest.BUILT_BY], table["sum"]
    write_json(path, {**table, "files": {}})
    found.folder.rename(found.folder.with_name("dense-12345678"))
    with pytest.raises(ConfigError, match="does not name its settings"):
        update_indexes(CORPUS, NEW, tmp_path, progress=silent)


def test_own_retrievers_are_imported_only_if_they_are_named(tmp_path: Path) -> None:
    found = built(CORPUS, tmp_path)
    path = found.folder / manifest.FILE
    write_json(path, read_json(path) | {manifest.BUILT_BY: {"use": "my.module:Mine"}})
    with pytest.raises(ConfigError, match="add --retriever my"):
        update_indexes(CORPUS, NEW, tmp_path, progress=silent)


def test_without_an_index_there_is_nothing_to_update(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no index of the passages of rivers"):
        update_indexes(CORPUS, NEW, tmp_path, progress=silent)


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def left(folder: Path) -> list[str]:
    """All files and empty folders."""
    paths = sorted(folder.rglob("*"))
    return [str(p.relative_to(folder)) for p in paths if p.is_file() or not any(p.iterdir())]


def test_the_next_update_sweeps_what_killed_ones_have_left(tmp_path: Path) -> None:
    """Also one to other passages: neither an index, nor an empty folder or a lock stays."""
    built(CORPUS, tmp_path)
    other, _ = apply_changes(CORPUS, [Passage("p99", "Another.")], [])
    update_indexes(CORPUS, other, tmp_path, progress=silent)
    delete_superseded(other, tmp_path)
    expected = left(tmp_path)
    others = manifest.folder_of(other, tmp_path)
    shutil.rmtree(others)
    with pytest.raises(KeyboardInterrupt):  # complete, but the passages were never replaced
        update_indexes(CORPUS, NEW, tmp_path, progress=silent, commit=killed)
    assert manifest.exists(manifest.folder_of(NEW, tmp_path) / "dense")
    empty = tmp_path / f"rivers-{'0' * 16}"
    empty.mkdir()
    for name in ("..update.json.lock", "..update.json.abcdefgh.tmp", ".dense.lock"):
        (empty / name).touch()
    (held := tmp_path / f"rivers-{'1' * 16}").mkdir()
    with lock_path(held / "dense", "index"):
        update_indexes(CORPUS, other, tmp_path, progress=silent)
        (others / "..update.json.lock").touch()  # killed at its very end
        delete_superseded(other, tmp_path)
        assert held.is_dir()
    held.rmdir()
    assert left(tmp_path) == expected


def test_an_update_that_was_killed_after_its_passages_is_finished(tmp_path: Path) -> None:
    built(CORPUS, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        update_indexes(CORPUS, NEW, tmp_path, progress=silent, commit=killed)
    folder = manifest.folder_of(NEW, tmp_path)
    assert not generations(folder).finished
    delete_superseded(NEW, tmp_path)
    assert generations(folder) == Generations(manifest.folder_of(CORPUS, tmp_path).name)
    other, _ = apply_changes(CORPUS, [Passage("p99", "Another.")], [])
    update_indexes(CORPUS, other, tmp_path, progress=silent)
    delete_superseded(other, tmp_path)
    assert folder.is_dir()


def test_an_update_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    earlier = built(CORPUS, tmp_path)
    before = left(tmp_path)
    with lock_path(earlier.folder, "index"), pytest.raises(LockedError):
        update_indexes(CORPUS, NEW, tmp_path, progress=silent)
    assert left(tmp_path) == before
