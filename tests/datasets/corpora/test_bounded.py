"""A line, a page or a compressed file that does not fit into memory is refused while it is read."""

import bz2
import gzip
import json
from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.datasets.corpora import bounded
from xorqa.datasets.corpora.layouts import pages

ROW = json.dumps({"text": "Oulu " * 100}).encode() + b"\n"


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("RECORD", 1), ("DUMP_PAGE", 2), ("PACKED_FILE", 1)):
        monkeypatch.setattr(bounded, name, value << 20)
    monkeypatch.setattr(bounded, "MOST_TAGS", 1000)


def write(folder: Path, name: str, content: bytes) -> Path:
    pack = {".gz": gzip.compress, ".bz2": bz2.compress}
    path = folder / name
    path.write_bytes(pack.get(path.suffix, bytes)(content))
    return path


@pytest.mark.parametrize("packing", ["", ".gz", ".bz2"])
def test_files_of_many_records_have_any_size(tmp_path: Path, packing: str) -> None:
    path = write(tmp_path, f"a.jsonl{packing}", ROW * 5000)  # 2.5 MB
    assert sum(1 for _ in pages(path)) == 5000
    dump = b"".join(
        b"<page><title>t%d</title><id>%d</id><revision><text>%s</text></revision></page>"
        % (n, n, b"x" * 999)
        for n in range(1, 5000)
    )
    talk = dump.replace(b"<id>", b"<ns>1</ns><id>")  # which is not yielded
    path = write(tmp_path, f"a.xml{packing}", b"<mediawiki>%s%s</mediawiki>" % (talk, dump))
    assert sum(1 for _ in pages(path)) == 4999


@pytest.mark.parametrize("packing", ["", ".gz", ".bz2"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", ROW + b'{"text": "' + b"x" * (2 << 20) + b'"}\n'),
        ("a.jsonl", ROW + b" " * (2 << 20)),
        ("a.tsv", b"id\ttext\ttitle\n1\t" + b"x" * (2 << 20)),
        ("a.trec", b"<DOC>\n<DOCNO>1</DOCNO>\n" + b"x\n" * (1 << 20)),
        ("a.xml", b"<mediawiki><page><title>" + b"x" * (3 << 20)),
        ("a.xml", b"<mediawiki><page>" + b"<b/>" * 70_000),
    ],
)
def test_an_endless_record_is_refused(
    tmp_path: Path, name: str, content: bytes, packing: str
) -> None:
    path = write(tmp_path, f"{name}{packing}", content)
    with pytest.raises(DataError, match=r"a line or a page of more than .*; divide it") as error:
        list(pages(path))
    assert str(path) in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.csv", "a.json"])
def test_a_compressed_document_is_limited_and_an_unpacked_one_is_not(
    tmp_path: Path, name: str
) -> None:
    content = b"a,b\n" + b"Oulu on kaupunki,1\n" * 100_000
    if name == "a.json":
        paragraph = {"context": content.decode(), "qas": []}
        content = json.dumps({"data": [{"title": "t", "paragraphs": [paragraph]}]}).encode()
    with pytest.raises(DataError, match=r"more than 1 MiB when unpacked; unpack it first"):
        list(pages(write(tmp_path, f"{name}.gz", content)))
    assert next(pages(write(tmp_path, name, content[: 1 << 19] if "csv" in name else content)))
