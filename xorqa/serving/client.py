"""A client of a server in Python, without further packages.

Example:
    client = Client("http://localhost:8000", token="...")
    reply = client.ask("나일강은 어느 대륙에 있나요?")
    print(reply.answer.text if reply.answer else "not found", reply.evidence[0].text)
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from ..core.errors import ConfigError, XorqaError
from ..io.strict_json import parse_json

JSON, LINES = "application/json", "application/x-ndjson"


class ServerError(XorqaError):
    """An error of the server: its status and its code, such as 429 and "busy".

    The status is 200 for a single question of a batch.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass(frozen=True, slots=True)
class ServedAnswer:
    """An answer; `original` is the passage's text if it was localised, `method` how.

    The server's field for `method` is `made`.
    """

    text: str
    lang: str
    original: str | None
    confidence: float | None
    method: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage; the answer is `text[start:end]`, or None and None if it was not read."""

    docid: str
    title: str
    text: str
    start: int | None
    end: int | None
    score: float


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a question; `answer` is None if it was not found, `trace` has all stages."""

    answer: ServedAnswer | None
    evidence: tuple[Evidence, ...]
    lang: str
    trace: Mapping[str, Any]
    milliseconds: float


class Client:
    """A client of the server at `url`; each call is one request, of at most `timeout` seconds.

    Raises:
        ConfigError: if the address is not one of HTTP or HTTPS.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 90.0) -> None:
        self._url = urlsplit(url)
        if self._url.scheme not in {"http", "https"} or not self._url.hostname:
            raise ConfigError(f"'{url}' is not the address of a server: http://localhost:8000")
        self._token, self._timeout = token, timeout

    def ask(self, question: str, **options: Any) -> Reply:
        """Answer a question; `options` are other fields of the request, such as `lang`.

        Raises:
            ServerError: for an error of the server.
            OSError: if it cannot be reached.
        """
        return _reply(self._json("POST", "/ask", {"question": question, **options}))

    def ask_all(self, questions: Sequence[str], **options: Any) -> list[Reply | ServerError]:
        """Answer questions in one batch: a reply or an error for each."""
        rows = self._json("POST", "/ask", {"questions": list(questions), **options})["results"]
        return [ServerError(200, **row["error"]) if "error" in row else _reply(row) for row in rows]

    def stages(self, question: str, **options: Any) -> Iterator[tuple[str, float] | Reply]:
        """The name and the milliseconds of each stage when it has ended, then the reply."""
        body = json.dumps({"question": question, **options}).encode()
        with self._response("POST", "/ask", body, JSON, accept=LINES) as response:
            for line in response:
                row = parse_json(line)
                event = row.pop("event")
                if event == "error":
                    raise ServerError(response.status, **row["error"])
                yield _reply(row) if event == "answer" else (row["stage"], row["milliseconds"])

    def retrieve(self, question: str, **options: Any) -> list[dict[str, Any]]:
        """The query and the hits of each route; `k` is the number of hits."""
        routes: list[dict[str, Any]] = self._json(
            "POST", "/retrieve", {"question": question, **options}
        )["routes"]
        return routes

    def upload(self, passages: Sequence[Mapping[str, str]]) -> str:
        """Index passages (`text`, and optionally `docid`, `title`, `lang`); returns their id.

        Pass it as `corpus` to the other calls.
        """
        body = "\n".join(json.dumps(dict(passage)) for passage in passages).encode()
        with self._response("POST", "/corpora", body, "application/jsonl") as response:
            return str(parse_json(response.read())["corpus"])

    def remove(self, corpus: str) -> None:
        """Remove uploaded passages."""
        with self._response("DELETE", f"/corpora/{quote(corpus, safe='')}", b"", JSON) as response:
            response.read()

    def _json(self, method: str, path: str, value: object) -> Any:
        with self._response(method, path, json.dumps(value).encode(), JSON) as response:
            return parse_json(response.read())

    @contextmanager
    def _response(
        self, method: str, path: str, body: bytes, media: str, accept: str = JSON
    ) -> Iterator[http.client.HTTPResponse]:
        secure = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(self._url.hostname or "", self._url.port, timeout=self._timeout)
        headers = {"Content-Type": media, "Accept": accept}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            connection.request(method, self._url.path.rstrip("/") + path, body, headers)
            response = connection.getresponse()
            if response.status != 200:
                raise _error(response)
            yield response
        finally:
            connection.close()


def _error(response: http.client.HTTPResponse) -> ServerError:
    text = response.read()
    try:
        return ServerError(response.status, **parse_json(text)["error"])
    except (ValueError, KeyError, TypeError):  # of a proxy before the server
        return ServerError(response.status, "unknown", f"status {response.status}")


def _reply(row: Mapping[str, Any]) -> Reply:
    answer = row["answer"]
    names = ("text", "lang", "original", "confidence", "made")
    return Reply(
        answer and ServedAnswer(*(answer[name] for name in names)),
        tuple(Evidence(**passage) for passage in row["evidence"]),
        row["lang"],
        row["trace"],
        row["milliseconds"],
    )
