"""A chat service on this machine, which answers as a test scripts it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest


@dataclass(frozen=True)
class Refusal:
    """A status with the body of an error."""

    status: int
    body: dict[str, Any]


@dataclass
class Service:
    """Replies are given one after the other, the last one again and again.

    A reply is a status with headers, a refusal, a text that the assistant says, a whole body,
    bytes, or seconds to wait.
    """

    url: str = ""
    replies: list[Any] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def reply(self, question: str) -> Any:
        at = min(len(self.requests), len(self.replies)) - 1
        given = self.replies[at]
        return given(question) if callable(given) else given

    @property
    def asked(self) -> list[str]:
        return [request["messages"][-1]["content"] for request in self.requests]


def completion(text: str | None, **message: Any) -> dict[str, Any]:
    """The body of a chat completion."""
    choice = {"message": {"role": "assistant", "content": text, **message}}
    return {"choices": [choice], "usage": {"prompt_tokens": 20, "completion_tokens": 5}}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as made:
        yield made


@contextmanager
def serving() -> Iterator[Service]:
    """A running service."""
    made = Service()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(made))
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_port}/v1"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Nobody sleeps (but the service); what a translator would have slept is kept."""
    slept: list[float] = []
    monkeypatch.setattr("xorqa.models.chat_client.time", _Clock(slept))
    return slept


class _Clock:
    def __init__(self, slept: list[float]) -> None:
        self.sleep: Callable[[float], None] = slept.append
        self.monotonic = lambda: 1000.0


def _handler(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.requests.append(body)
            service.headers.append(dict(self.headers))
            service.paths.append(self.path)
            reply = service.reply(body["messages"][-1]["content"])
            status, headers, content = 200, {}, b""
            if isinstance(reply, float):
                time.sleep(reply)
            elif isinstance(reply, tuple):
                status, headers = reply
                content = json.dumps({"error": {"message": f"{self.headers}"}}).encode()
            elif isinstance(reply, Refusal):
                status, content = reply.status, json.dumps(reply.body).encode()
            elif isinstance(reply, bytes):
                content = reply
            else:
                body = reply if isinstance(reply, dict) else completion(reply)
                content = json.dumps(body).encode()
            try:
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                pass  # the client has left

        def log_message(self, *_: Any) -> None:
            pass

    return Handler
