import hashlib
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import DataError, IndexMismatchError
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus
from xorqa.io.files import indexes_dir, write_json
from xorqa.retrieval import manifest

CORPUS = Corpus("rivers", [Passage("1", "The Nile."), Passage("2", "The Rhine.")])


def test_what_was_written_is_accepted(tmp_path: Path) -> None:
    expected = manifest.describe("bm25", CORPUS, k1=0.9, analyzers={"en": "x"})
    assert expected["passages"] == 2
    assert expected["corpus_sha"] == CORPUS.sha
    assert not manifest.exists(tmp_path)
    manifest.write(tmp_path, expected)
    assert manifest.exists(tmp_path)
    assert manifest.read(tmp_path).items() >= expected.items()
    manifest.check(tmp_path, expected)


def test_a_corpus_may_have_another_name_but_no_other_passages(tmp_path: Path) -> None:
    manifest.write(tmp_path, manifest.describe("bm25", CORPUS))
    manifest.check(tmp_path, manifest.describe("bm25", Corpus("streams", CORPUS.passages)))
    for passages in (CORPUS.passages[:1], CORPUS.passages[::-1]):
        with pytest.raises(IndexMismatchError, match="corpus_sha"):
            manifest.check(tmp_path, manifest.describe("bm25", Corpus("rivers", passages)))


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("dense", {"k1": 0.9}, "has kind 'bm25', not 'dense'"),
        ("bm25", {"k1": 1.2}, "has k1 0.9, not 1.2"),
        ("bm25", {"k1": 0.9, "b": 0.4}, "has b None, not 0.4"),
    ],
)
def test_the_first_difference_is_named(
    tmp_path: Path, kind: str, settings: dict[str, float], message: str
) -> None:
    manifest.write(tmp_path, manifest.describe("bm25", CORPUS, k1=0.9))
    with pytest.raises(IndexMismatchError, match=message) as caught:
        manifest.check(tmp_path, manifest.describe(kind, CORPUS, **settings))
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_empty_folders_and_indexes_may_be_replaced(tmp_path: Path) -> None:
    manifest.check_replaceable(tmp_path / "none")
    manifest.check_replaceable(tmp_path)
    (tmp_path / "of.json").write_text("{}")
    with pytest.raises(DataError, match="choose another folder or empty this one"):
        manifest.check_replaceable(tmp_path)
    manifest.check_replaceable(tmp_path, unless="of.json")
    with pytest.raises(DataError, match="is not an index"):
        manifest.check_replaceable(tmp_path / "of.json")
    manifest.write(tmp_path, {})
    manifest.check_replaceable(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_another_file_of_that_name_is_no_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / manifest.FILE).write_text(text)
    with pytest.raises(DataError, match=r"manifest\.json"):
        manifest.read(tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with an index of two files, and one more that does not belong to it."""
    folder = tmp_path / "index"
    for name, content in (("a.bin", bytes(9000)), ("deep/b.bin", b"b"), ("shards/c.bin", b"c")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    manifest.write(folder, manifest.describe("bm25", CORPUS), without="shards")
    return folder


def test_files_are_described(files: Path) -> None:
    described = manifest.read(files)["files"]
    assert list(described) == ["a.bin", "deep/b.bin"]
    assert described["a.bin"]["bytes"] == 9000
    assert described["deep/b.bin"]["sha256"] == hashlib.sha256(b"b").hexdigest()
    assert manifest.verify(files) == f"index {files}: 2 files of 9001 bytes have their sums"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (bytes(8999), "a.bin has 8999 bytes, not 9000"),
        (b"x" + bytes(8999), "a.bin begins with other bytes"),
        (None, "a.bin is missing"),
    ],
)
def test_opening_notices_sizes_and_headers(files: Path, content: bytes | None, reason: str) -> None:
    path = files / "a.bin"
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        manifest.check(files, manifest.describe("bm25", CORPUS))
    assert str(caught.value) == (
        f"index {files} is damaged ({reason}); rebuild it with xorqa index --rebuild"
    )


def test_what_opening_does_not_read_is_verified(files: Path) -> None:
    (files / "a.bin").write_bytes(bytes(8999) + b"x")
    manifest.check(files, manifest.describe("bm25", CORPUS))
    with pytest.raises(DataError, match=r"damaged \(a\.bin was changed\)"):
        manifest.verify(files)


@pytest.mark.parametrize("change", [{"k1": 1.5}, {"files": {}}, {"files": None}, {"sum": "0"}])
def test_a_changed_manifest_is_noticed(files: Path, change: dict[str, Any]) -> None:
    write_json(files / manifest.FILE, manifest.read(files) | change)
    with pytest.raises(DataError, match=r"damaged \(manifest\.json was changed\)"):
        manifest.verify(files)


@pytest.mark.parametrize("described", [[], {"a.bin": 3}, {"a.bin": {"bytes": "9"}}, "x"])
def test_a_manifest_with_other_types_is_one_line(files: Path, described: Any) -> None:
    write_json(files / manifest.FILE, manifest.read(files) | {"files": described})
    with pytest.raises(DataError, match="does not describe its files"):
        manifest.check(files, manifest.describe("bm25", CORPUS))


def test_an_index_without_sums_is_opened(files: Path) -> None:
    write_json(files / manifest.FILE, manifest.describe("bm25", CORPUS))
    manifest.check(files, manifest.describe("bm25", CORPUS))
    assert "was built before sums were stored" in manifest.verify(files)


OTHER = Corpus("rivers", [Passage("1", "The Rhone.")])


def built(folder: Path, corpus: Corpus) -> Path:
    manifest.write(folder / "bm25", manifest.describe("bm25", corpus))
    return folder


def test_equal_passages_share_a_folder_and_others_never_do(tmp_path: Path) -> None:
    folder = manifest.folder_of(CORPUS, tmp_path)
    assert folder == tmp_path / f"rivers-{CORPUS.sha}"
    built(folder, CORPUS)
    assert manifest.folder_of(Corpus("streams", CORPUS.passages), tmp_path) == folder
    assert manifest.folder_of(OTHER, tmp_path) == tmp_path / f"rivers-{OTHER.sha}"


def test_folders_without_a_hash_are_used_for_their_own_passages(tmp_path: Path) -> None:
    earlier = built(tmp_path / "rivers", CORPUS)
    assert manifest.folder_of(CORPUS, tmp_path) == earlier
    assert manifest.folder_of(OTHER, tmp_path) == tmp_path / f"rivers-{OTHER.sha}"
    of_ask = built(tmp_path / OTHER.sha / "rivers", OTHER)
    assert manifest.folder_of(OTHER, tmp_path) == of_ask


def test_indexes_in_the_working_folder_are_still_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("XORQA_HOME", raising=False)
    new = indexes_dir() / f"rivers-{CORPUS.sha}"
    assert manifest.folder_of(CORPUS, indexes_dir()) == new
    earlier = built(Path("indexes/rivers"), CORPUS)
    assert manifest.folder_of(CORPUS, indexes_dir()) == earlier
    assert manifest.folder_of(OTHER, indexes_dir()).parent == indexes_dir()
    assert manifest.folder_of(CORPUS, tmp_path / "mine").parent == tmp_path / "mine"
    monkeypatch.setenv("XORQA_HOME", str(tmp_path / "home"))
    assert manifest.folder_of(CORPUS, indexes_dir()).parent == tmp_path / "home" / "indexes"
