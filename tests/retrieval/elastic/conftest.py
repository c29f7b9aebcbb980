"""A server in the middle: passes requests on, unless a test answers them itself."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Answer = tuple[int, Any] | None
PRODUCT = {"X-Elastic-Product": "Elasticsearch"}


class Middle:
    """`answer` gets method, path and body of a request; None passes it on."""

    def __init__(self, url: str, upstream: str | None) -> None:
        self.url = url
        self.upstream = upstream
        self.headers = dict(PRODUCT)
        self.seen: list[tuple[str, str]] = []
        self.sent: list[dict[str, str]] = []
        self.answer: Callable[[str, str, bytes], Answer] = lambda method, path, body: None

    def asked(self, part: str) -> int:
        """How many requests had this in their path."""
        return sum(part in path for _, path in self.seen)


class Handler(BaseHTTPRequestHandler):
    middle: Middle
    protocol_version = "HTTP/1.1"

    def serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.middle.seen.append((self.command, self.path))
        self.middle.sent.append(headers)
        given = self.middle.answer(self.command, self.path, body)
        if given is None:
            status, data = self.passed_on(body, headers)
        else:
            status, data = given[0], json.dumps(given[1]).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **self.middle.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def passed_on(self, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        assert self.middle.upstream is not None
        upstream = HTTPConnection(self.middle.upstream.removeprefix("http://"))
        kept = {"Content-Type": headers.get("content-type", "application/json")}
        upstream.request(self.command, self.path, body, kept)
        answer = upstream.getresponse()
        return answer.status, answer.read()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = serve

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def running(upstream: str | None) -> Iterator[Middle]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    middle = Middle(f"http://127.0.0.1:{server.server_port}", upstream)
    server.RequestHandlerClass = type("Own", (Handler,), {"middle": middle})
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield middle
    server.shutdown()
    server.server_close()


def name_only(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name this server in the environment, with no settings of another one."""
    for name in ("CLOUD_ID", "API_KEY", "CA", "TIMEOUT"):
        monkeypatch.delenv(f"XORQA_ELASTIC_{name}", raising=False)
    monkeypatch.setenv("XORQA_ELASTIC_URL", url)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Middle]:
    """A server that is named in the environment, with no cluster behind it."""
    pytest.importorskip("elasticsearch")
    for middle in running(None):
        middle.answer = lambda method, path, body: (200, {"version": {"number": "8.15.3"}})
        name_only(middle.url, monkeypatch)
        yield middle


@pytest.fixture
def middle(cluster: str, noida: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Middle]:
    """A server before the local one, named in the environment."""
    for between in running(noida):
        name_only(between.url, monkeypatch)
        yield between
