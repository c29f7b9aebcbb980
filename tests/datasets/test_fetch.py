import gzip
import hashlib
import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.progress import announcing
from xorqa.datasets.catalog import PUBLICATIONS, Publication, load_dataset, missing_files
from xorqa.datasets.fetch import fetch
from xorqa.lab.common.parallel_files import find_files, parallel_folder

QAS = [{"id": "q1", "question": "Where?", "answers": [{"text": "Oulu", "answer_start": 3}]}]
GOOD = json.dumps({"data": [{"paragraphs": [{"context": "In Oulu.", "qas": QAS}]}]}).encode()
HASH = hashlib.sha256(GOOD).hexdigest()
FILES = ("one.json", "two.json")
ROW = json.dumps({"id": "q1", "question": "Missä?", "answers": ["Oulu"], "lang": "fi"})
SHARED = Path(__file__).parents[3] / "shared" / "data"


def publication(files, *, url=""):
    """The publication `small` with the hashes of its files."""
    return Publication("small", "CC0 1.0", "training", "https://example.org/small", files, url)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Nothing on the terminal."""


class Cut(Quiet):
    """Sends less than it announces, like a connection that breaks."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(GOOD)))
        self.end_headers()
        self.wfile.write(GOOD[:10])


class Garbled(Quiet):
    """Sends a response that is not HTTP."""

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

    def start(handler=Quiet, sha=HASH):
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=published))
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        url = f"http://127.0.0.1:{server.server_port}/"
        monkeypatch.setitem(PUBLICATIONS, "small", publication(dict.fromkeys(FILES, sha), url=url))

    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def small(home, monkeypatch):
    """The publication `small` at an address without a server; the folder it is fetched to."""
    nobody = publication(dict.fromkeys(FILES, HASH), url="http://127.0.0.1:9/")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setitem(PUBLICATIONS, "small", nobody)
    return home / "data" / "small"


def names(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_an_unknown_name_lists_the_names(home):
    with pytest.raises(ConfigError, match=r"^no publication is called 'squat'; valid: arcd,"):
        fetch("squat")
    assert not home.exists()


def test_from_a_local_copy(small, published):
    reports = []
    folder = fetch("small", copy_from=published.parent, progress=lambda *what: reports.append(what))
    assert folder == small
    assert names(folder) == list(FILES)
    assert (folder / "two.json").read_bytes() == GOOD
    assert reports == [("one.json", 1, 1), ("two.json", 1, 1)]


def test_files_of_a_killed_fetch_are_deleted(small, published):
    small.mkdir(parents=True)
    (small / ".one.json.a1b2c3d4.tmp").write_bytes(b"a part")
    fetch("small", copy_from=published.parent)
    assert names(small) == list(FILES)


def test_existing_files_are_not_replaced(small, published):
    small.mkdir(parents=True)
    (small / "one.json").write_bytes(b"mine")
    fetch("small", copy_from=published.parent)
    assert (small / "one.json").read_bytes() == b"mine"
    assert (small / "two.json").read_bytes() == GOOD


def test_a_missing_file_is_named(small, published):
    (published / "two.json").unlink()
    with pytest.raises(DataError, match=r"small/two\.json is missing; --from needs a folder that"):
        fetch("small", copy_from=published.parent)
    assert names(small) == ["one.json"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD[:-1], "is not valid JSON"),
        (b"", "is not valid JSON"),
        (b'{"data": []}', "contains no questions"),
        (b'{"rows": []}', "is not SQuAD-style JSON"),
        (GOOD.replace(b"]}]}", b"]}, {}]}"), "is not SQuAD-style JSON"),
    ],
)
def test_a_damaged_copy_leaves_nothing(small, published, content, message):
    (published / "one.json").write_bytes(content)
    with pytest.raises(DataError, match=rf"published/small/one\.json {message}"):
        fetch("small", copy_from=published.parent)
    assert names(small) == []


def test_download(small, serve):
    serve()
    reports = []
    folder = fetch("small", progress=lambda *what: reports.append(what))
    assert names(folder) == list(FILES)
    assert (folder / "one.json").read_bytes() == GOOD
    assert reports[0] == ("one.json", len(GOOD), len(GOOD))
    assert reports[-1] == ("two.json", 1, 1)


def test_a_download_with_another_hash_leaves_nothing(small, serve):
    serve(sha="0" * 64)
    with pytest.raises(DataError, match=f"one.json has SHA-256 {HASH}, not the published 0000"):
        fetch("small")
    assert names(small) == []


@pytest.mark.parametrize("handler", [Cut, Garbled])
@pytest.mark.parametrize("sha", [HASH, ""])
def test_a_broken_download_leaves_nothing(small, serve, handler, sha):
    serve(handler, sha)
    with pytest.raises(DataError, match=r"one\.json(:| has SHA-256| cannot be downloaded)"):
        fetch("small")
    assert names(small) == []


def test_a_download_without_a_known_hash(small, serve):
    serve(sha="")
    assert names(fetch("small")) == list(FILES)


def test_a_file_the_server_lacks(small, serve, published):
    serve()
    (published / "two.json").unlink()
    with pytest.raises(DataError, match=r"two\.json cannot be downloaded \(HTTP Error 404"):
        fetch("small")
    assert names(small) == ["one.json"]


def test_an_unreachable_server(small):
    with pytest.raises(
        DataError, match=r"one\.json cannot be downloaded .*a local copy with --from"
    ):
        fetch("small")
    assert names(small) == []


def test_the_error_for_a_file_without_an_address_names_the_page(small, monkeypatch, published):
    monkeypatch.setitem(PUBLICATIONS, "small", publication({"part/one.json": None}))
    with pytest.raises(
        DataError, match=r"small: part/one\.json cannot be downloaded .*example\.org"
    ):
        fetch("small")
    assert names(small) == []
    (published / "part").mkdir()
    (published / "part" / "one.json").write_bytes(GOOD)
    assert names(fetch("small", copy_from=published.parent) / "part") == ["one.json"]


def test_half_a_file_replaces_a_missing_file(small, monkeypatch, published):
    monkeypatch.setitem(PUBLICATIONS, "small", publication({"dev.jsonl": None}))
    (published / "dev.half.jsonl").write_text(ROW, encoding="utf-8")
    assert missing_files("small") == ["dev.jsonl"]
    assert names(fetch("small", copy_from=published.parent)) == ["dev.half.jsonl"]
    assert missing_files("small") == []


def test_files_of_an_archive_whose_names_are_not_documented(home, tmp_path):
    archive = tmp_path / "tydi_xor_rc_yes_no_unanswerable" / "rc"
    archive.mkdir(parents=True)
    for name in ("theirs_train_data.json", "theirs_dev_data.json", "._theirs_dev_data.json"):
        (archive / name).write_bytes(GOOD)
    with pytest.raises(DataError, match=r"unanswerable\.zip\), unpack the archive in DIR"):
        fetch("xor-tydi-rc")
    with pytest.raises(ConfigError, match=r"from it: none; recipes and .* xor-tydi-rc/rc_train\.j"):
        load_dataset("xor-tydi-rc")
    lines = []
    with announcing(lines.append):
        assert names(fetch("xor-tydi-rc", copy_from=tmp_path)) == ["rc_dev.json", "rc_train.json"]
    assert any(line.startswith("xor-tydi-rc: rc_dev.json is theirs_dev_data") for line in lines)
    (home / "data" / "xor-tydi-rc" / "rc_dev.json").unlink()
    (archive / "dev_2.json").write_bytes(GOOD)
    message = r"has several files \*dev\*\.json: rc/dev_2\.json, rc/theirs_dev_data\.json; copy one"
    with pytest.raises(DataError, match=message):
        fetch("xor-tydi-rc", copy_from=tmp_path)
    for path in archive.iterdir():
        path.unlink()
    with pytest.raises(DataError, match=r"rc_dev\.json is missing"):
        fetch("xor-tydi-rc", copy_from=tmp_path)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("dev.jsonl", ROW[:-1].encode(), r"dev\.jsonl, line 1: not valid JSON"),
        ("dev.jsonl", b"", r"dev\.jsonl contains no questions"),
        ("ar.txt", b"one\n", r"ar\.txt has 1 lines, but the parallel en\.txt has 2"),
        ("ar.txt", b"\xff\n\n", r"ar\.txt is not UTF-8"),
        ("en.txt", b"", r"en\.txt has 0 lines"),
    ],
)
def test_every_kind_of_file_is_validated(small, monkeypatch, published, file, content, message):
    monkeypatch.setitem(PUBLICATIONS, "small", publication({file: None}))
    (published / "en.txt").write_bytes(b"one\ntwo\n")
    (published / file).write_bytes(content)
    with pytest.raises(DataError, match=message) as raised:
        fetch("small", copy_from=published.parent)
    assert len(str(raised.value).splitlines()) == 1
    assert names(small) == []


def test_sentence_pairs_of_translators(home, tmp_path):
    for side, text in (("ru", "Да.\nНет.\n"), ("en", "Yes.\nNo.\n")):
        path = tmp_path / "multiun-ru" / f"MultiUN.en-ru.{side}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    folder = fetch("multiun-ru", copy_from=tmp_path)
    assert names(folder) == ["MultiUN.en-ru.en", "MultiUN.en-ru.ru"]
    with pytest.raises(DataError, match=r"opus-fi: opus\.fi-en\.fi cannot .*opus\.nlpl\.eu"):
        fetch("opus-fi")
    for side, text in (("fi", "Kyllä.\n"), ("en", "Yes.\nNo.\n")):
        path = tmp_path / "opus-fi" / f"opus.fi-en.{side}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"has 1 lines, but the parallel opus\.fi-en\.en has 2"):
        fetch("opus-fi", copy_from=tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"Kylla. Yes.\n", "line 1: has no tab between two sentences"),
        (b"\xff\tYes.\n", "line 1: not UTF-8"),
        (b"\n", "contains no sentence pairs"),
    ],
)
def test_two_columns_are_checked(home, tmp_path, content, message):
    path = tmp_path / "wmt19-fi" / "europarl-v9.fi-en.tsv.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(content))
    with pytest.raises(DataError, match=message):
        fetch("wmt19-fi", copy_from=tmp_path)
    path.write_bytes(gzip.compress("Kyllä.\tYes.\tEU\n".encode()))
    assert names(fetch("wmt19-fi", copy_from=tmp_path)) == [path.name]


@pytest.mark.parametrize("name", ["arcd", "mkqa", "tequad", "tydiqa-goldp", "xor-tydi"])
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the data beside the checkout")
def test_real_copies_are_complete(home, name):
    fetch(name, copy_from=SHARED)
    expected = {path.relative_to(SHARED) for path in (SHARED / name).rglob("*") if path.is_file()}
    copies = [path for path in (home / "data" / name).rglob("*") if path.is_file()]
    assert {path.relative_to(home / "data") for path in copies} == expected


MLQA = PUBLICATIONS["mlqa"]


def write_mlqa(folder):
    """MLQA_V1 as its archive unpacks, small: 49 pairs of languages in either split."""
    langs = ("ar", "de", "en", "es", "hi", "vi", "zh")
    for split in ("dev", "test"):
        (folder / "MLQA_V1" / split).mkdir(parents=True)
        for context in langs:
            for question in langs:
                name = f"{split}-context-{context}-question-{question}.json"
                (folder / "MLQA_V1" / split / name).write_bytes(GOOD)


@pytest.mark.parametrize("place", [".", "mlqa"])
def test_mlqa_from_its_unpacked_archive(home, tmp_path, place):
    write_mlqa(tmp_path / "copy" / place)
    folder = fetch("mlqa", copy_from=tmp_path / "copy")
    assert not missing_files("mlqa")
    assert sorted(find_files(parallel_folder("mlqa/test", kind="folder"))) == [
        *("ar", "de", "en", "es", "hi", "vi", "zh")
    ]
    assert parallel_folder("mlqa/dev", kind="folder") == folder / "dev"
    assert len(names(folder / "test")) == 7


def test_mlqa_in_a_folder_of_its_name(home, tmp_path):
    write_mlqa(tmp_path)
    (tmp_path / "MLQA_V1").rename(tmp_path / "mlqa")
    fetch("mlqa", copy_from=tmp_path)
    assert not missing_files("mlqa")


def test_mlqa_without_a_copy_names_its_address(home):
    with pytest.raises(DataError, match=r"MLQA_V1\.zip\), unpack the archive in DIR or save it"):
        fetch("mlqa")
    assert MLQA.use == "evaluation only"


@pytest.mark.parametrize(
    ("content", "message"),
    [(GOOD[:-9], "is not valid JSON"), (b'{"data": []}', "contains no questions")],
)
def test_a_damaged_copy_of_mlqa_is_refused(home, tmp_path, content, message):
    write_mlqa(tmp_path)
    damaged = tmp_path / "MLQA_V1" / "test" / "test-context-hi-question-hi.json"
    damaged.write_bytes(content)
    with pytest.raises(DataError, match=f"test-context-hi-question-hi.json {message}"):
        fetch("mlqa", copy_from=tmp_path)
    assert missing_files("mlqa")[0] == "test/test-context-hi-question-hi.json"
