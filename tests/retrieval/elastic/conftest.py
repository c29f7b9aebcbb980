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


def as_opensearch(url: str) -> Callable[[str, str, bytes], Answer]:
    """Answers what OpenSearch says otherwise, from a server that speaks Elasticsearch's protocol.

    That is the type of vectors when an index is created, and searches for nearest neighbours.
    """

    def answer(method: str, path: str, body: bytes) -> Answer:
        if "_msearch" in path and b'"knn"' in body:
            return 200, ask(method, path, [*map(json.loads, body.splitlines())])
        if method == "PUT" and b'"knn_vector"' in body:
            return 200, ask(method, path, json.loads(body))
        return None

    def ask(method: str, path: str, body: Any) -> Any:
        from opensearchpy import OpenSearch

        for part in body if isinstance(body, list) else [body]:
            if "mappings" in part:
                vector = part["mappings"]["properties"]["vector"]
                assert vector["method"]["space_type"] == "innerproduct"
                assert part["settings"].pop("index.knn") is True
                similar = {"dims": vector["dimension"], "similarity": "max_inner_product"}
                exact = {"index_options": {"type": "hnsw"}}
                part["mappings"]["properties"]["vector"] = {
                    "type": "dense_vector",
                    **similar,
                    **exact,
                }
            if "knn" in part.get("query", {}):
                [(field, clause)] = part.pop("query")["knn"].items()
                nearest = {"field": field, "query_vector": clause["vector"], "k": clause["k"]}
                part["knn"] = {**nearest, "num_candidates": 100}
        client = OpenSearch(hosts=[url])
        if isinstance(body, list):
            return client.msearch(body=body)
        return client.transport.perform_request(method, path.partition("?")[0], body=body)

    return answer


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
def opensearch(cluster: str, noida: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Middle]:
    """A server that answers as OpenSearch, named in the environment."""
    pytest.importorskip("opensearchpy")
    for between in running(noida):
        between.answer = as_opensearch(noida)
        monkeypatch.setenv("XORQA_OPENSEARCH_URL", between.url)
        yield between


@pytest.fixture
def middle(cluster: str, noida: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Middle]:
    """A server before the local one, named in the environment."""
    for between in running(noida):
        name_only(between.url, monkeypatch)
        yield between
