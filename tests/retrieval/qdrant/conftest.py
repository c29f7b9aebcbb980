"""A server with Qdrant's REST API: the client's own engine behind the requests that we send."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

KEY = "a-key-of-the-server"


class QdrantServer:
    """`version` is what it says it is; `broken` is the status of every response, if any."""

    def __init__(self) -> None:
        from qdrant_client import QdrantClient

        self.engine = QdrantClient(":memory:")
        self.url = ""
        self.version = "1.16.3"
        self.broken = 0
        self.seen: list[str] = []

    def answer(self, method: str, path: str, body: dict[str, Any]) -> Any:  # noqa: PLR0911, PLR0912
        """The result of a request."""
        from qdrant_client import models

        engine, parts = self.engine, path.strip("/").split("/")
        name = parts[1] if len(parts) > 1 else ""
        match method, parts[0], parts[2:]:
            case "GET", "collections", [] if not name:
                return engine.get_collections()
            case "GET", "aliases", []:
                return engine.get_aliases()
            case "POST", "collections", [] if name == "aliases":
                changes = models.ChangeAliasesOperation(**body)
                return engine.update_collection_aliases(changes.actions)
            case "GET", "collections", []:
                return engine.get_collection(name)
            case "GET", "collections", ["exists"]:
                return {"exists": engine.collection_exists(name)}
            case "POST", "collections", ["points", "scroll"]:
                asked = models.ScrollRequest(**body)
                points, following = engine.scroll(
                    name, limit=asked.limit, with_payload=True, with_vectors=True
                )
                return {"points": plain(points), "next_page_offset": following}
            case "PUT", "collections", []:
                made = models.CreateCollection(**body)
                return engine.create_collection(
                    name, vectors_config=made.vectors, metadata=made.metadata
                )
            case "DELETE", "collections", []:
                return engine.delete_collection(name)
            case "POST", "collections", ["points", "count"]:
                return engine.count(name)
            case "POST", "collections", ["points"]:
                asked = models.PointRequest(**body)
                return engine.retrieve(
                    name,
                    asked.ids,
                    with_payload=bool(asked.with_payload),
                    with_vectors=bool(asked.with_vector),
                )
            case "PUT", "collections", ["points"]:
                return engine.upsert(name, models.PointsList(**body).points)
            case "POST", "collections", ["points", "query", "batch"]:
                batch = models.QueryRequestBatch(**body)
                return engine.query_batch_points(name, batch.searches)
            case _:
                raise AssertionError(f"{method} {path} is not served")


class Handler(BaseHTTPRequestHandler):
    server_of: QdrantServer
    protocol_version = "HTTP/1.1"

    def serve(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length) or "{}")
        path = self.path.partition("?")[0]
        self.server_of.seen.append(f"{self.command} {path}")
        if self.server_of.broken:
            error = {"error": f"not with the key {self.headers.get('api-key')}"}
            return self.respond(self.server_of.broken, {"status": error})
        if path == "/":
            return self.respond(200, {"title": "qdrant", "version": self.server_of.version})
        try:
            result = self.server_of.answer(self.command, path, body)
        except ValueError as error:
            return self.respond(404, {"status": {"error": str(error)}})
        return self.respond(200, {"result": plain(result), "status": "ok", "time": 0.0})

    def respond(self, status: int, content: Any) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = serve

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def plain(value: Any) -> Any:
    """Models of the client as JSON values."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[QdrantServer]:
    """A server that the environment names."""
    pytest.importorskip("qdrant_client")
    qdrant = QdrantServer()
    handler = type("Own", (Handler,), {"server_of": qdrant})
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
    qdrant.url = f"http://127.0.0.1:{http.server_port}"
    monkeypatch.setenv("XORQA_QDRANT_URL", qdrant.url)
    monkeypatch.setenv("XORQA_QDRANT_API_KEY", KEY)
    yield qdrant
    http.shutdown()
    http.server_close()
