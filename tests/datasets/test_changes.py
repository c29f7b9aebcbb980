import json
from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Passage
from xorqa.datasets.changes import (
    apply_changes,
    check_rewritable,
    other_fields,
    read_docids,
    read_new_passages,
    write_passages,
)
from xorqa.datasets.corpus import Corpus, read_corpus

RIVERS = Corpus("rivers", [Passage(docid, f"River {docid}.", lang="en") for docid in "abcd"])


def test_passages_keep_their_place_and_new_ones_follow() -> None:
    given = [Passage("e", "New."), Passage("b", "Changed."), Passage("c", "River c.")]
    corpus, changes = apply_changes(RIVERS, given, ["a", "x"])
    assert [passage.text for passage in corpus] == ["Changed.", "River c.", "River d.", "New."]
    assert corpus.name == "rivers"
    assert (changes.added, changes.replaced, changes.deleted) == (("e",), ("b",), ("a",))
    assert (changes.missing, changes.unchanged) == (("x",), 2)
    assert changes


def test_applying_changes_twice_changes_nothing_more() -> None:
    given = [Passage("e", "New."), Passage("b", "Changed.")]
    once, _ = apply_changes(RIVERS, given, ["a"])
    twice, changes = apply_changes(once, given, ["a"])
    assert twice.sha == once.sha
    assert not changes


def test_a_docid_cannot_be_given_and_deleted_and_some_passage_must_stay() -> None:
    with pytest.raises(DataError, match="docid 'b' is both in --corpus and in --delete"):
        apply_changes(RIVERS, [Passage("b", "Changed.")], ["a", "b"])
    with pytest.raises(DataError, match="deletes all passages of rivers"):
        apply_changes(RIVERS, [], list("abcd"))


def test_new_passages_need_docids(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_text('{"docid": "a", "text": "One."}\n{"text": "Two."}\n')
    with pytest.raises(DataError, match=r"new\.jsonl, line 2: needs a 'docid'"):
        read_new_passages(path)
    path.write_text('{"id": 7, "text": "Joki"}\n')
    assert read_new_passages(path, lang="fi").passages == [Passage("7", "Joki", lang="fi")]


def test_docids_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "gone.txt"
    path.write_text(" b\r\n\na\nb\n")
    assert read_docids(path) == ["b", "a"]
    path.write_text("a\nb c\n")
    with pytest.raises(DataError, match="line 2: needs one docid, not 'b c'"):
        read_docids(path)
    path.write_text("\n")
    with pytest.raises(DataError, match="has no docids"):
        read_docids(path)


def test_only_jsonl_is_updated_in_place(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "One.", "title": "T", "lang": "en"}\n')
    check_rewritable(path)
    table = path.rename(tmp_path / "a.tsv")
    with pytest.raises(DataError, match=r"not a \.jsonl file; add --out"):
        check_rewritable(table)


def test_other_fields_are_kept_by_docid(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 7, "text": "One.", "url": "x", "section": ["a"]}\n\n'
        '{"text": "Two.", "title": "T", "url": "y"}\n'
    )
    others = other_fields(path)
    assert others == {"7": {"url": "x", "section": ["a"]}, "3": {"url": "y"}}
    corpus = read_corpus(path, lang="en")
    write_passages(path, corpus, others)
    assert read_corpus(path).sha == corpus.sha
    assert other_fields(path) == others
    assert other_fields(path.rename(tmp_path / "a.tsv")) == {}


def test_written_passages_are_read_as_they_were(tmp_path: Path) -> None:
    corpus = Corpus(
        "w", [Passage("ä", "„Zitat“\n\u2028x", "T", "de"), Passage("b", "東京", "", "ja")]
    )
    path = tmp_path / "w.jsonl"
    write_passages(path, corpus)
    assert read_corpus(path).sha == corpus.sha
    assert json.loads(path.read_text("utf-8").split("\n")[1])["text"] == "東京"


def test_passages_that_a_file_cannot_hold_leave_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "w.jsonl"
    path.write_text("old")
    with pytest.raises(DataError, match="cannot hold these passages"):
        write_passages(path, Corpus("w", [Passage("a", "lone \ud800 surrogate")]))
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]
