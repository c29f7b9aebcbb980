import hashlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.io import files


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_only_by_a_whole_one(tmp_path):
    path = tmp_path / "deep" / "a.txt"
    with files.atomic_path(path) as temporary:
        temporary.write_text("first")
        assert not path.exists()
    with pytest.raises(KeyError), files.atomic_path(path) as temporary:
        temporary.write_text("half of the sec")
        raise KeyError
    assert path.read_text() == "first"
    assert names(path.parent) == ["a.txt"]


@pytest.fixture(params=[0o022, 0o077, 0o002])
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path):
    return path.stat().st_mode & 0o777


def test_permissions_are_those_of_the_umask(tmp_path, umask):
    with files.atomic_path(tmp_path / "deep" / "a.txt") as temporary:
        temporary.write_text("x")
    assert mode(tmp_path / "deep" / "a.txt") == 0o666 & ~umask
    with files.atomic_dir(tmp_path / "index") as temporary:
        (temporary / "a").write_text("x")
    assert mode(tmp_path / "index") == mode(tmp_path / "deep") == 0o777 & ~umask


def test_a_replaced_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "private.json"
    path.touch()
    path.chmod(0o600)
    files.write_text(path, "x")
    assert mode(path) == 0o600


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_its_target_is_replaced(tmp_path, exists):
    (tmp_path / "real").mkdir()
    target, link, outer = (tmp_path / name for name in ("real/a.json", "link", "outer"))
    link.symlink_to("real/a.json")
    outer.symlink_to(link)
    if exists:
        target.write_text("old")
    files.write_json(outer, {"new": True})
    assert outer.is_symlink()
    assert link.is_symlink()
    assert json.loads(target.read_text()) == {"new": True}
    with pytest.raises(KeyError), files.atomic_path(outer):
        raise KeyError
    assert json.loads(target.read_text()) == {"new": True}
    assert names(tmp_path / "real") == ["a.json"]


def test_a_loop_of_links_is_an_error(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="links"):
        files.write_text(tmp_path / "a", "x")
    assert (tmp_path / "a").is_symlink()


def test_a_named_pipe_gets_the_bytes_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    files.write_text(pipe, "through")
    reader.join(timeout=10)
    assert got == ["through"]
    assert pipe.is_fifo()
    assert names(tmp_path) == ["pipe"]


@pytest.mark.parametrize("read", [files.sha256, files.sha256_once])
def test_what_never_ends_has_no_hash(tmp_path, read):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name, kind in (("pipe", "pipe"), ("zero", "device")):
        with pytest.raises(DataError, match=rf"{name} is a {kind}; name a file$"):
            read(tmp_path / name)


def test_a_null_device_stays_one(tmp_path):
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    for path in (Path("/dev/null"), link):
        files.write_json(path, {})
    assert Path("/dev/null").is_char_device()
    assert link.is_symlink()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_standard_output_keeps_what_is_printed_before_and_after(tmp_path, name):
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = (
        "import sys; from pathlib import Path; from xorqa.io.files import write_json;"
        "print('before'); write_json(Path(sys.argv[1]), {'a': 1}, indent=None); print('after')"
    )
    with (tmp_path / "out").open("w") as out:
        subprocess.run([sys.executable, "-c", code, name], stdout=out, check=True, cwd=tmp_path)
    assert (tmp_path / "out").read_text() == 'before\n{"a": 1}\nafter\n'
    piped = subprocess.run(
        [sys.executable, "-c", code, name], capture_output=True, check=True, cwd=tmp_path, text=True
    )
    assert piped.stdout == 'before\n{"a": 1}\nafter\n'


def test_a_folder_is_replaced_only_by_a_whole_one(tmp_path):
    path = tmp_path / "mini.en"
    for content in ("first", "second"):
        with files.atomic_dir(path) as temporary:
            (temporary / content).write_text(content)
        assert names(path) == [content]
    with pytest.raises(KeyError), files.atomic_dir(path) as temporary:
        (temporary / "third").write_text("thi")
        raise KeyError
    assert names(path) == ["second"]
    assert names(tmp_path) == ["mini.en"]


def test_files_of_a_killed_process_do_not_stop_the_next(tmp_path):
    (tmp_path / ".index.old").mkdir()
    (tmp_path / ".index.old" / "file").write_text("left over")
    for content in ("first", "second"):
        with files.atomic_dir(tmp_path / "index") as temporary:
            (temporary / content).write_text(content)
    assert names(tmp_path / "index") == ["second"]


def test_a_failed_write_keeps_the_old_file(tmp_path):
    path = tmp_path / "a.json"
    files.write_json(path, {"old": True})
    with pytest.raises(TypeError):
        files.write_json(path, {"new": object()})
    with pytest.raises(TypeError):
        files.write_jsonl(path, [{"new": True}, {"new": object()}])
    with pytest.raises(UnicodeEncodeError):
        files.write_text(path, "\ud800")
    assert files.read_json(path) == {"old": True}
    assert names(tmp_path) == ["a.json"]


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.dictionaries(st.sampled_from(["text", "ü"]), values)))
def test_json_and_jsonl_come_back_as_written(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("json")
    files.write_json(folder / "a.json", rows)
    assert files.read_json(folder / "a.json") == rows
    files.write_jsonl(folder / "a.jsonl", rows)
    assert list(files.read_jsonl(folder / "a.jsonl")) == list(enumerate(rows, 1))


def test_json_is_written_for_people(tmp_path):
    files.write_json(tmp_path / "a.json", {"kysymys": "Missä?"})
    assert (tmp_path / "a.json").read_text("utf-8") == '{\n  "kysymys": "Missä?"\n}\n'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "line 3: not valid JSON"),
        (b"[1]", "line 3: not a JSON object"),
        (b"null", "line 3: not a JSON object"),
        ('{"text": "ä"}'.encode("latin-1"), "line 3: not UTF-8 text"),
    ],
)
def test_read_jsonl_names_the_line_and_skips_blank_ones(tmp_path, line, message):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "x"}\r\n \n' + line + b"\n")
    rows = files.read_jsonl(path)
    assert next(rows) == (1, {"text": "x"})
    with pytest.raises(DataError, match=rf"a\.jsonl, {message}"):
        next(rows)


def test_read_jsonl_takes_line_separators_inside_strings(tmp_path):
    row = {"text": "one\u2028two\x85three"}
    files.write_jsonl(tmp_path / "a.jsonl", [row, row])
    assert list(files.read_jsonl(tmp_path / "a.jsonl")) == [(1, row), (2, row)]


@pytest.mark.parametrize("content", [b"", b"{'a': 1}", b'{"a": "\xe4"}', b'{"a": 1} x'])
def test_read_json_names_the_file(tmp_path, content):
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(DataError, match=r"a\.json is not valid JSON"):
        files.read_json(tmp_path / "a.json")


def test_missing_files_are_named(tmp_path):
    with pytest.raises(DataError, match=r"a\.json cannot be read: No such file"):
        files.read_json(tmp_path / "a.json")
    with pytest.raises(DataError, match=r"a\.jsonl cannot be read: No such file"):
        list(files.read_jsonl(tmp_path / "a.jsonl"))
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        files.read_json(tmp_path)


def test_digest_is_the_same_in_every_process_and_version():
    assert files.digest("bm25", 1, {"b": 0.4, "k1": 0.9}) == "f6bace100402f88e"


def test_digest_differs_for_different_values():
    parts = [(), ("a",), ("a", ""), ("", "a"), ("a", None), (1,), ("1",), (True,), ("\ud800",)]
    assert len({files.digest(*some) for some in parts}) == len(parts)
    assert files.digest({"a": 1, "b": 2}) == files.digest({"b": 2, "a": 1})
    assert files.digest("a", "b") != files.digest("b", "a")


@given(values)
def test_digest_sees_what_json_sees(value):
    assert files.digest(value) == files.digest(json.loads(json.dumps(value)))


def test_sha256(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\x00" * 100_000)
    assert files.sha256(tmp_path / "a.bin") == hashlib.sha256(b"\x00" * 100_000).hexdigest()


def test_xorqa_home_holds_everything(tmp_path, monkeypatch):
    monkeypatch.setenv("XORQA_HOME", str(tmp_path))
    folders = [files.models_dir(), files.data_dir(), files.cache_dir(), files.indexes_dir()]
    assert folders == [tmp_path / "models", tmp_path / "data", tmp_path, tmp_path / "indexes"]
    assert names(tmp_path) == []


def test_without_xorqa_home_the_cache_is_used(tmp_path, monkeypatch):
    monkeypatch.delenv("XORQA_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert files.home() is None
    assert files.data_dir() == tmp_path / "xorqa" / "data"
    assert files.indexes_dir() == tmp_path / "xorqa" / "indexes"


def test_folders_differ_for_different_settings(tmp_path: Path) -> None:
    tables = [
        {"use": "bm25"},
        {"use": "dense"},
        {"use": "bm25", "k1": 1.2},
        {"use": "bm25", "b": 0.1},
        {"use": "hybrid", "parts": [{"use": "bm25"}]},
        {"use": "hybrid", "parts": [{"use": "dense"}]},
    ]
    assert len({files.index_folder(tmp_path, table) for table in tables}) == len(tables)
    assert files.index_folder(tmp_path, {"use": "bm25"}) == tmp_path / "bm25"
    assert files.index_folder(tmp_path, {"use": "my.mod:Mine"}).name == "my.mod.Mine"
    one = files.index_folder(tmp_path, {"use": "bm25", "k1": 1, "b": 0})
    assert one == files.index_folder(tmp_path, {"b": 0, "use": "bm25", "k1": 1})


def test_a_path_that_is_not_utf8_is_written_with_a_replacement(tmp_path):
    path = tmp_path / "a.json"
    name = os.fsdecode(b"b\xffd")
    files.write_json(path, {"file": name, name: ["\U0001f600"]})
    assert files.read_json(path) == {"file": "b\ufffdd", "b\ufffdd": ["\U0001f600"]}
    files.write_jsonl(path, [name])
    assert path.read_text() == '"b\ufffdd"\n'
