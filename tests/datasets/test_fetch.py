import hashlib
import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.datasets.fetch import fetch, missing
from xorqa.datasets.sources import SOURCES, Source

QAS = [{"id": "q1", "question": "Where?", "answers": [{"text": "Oulu", "answer_start": 3}]}]
GOOD = json.dumps({"data": [{"paragraphs": [{"context": "In Oulu.", "qas": QAS}]}]}).encode()
HASH = hashlib.sha256(GOOD).hexdigest()
FILES = ("one.json", "two.json")
ROW = json.dumps({"id": "q1", "question": "Missä?", "answers": ["Oulu"], "lang": "fi"})
SHARED = Path(__file__).parents[3] / "shared" / "data"


def source(files, *, url=""):
    """The publication `small`, with what its files are known by."""
    return Source("small", "CC0 1.0", "training", "https://example.org/small", files, url)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Nothing on the terminal."""


class Cut(Quiet):
    """Promises more than it sends, as a connection that breaks."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(GOOD)))
        self.end_headers()
        self.wfile.write(GOOD[:10])


class Garbled(Quiet):
    """Answers in no protocol at all."""

    def do_GET(self):
        self.wfile.write(b"no HTTP\r\n\r\n")


@pytest.fixture
def published(tmp_path):
    """A folder with both files of the publication `small`."""
    folder = tmp_path / "published" / "small"
    folder.mkdir(parents=True)
    for file in FILES:
        (folder / file).write_bytes(GOOD)
    return folder


@pytest.fixture
def serve(published, monkeypatch):
    """Serves the publication on loopback, and puts its address into the table."""
    servers = []

    def start(handler=Quiet, wanted=HASH):
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=published))
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        url = f"http://127.0.0.1:{server.server_port}/"
        monkeypatch.setitem(SOURCES, "small", source(dict.fromkeys(FILES, wanted), url=url))

    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def small(home, monkeypatch):
    """The publication `small` at an address nobody listens on; where it will be put."""
    nobody = source(dict.fromkeys(FILES, HASH), url="http://127.0.0.1:9/")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setitem(SOURCES, "small", nobody)
    return home / "data" / "small"


def left(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_an_unknown_name_lists_the_names(home):
    with pytest.raises(ConfigError, match=r"^no source is called 'squat'; there are: arcd,"):
        fetch("squat")
    assert not home.exists()


def test_from_a_local_copy(small, published):
    told = []
    folder = fetch("small", copy_from=published.parent, progress=lambda *what: told.append(what))
    assert folder == small
    assert left(folder) == list(FILES)
    assert (folder / "two.json").read_bytes() == GOOD
    assert told == [("one.json", 1, 1), ("two.json", 1, 1)]


def test_what_is_there_stays(small, published):
    small.mkdir(parents=True)
    (small / "one.json").write_bytes(b"mine")
    fetch("small", copy_from=published.parent)
    assert (small / "one.json").read_bytes() == b"mine"
    assert (small / "two.json").read_bytes() == GOOD


def test_a_missing_file_is_named(small, published):
    (published / "two.json").unlink()
    with pytest.raises(DataError, match=r"small/two\.json is missing; --from needs a folder that"):
        fetch("small", copy_from=published.parent)
    assert left(small) == ["one.json"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD[:-1], "is not valid JSON"),
        (b"", "is not valid JSON"),
        (b'{"data": []}', "holds no questions"),
        (b'{"rows": []}', "is not SQuAD-style JSON"),
        (GOOD.replace(b"]}]}", b"]}, {}]}"), "is not SQuAD-style JSON"),
    ],
)
def test_a_damaged_copy_leaves_nothing(small, published, content, message):
    (published / "one.json").write_bytes(content)
    with pytest.raises(DataError, match=rf"published/small/one\.json {message}"):
        fetch("small", copy_from=published.parent)
    assert left(small) == []


def test_download(small, serve):
    serve()
    told = []
    folder = fetch("small", progress=lambda *what: told.append(what))
    assert left(folder) == list(FILES)
    assert (folder / "one.json").read_bytes() == GOOD
    assert told[0] == ("one.json", len(GOOD), len(GOOD))
    assert told[-1] == ("two.json", 1, 1)


def test_a_download_with_another_hash_leaves_nothing(small, serve):
    serve(wanted="0" * 64)
    with pytest.raises(DataError, match=f"one.json has SHA-256 {HASH}, not the published 0000"):
        fetch("small")
    assert left(small) == []


@pytest.mark.parametrize("handler", [Cut, Garbled])
@pytest.mark.parametrize("wanted", [HASH, ""])
def test_a_broken_download_leaves_nothing(small, serve, handler, wanted):
    serve(handler, wanted)
    with pytest.raises(DataError, match=r"one\.json (has SHA-256|cannot be fetched|broke off)"):
        fetch("small")
    assert left(small) == []


def test_a_download_without_a_known_hash(small, serve):
    serve(wanted="")
    assert left(fetch("small")) == list(FILES)


def test_a_file_the_server_lacks(small, serve, published):
    serve()
    (published / "two.json").unlink()
    with pytest.raises(DataError, match=r"two\.json cannot be fetched \(HTTP Error 404"):
        fetch("small")
    assert left(small) == ["one.json"]


def test_nobody_answers(small):
    with pytest.raises(DataError, match=r"one\.json cannot be fetched .*a local copy: --from"):
        fetch("small")
    assert left(small) == []


def test_a_file_without_an_address_says_where_it_is_found(small, monkeypatch, published):
    monkeypatch.setitem(SOURCES, "small", source({"part/one.json": None}))
    with pytest.raises(DataError, match=r"small: part/one\.json has no address .*example\.org"):
        fetch("small")
    assert left(small) == []
    (published / "part").mkdir()
    (published / "part" / "one.json").write_bytes(GOOD)
    assert left(fetch("small", copy_from=published.parent) / "part") == ["one.json"]


def test_half_a_file_stands_for_the_whole(small, monkeypatch, published):
    monkeypatch.setitem(SOURCES, "small", source({"dev.jsonl": None}))
    (published / "dev.half.jsonl").write_text(ROW, encoding="utf-8")
    assert missing("small") == ["dev.jsonl"]
    assert left(fetch("small", copy_from=published.parent)) == ["dev.half.jsonl"]
    assert missing("small") == []


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("dev.jsonl", ROW[:-1].encode(), r"dev\.jsonl, line 1: not valid JSON"),
        ("dev.jsonl", b"", r"dev\.jsonl holds no questions"),
        ("ar.txt", b"one\n", r"ar\.txt has 1 lines and en\.txt beside it 2"),
        ("ar.txt", b"\xff\n\n", r"ar\.txt is not UTF-8"),
        ("en.txt", b"", r"en\.txt has 0 lines"),
    ],
)
def test_every_kind_of_file_is_read_through(small, monkeypatch, published, file, content, message):
    monkeypatch.setitem(SOURCES, "small", source({file: None}))
    (published / "en.txt").write_bytes(b"one\ntwo\n")
    (published / file).write_bytes(content)
    with pytest.raises(DataError, match=message) as raised:
        fetch("small", copy_from=published.parent)
    assert len(str(raised.value).splitlines()) == 1
    assert left(small) == []


@pytest.mark.parametrize("name", ["arcd", "mkqa", "tequad", "tydiqa-goldp", "xor-tydi"])
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the data beside the checkout")
def test_real_copies_are_taken_whole(home, name):
    fetch(name, copy_from=SHARED)
    there = {path.relative_to(SHARED) for path in (SHARED / name).rglob("*") if path.is_file()}
    taken = home / "data" / name
    assert {path.relative_to(home / "data") for path in taken.rglob("*") if path.is_file()} == there
