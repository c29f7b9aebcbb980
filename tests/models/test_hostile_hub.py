"""A model hub (`HF_ENDPOINT`) whose commits, ETags and file names lead out of the cache."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from xorqa.core.errors import WeightsError
from xorqa.models.checkpoints import resolve

COMMIT, OTHER = "a" * 40, "b" * 40
OUT = "../../../../out/"


@dataclass
class Hub:
    """What the hub answers; each value may be a function of the number of times it was asked."""

    commit: str | Callable[[int], str] = COMMIT
    header_commit: str = COMMIT
    etag: str = '"0123"'
    linked_etag: str = ""
    path: str = "config.json"
    lfs: dict[str, Any] | None = None
    status: int = 200
    api_headers: dict[str, str] = field(default_factory=dict)
    xet: str = ""
    asked: int = 0
    paths: list[str] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    hub: Hub

    def do_HEAD(self) -> None:
        hub = type(self).hub
        hub.paths.append(self.path)
        headers: dict[str, str] = {}
        content = b"{}"
        if self.path.startswith("/api/models/") and "/tree/" in self.path:
            row = {"type": "file", "path": hub.path, "size": 2, "oid": "1" * 40}
            weights = row | {"path": "model.safetensors"} | ({"lfs": hub.lfs} if hub.lfs else {})
            weights |= {"xetHash": "c" * 64} if hub.lfs else {}
            content = json.dumps([row, weights]).encode()
        elif self.path.startswith("/api/models/"):
            hub.asked += 1
            commit = hub.commit(hub.asked) if callable(hub.commit) else hub.commit
            siblings = [{"rfilename": name} for name in (hub.path, "model.safetensors")]
            about = {"id": "owner/name", "sha": commit, "siblings": siblings}
            content = json.dumps(about).encode()
        else:
            headers = {"ETag": hub.etag, "X-Repo-Commit": hub.header_commit}
            if hub.xet:
                headers |= {"X-Xet-Hash": hub.xet}
            if hub.linked_etag:
                headers |= {"X-Linked-Etag": hub.linked_etag, "X-Linked-Size": "2"}
        is_file = not self.path.startswith("/api/")
        headers |= {} if is_file or self.path == "/moved" else hub.api_headers
        self.send_response(hub.status if is_file else 302 if "Location" in headers else 200)
        if is_file and hub.status == 404:
            headers["X-Error-Code"] = "EntryNotFound"
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    do_GET = do_HEAD

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    from huggingface_hub import constants

    made = Hub()
    handler = type("HubHandler", (Handler,), {"hub": made})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    address = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", address)
    template = f"{address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr("xorqa.models.hub._folders", {})
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "home" / "hub"))
    yield made
    server.shutdown()
    server.server_close()


def files(folder: Path) -> list[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    return sorted(path.as_posix() for path in found)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"commit": OUT + "x"}, "the commit"),
        ({"commit": "../.."}, "the commit"),
        ({"commit": ""}, "the commit"),
        ({"commit": COMMIT.upper()}, "the commit"),
        ({"commit": COMMIT + "\n"}, "the commit"),
        ({"commit": lambda asked: COMMIT if asked == 1 else OUT + "x"}, "the commit"),
        ({"header_commit": OUT + "x"}, "the commit"),
        ({"header_commit": OUT + "x", "status": 404}, "the commit"),
        ({"etag": f'"{OUT}x"'}, "the ETag"),
        ({"etag": '"/tmp/x"'}, "the ETag"),
        ({"etag": '".."'}, "the ETag"),
        ({"etag": '"a/b"'}, "the ETag"),
        ({"linked_etag": f'"{OUT}x"'}, "the ETag"),
        ({"path": OUT + "config.json"}, "the file"),
        ({"path": OUT + "config.json", "status": 404}, "the file"),
        ({"path": "/tmp/config.json"}, "the file"),
        ({"path": f"../{OTHER}/config.json"}, "the file"),
        ({"api_headers": {"Location": "/moved"}}, "the address"),
        ({"api_headers": {"Link": '<http://127.0.0.1/moved>; rel="next"'}}, "the address"),
        ({"xet": OUT + "x"}, "the hash"),
        ({"commit": [OUT]}, "the commit"),
        ({"lfs": {"oid": OUT + "x", "size": 2, "pointerSize": 2}}, "the hash"),
    ],
)
def test_answers_that_lead_out_of_the_cache_are_refused(
    hub: Hub, tmp_path: Path, answers: dict[str, Any], reason: str
) -> None:
    for name, value in answers.items():
        setattr(hub, name, value)
    with pytest.raises(WeightsError) as error:
        resolve("owner/name")
    written = files(tmp_path)
    assert not [name for name in written if not name.startswith("home/hub/")], written
    allowed = {f"trees/{COMMIT}.json", "refs/main", "CACHEDIR.TAG"}
    # a commit and a list of files that are in order may be there already
    assert {name.partition("owner--name/")[2] for name in written} <= {*allowed, ""}
    assert reason in str(error.value) and "\n" not in str(error.value)
    if not {"etag", "linked_etag", "header_commit", "xet"} & set(answers):
        assert written == []


def test_a_decent_hub_is_downloaded_and_read_again_without_it(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = resolve("owner/name")
    assert first.folder.name == COMMIT
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("xorqa.models.hub._folders", {})
    assert resolve("owner/name") == first
    monkeypatch.setattr("xorqa.models.hub._folders", {})
    ref = next(tmp_path.rglob("refs/main"))
    ref.write_text("../../../../out")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "config.json").write_text("{}")
    (tmp_path / "out" / "model.safetensors").write_text("{}")
    with pytest.raises(WeightsError, match="the commit"):
        resolve("owner/name")


@pytest.mark.parametrize("revision", ["../../../../out/x", "/tmp", "a/../b", ".", "a//b", "a\nb"])
def test_revisions_that_lead_out_of_the_cache_are_refused(
    hub: Hub, tmp_path: Path, revision: str
) -> None:
    with pytest.raises(WeightsError, match="the revision"):
        resolve(f"owner/name@{revision}")
    assert files(tmp_path) == [] and hub.paths == []


def test_a_client_of_the_users_own_is_checked_too(hub: Hub) -> None:
    import httpx2
    from huggingface_hub import set_client_factory
    from huggingface_hub.utils import _http

    before = _http._GLOBAL_CLIENT_FACTORY
    made: list[httpx2.Client] = []

    def factory() -> httpx2.Client:
        made.append(httpx2.Client(follow_redirects=True))
        return made[-1]

    set_client_factory(factory)
    try:
        assert resolve("owner/name").folder.name == COMMIT and made
        hub.commit = hub.header_commit = OTHER
        hub.etag = '"../x"'
        with pytest.raises(WeightsError, match="the ETag"):
            resolve("owner/name@v2.0")
    finally:
        set_client_factory(before)
