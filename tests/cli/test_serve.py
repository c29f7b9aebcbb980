"""The command: its pipelines, its token, its errors, and a server in a process."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests.serving.made_up import until
from xorqa.cli.ask import open_pipelines
from xorqa.cli.serve import suggested_questions
from xorqa.core.errors import ConfigError, XorqaError
from xorqa.core.lang import XOR_LANGUAGES
from xorqa.datasets.corpus import read_corpus
from xorqa.io.files import index_folder
from xorqa.io.locks import lock_path
from xorqa.retrieval.manifest import folder_of
from xorqa.serving.client import Client

ROOT = Path(__file__).parents[2]
CONFIG = """
reader = { use = "tests.serving.made_up:LastWord" }
localiser = { use = "none" }
chooser = { use = "rule" }
[[routes]]
name = "eng"
retriever = { use = "bm25" }
"""


def test_without_its_packages_the_extra_is_named(
    xorqa: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    outcome = xorqa("serve")
    assert outcome.status == 2
    assert outcome.err.strip().endswith("install it with: pip install 'xorqa[serve]'")
    assert len(outcome.err.splitlines()) == 1


def test_mistakes_are_reported_in_one_line(xorqa: Callable[..., Any]) -> None:
    for arguments, message in (
        (["nothing"], "nothing"),
        (["dense", "dense"], "two pipelines are called 'dense'"),
        (["--host", "no such host", "--token", "long-enough"], "cannot listen at no such host"),
        (["--token", "short"], "a token needs at least"),
        (["--corpus", "nowhere.jsonl"], "nowhere.jsonl"),
    ):
        outcome = (
            xorqa("serve", "bm25", *arguments)
            if arguments[0] != "dense"
            else xorqa("serve", *arguments)
        )
        assert outcome.status == 2 and message in outcome.err, outcome.err
        assert "Traceback" not in outcome.err


def test_pipelines_are_named_after_their_experiments(tmp_path: Path) -> None:
    (path := tmp_path / "mine.toml").write_text(CONFIG)
    assert list(open_pipelines([str(path), "bm25"], data="mini", corpus=None)) == ["mine", "bm25"]
    with pytest.raises(ConfigError, match="two pipelines are called 'mine'"):
        open_pipelines([str(path), str(path)], data="mini", corpus=None)


def test_the_examples_are_in_eight_languages() -> None:
    questions = suggested_questions()
    assert [each.lang for each in questions] == ["en", *XOR_LANGUAGES]
    assert all(each.text for each in questions)


@contextmanager
def served(tmp_path: Path, *arguments: str, **environment: str) -> Iterator[tuple[str, str]]:
    """A server in a process: its address, and what it printed until it was ready."""
    (tmp_path / "mine.toml").write_text(CONFIG)
    process = subprocess.Popen(
        [sys.executable, "-m", "xorqa", "serve", "mine.toml", "--port", "0", *arguments],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert process.stderr
    try:
        printed = ""
        while not (found := re.search(r"Ready: (\S+)", printed)):
            line = process.stderr.readline()
            assert line, printed
            printed += line
        yield found[1].replace("0.0.0.0", "127.0.0.1"), printed
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        lines = process.stderr.read().splitlines()
        assert all(line.startswith("Reloaded: ") for line in lines), lines
    finally:
        process.kill()
        process.stderr.close()


def answered(url: str) -> str:
    """The answer to a question without a token."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}ask", b'{"question": "The Nile?"}', headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return str(json.load(response)["answer"]["text"])


def asked(url: str, token: str = "") -> int:
    """The status of a question to a server."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    body = json.dumps({"question": "Where is the Nile?"}).encode()
    request = urllib.request.Request(f"{url}ask", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        assert set(json.load(error)["error"]) == {"code", "message"}
        return error.code


@pytest.mark.slow
def test_another_address_needs_a_token(tmp_path: Path) -> None:
    with served(tmp_path, "--host", "0.0.0.0") as (url, printed):
        token = re.search(r"Token: (\S{20,})", printed)
        assert token
        assert (asked(url), asked(url, "wrong"), asked(url, token[1])) == (401, 401, 200)
    own = "the-token-of-a-test"
    with served(tmp_path, "--host", "0.0.0.0", XORQA_TOKEN=own) as (url, printed):
        assert own not in printed
        assert (asked(url), asked(url, own)) == (401, 200)


def test_a_server_waits_for_an_index_that_another_process_builds(tmp_path: Path) -> None:
    home = {"XORQA_HOME": str(tmp_path / "home")}
    (path := tmp_path / "rivers.jsonl").write_text('{"docid": "nile", "text": "Nile: Africa"}\n')
    folder = index_folder(folder_of(read_corpus(path), tmp_path / "home/indexes"), {"use": "bm25"})
    folder.parent.mkdir(parents=True)
    with lock_path(folder, "index"):
        (tmp_path / "mine.toml").write_text(CONFIG)
        command = [sys.executable, "-m", "xorqa", "serve", "mine.toml", "--port", "0"]
        done = subprocess.run(
            [*command, "--corpus", str(path)],
            check=False,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), **home},
            timeout=60,
        )
        assert done.returncode == 2 and "or add --wait" in done.stderr
    with ExitStack() as locked:
        locked.enter_context(lock_path(folder, "index"))
        release = threading.Timer(15, locked.pop_all().close)  # a loaded machine starts slowly
        release.start()
        with served(tmp_path, "--corpus", str(path), "--wait", **home) as (url, printed):
            assert "; waiting" in printed and answered(url) == "Africa"


@pytest.mark.slow
def test_an_update_reaches_a_running_server(tmp_path: Path) -> None:
    (path := tmp_path / "rivers.jsonl").write_text('{"docid": "nile", "text": "Nile: Africa"}\n')
    (new := tmp_path / "new.jsonl").write_text('{"docid": "nile", "text": "Nile: Egypt"}\n')
    with served(tmp_path, "--corpus", str(path)) as (url, _):
        assert answered(url) == "Africa"
        command = [sys.executable, "-m", "xorqa", "index", "update", path, "--corpus", new]
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
        assert until(lambda: answered(url) == "Egypt")


@pytest.mark.slow
@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT] * 2], ids=str)
def test_a_signal_ends_a_server_that_indexes_an_upload(
    tmp_path: Path, signals: list[signal.Signals]
) -> None:
    """With native code that runs: status 0, no message and no folder of an upload."""
    (corpus := tmp_path / "rivers.jsonl").write_text('{"text": "The Nile is in Africa."}\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "xorqa", "serve", "--corpus", str(corpus), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
    )
    assert process.stderr
    rows = [{"text": f"River {number} flows to the sea. " * 20} for number in range(1500)]
    try:
        while not (found := re.search(r"Ready: (\S+)", process.stderr.readline())):
            assert process.poll() is None
        client = Client(found[1])
        upload = threading.Thread(target=lambda: suppressed(client.upload, rows))
        upload.start()
        assert until(lambda: [*tmp_path.glob("xorqa-upload-*/*/*")])
        assert client.ask("Where is the Nile?").lang == "en"
        start = time.monotonic()
        for each in signals:
            process.send_signal(each)
            time.sleep(0.2)
        assert process.wait(30) == 0 and time.monotonic() - start < 20
        upload.join(30)
        assert process.stderr.read() == "" and not [*tmp_path.glob("xorqa-upload-*")]
    finally:
        process.kill()
        process.stderr.close()


def suppressed(call: Callable[..., Any], *arguments: Any) -> None:
    with suppress(XorqaError, OSError, HTTPException):
        call(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT] * 2], ids=str)
def test_a_signal_ends_a_measurement(signals: list[signal.Signals]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "xorqa", "bench", "serve", "--seconds", "60"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stderr
    try:
        assert until(lambda: len(sockets_of(process.pid)) >= 1)  # the server listens
        time.sleep(2)
        for each in signals:
            process.send_signal(each)
            time.sleep(0.2)
        assert process.wait(30) == 0
        assert process.stderr.read() in {"", "interrupted: nothing was measured\n"}
    finally:
        process.kill()
        process.stderr.close()


def sockets_of(pid: int) -> list[str]:
    """The open sockets of a process, by /proc."""
    found = []
    for path in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            found += [link for link in [str(path.readlink())] if link.startswith("socket:")]
    return found
