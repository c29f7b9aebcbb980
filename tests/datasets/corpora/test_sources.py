"""Which files of a folder are read, and what their docids are."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from xorqa.core.errors import DataError, Notice
from xorqa.datasets.corpora.make import make_corpus
from xorqa.datasets.corpora.sources import find_sources
from xorqa.datasets.corpus import read_corpus
from xorqa.lab.bench.fuzz.documents import pdf

TEXT = "Oulu on kaupunki Pohjanlahden rannalla."


def write(folder: Path, *names: str, text: str = TEXT) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def names(*paths: Path) -> list[str]:
    return [source.name for source in find_sources(paths)]


def test_files_are_read_in_order_with_unique_names_without_spaces(tmp_path: Path) -> None:
    write(tmp_path, "b.txt", "a b.txt", "a_b.txt", "sub/b.txt", "sub/sub/c#.MD")
    assert names(tmp_path) == [
        *("a_b.txt", f"{tmp_path.name}/a_b.txt", "b.txt", "sub/b.txt", "sub/sub/c%23.MD")
    ]


def test_files_of_one_name_in_several_folders(tmp_path: Path) -> None:
    write(tmp_path, "x/a.txt", "x/b c.txt", "y/a.txt")
    paths = [tmp_path / "x/a.txt", tmp_path / "x", tmp_path / "y", tmp_path / "y/a.txt"]
    assert names(*paths) == ["a.txt", "x/a.txt", "b_c.txt", "y/a.txt", "a.txt~2"]


def test_what_is_skipped_is_counted_in_one_line(tmp_path: Path) -> None:
    folder = write(tmp_path / "docs", "a.txt", ".git/a.txt", ".b.txt", "~$c.docx", "d.png", "e")
    write(folder, "out.jsonl.part/note.json")
    write(tmp_path, "outside/secret.txt")
    (folder / "out.txt").symlink_to(tmp_path / "outside/secret.txt")
    (folder / "linked").symlink_to(tmp_path / "outside")
    (folder / "loop.txt").symlink_to("loop.txt")
    (folder / "inside.md").symlink_to("a.txt")
    os.mkfifo(folder / "pipe.txt")
    with pytest.warns(Notice) as notices:
        assert names(folder) == ["a.txt", "inside.md"]
    assert [str(notice.message) for notice in notices] == [
        f"{folder}: skipped 10 files: 2 behind a link, 4 hidden, 2 not regular, "
        "2 of unknown type (.png, e)"
    ]


def test_a_folder_with_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no file that can be read as passages or documents"):
        read_corpus(tmp_path)


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a.pdf"])
def test_a_named_pipe_is_refused_at_once(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(DataError, match=rf"{name} is a pipe, .* name a file"):
        read_corpus(tmp_path / name)


def test_files_that_cannot_be_read_are_named_and_skipped(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    write(tmp_path, "bad.pdf", "good.txt", "package.json")
    write(tmp_path, "empty.txt", text="")
    (tmp_path / "good.pdf").write_bytes(pdf([[TEXT.replace("ki", "ky")]]))
    with pytest.warns(Notice) as notices:
        corpus = read_corpus(tmp_path)
    assert [p.docid for p in corpus] == ["good.pdf#p1.1", "good.txt#1"]
    messages = sorted(str(notice.message) for notice in notices)
    assert [message.partition(".")[0].rpartition("/")[2] for message in messages] == [
        *("bad", "empty", "package")
    ]
    assert all(message.startswith(f"skipped: {tmp_path}/") for message in messages)
    with pytest.raises(DataError, match=r"bad\.pdf: not a valid PDF"):
        read_corpus(tmp_path / "bad.pdf")


def test_records_of_a_folder_keep_their_docids(tmp_path: Path) -> None:
    rows = [{"text": "yksi"}, {"text": "kaksi", "docid": "k"}]
    write(tmp_path, "a.jsonl", "sub/a.jsonl", text="\n".join(map(json.dumps, rows[:1])))
    write(tmp_path, "b.jsonl", text=json.dumps(rows[1]))
    assert [p.docid for p in read_corpus(tmp_path, lang="fi")] == ["a-1", "k", "sub/a-1"]
    write(tmp_path, "c.jsonl", text=json.dumps(rows[1]))
    with pytest.raises(DataError, match=r"line 1: docid 'k' occurs twice"):
        read_corpus(tmp_path)


def test_corpus_make_gives_the_passages_that_read_corpus_does(tmp_path: Path) -> None:
    folder = write(tmp_path / "docs", "a.txt", "sub/a.md", "b.html")
    write(folder, "rows.csv", text="text,title\nThe city of Oulu lies in Finland.,Oulu\n")
    out = tmp_path / "made.jsonl"
    heard: list[tuple[int, int]] = []
    counts = make_corpus([folder], out, progress=lambda *at: heard.append(at))
    assert list(read_corpus(out)) == list(read_corpus(folder))
    assert (counts.pages, counts.passages) == (4, 4)
    total = sum(path.stat().st_size for path in folder.rglob("*.*"))
    assert heard == sorted(heard) and heard[-1] == (total, total)
    make_corpus([folder], tmp_path / "sv.jsonl", lang="sv")
    assert read_corpus(tmp_path / "sv.jsonl").languages == ["sv"]


def test_a_dump_names_its_language_and_lines_are_detected(tmp_path: Path) -> None:
    pytest.importorskip("mwparserfromhell")
    dump = (
        '<mediawiki xml:lang="et"><page><title>A</title><ns>0</ns><id>1</id>'
        "<revision><text>Oulu</text></revision></page></mediawiki>"
    )
    write(tmp_path, "a.xml", text=dump)
    write(tmp_path, "b.jsonl", text=json.dumps({"text": TEXT}))
    make_corpus([tmp_path / "a.xml", tmp_path / "b.jsonl"], tmp_path / "p.jsonl")
    assert [p.lang for p in read_corpus(tmp_path / "p.jsonl")] == ["et", "fi"]


def test_a_socket_is_no_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.txt")
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as server, pytest.warns(Notice, match="1 not regular"):
        server.bind("b.txt")
        assert names(Path()) == ["a.txt"]


def test_what_documents_do_not_show_is_reported_once(tmp_path: Path) -> None:
    write(tmp_path, "a.html", "b.html", text=f"<nav>Home</nav><p>{TEXT}")
    with pytest.warns(Notice) as notices:
        corpus = read_corpus(tmp_path)
    assert [str(notice.message) for notice in notices] == [
        f"{tmp_path}: not read: 2 × <nav> element (8 characters)"
    ]
    assert corpus.reader_version >= 4
