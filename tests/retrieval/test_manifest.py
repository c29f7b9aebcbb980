from pathlib import Path

import pytest

from xorqa.core.errors import DataError, IndexMismatchError
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus
from xorqa.retrieval import manifest

CORPUS = Corpus("rivers", [Passage("1", "The Nile."), Passage("2", "The Rhine.")])


def test_what_was_written_is_accepted(tmp_path: Path) -> None:
    expected = manifest.describe("bm25", CORPUS, k1=0.9, analyzers={"en": "x"})
    assert expected["passages"] == 2
    assert expected["corpus_sha"] == CORPUS.sha
    assert not manifest.exists(tmp_path)
    manifest.write(tmp_path, expected)
    assert manifest.exists(tmp_path)
    assert manifest.read(tmp_path) == expected
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
