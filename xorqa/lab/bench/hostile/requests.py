"""The kinds of hostile requests, each drawn at random.

Each sends a request and returns the status, 0 if the server closed the connection. It raises a
ValueError for an error of another shape, and a TimeoutError if nothing comes.
"""

import http.client
import json
import random
import socket
import time
from collections.abc import Callable
from contextlib import suppress

from ....io.strict_json import parse_json

SECONDS = 60.0  # after which a request counts as hanging
ENDPOINTS = ("/ask", "/retrieve", "/read", "/translate", "/score", "/corpora")
CONTROL = "".join(map(chr, [*range(32), 0x7F, 0x85, 0x200B, 0x2028, 0x202E, 0xFEFF, 0xFFFF]))
SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}}${7*7}"
LONG = b"a" * 70_000
JSON = {"Content-Type": "application/json"}

Address = tuple[str, int]
Send = Callable[[random.Random, Address], int]


def post(
    address: Address,
    path: str,
    body: bytes,
    headers: dict[str, str] | None = None,
    method: str = "POST",
    source: str = "",
) -> int:
    """Send a request, and check the shape of an error; 0 if the connection was closed."""
    try:
        return _checked(*request(address, path, body, headers, method, source))
    except (ConnectionError, http.client.RemoteDisconnected):
        return 0  # closed while sending what is too large


def request(
    address: Address,
    path: str,
    body: bytes,
    headers: dict[str, str] | None = None,
    method: str = "POST",
    source: str = "",
) -> tuple[int, bytes]:
    """Send a request, from the address `source`; the status and the body of the response."""
    sender = (source, 0) if source else None
    connection = http.client.HTTPConnection(*address, timeout=SECONDS, source_address=sender)
    try:
        connection.request(method, path, body, headers or JSON)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def _checked(status: int, body: bytes) -> int:
    if status >= 400:
        error = parse_json(body)["error"]
        if set(error) != {"code", "message"}:
            raise ValueError(f"an error with {sorted(error)}")
    return status


def _raw(address: Address, *parts: bytes, pause: float = 0.0) -> int:
    """Send bytes, and read an answer until the server closes the connection."""
    with socket.create_connection(address, timeout=SECONDS) as connection:
        answer = b""
        try:
            for part in parts:
                connection.sendall(part)
                time.sleep(pause)
            while chunk := connection.recv(65536):
                answer += chunk
        except ConnectionError:
            return 0
    if not answer:
        return 0
    head, _, body = answer.partition(b"\r\n\r\n")
    return _checked(int(head.split()[1]), body)


def _random_bytes(rng: random.Random, address: Address) -> int:
    return _raw(address, rng.randbytes(rng.randint(1, 3000)) + b"\r\n\r\n")


def _damaged_http(rng: random.Random, address: Address) -> int:
    heads = (
        b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"POST /ask HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/9.9\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /" + LONG + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
        + b"a" * 70_000
        + b"\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET \xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    )
    return _raw(address, rng.choice(heads))


def _huge_body(rng: random.Random, address: Address) -> int:
    body = b'{"question": "' + b"x" * rng.choice((1_100_000, 3_000_000, 9_000_000)) + b'"}'
    return post(address, rng.choice(ENDPOINTS), body)


def _deep_json(rng: random.Random, address: Address) -> int:
    depth = rng.choice((500, 5_000, 200_000))
    body = rng.choice((b"[" * depth, b"[" * depth + b"]" * depth, b'{"question":' * depth))
    return post(address, rng.choice(ENDPOINTS), body)


def _wrong_types(rng: random.Random, address: Address) -> int:
    values: tuple[object, ...] = (
        None,
        True,
        0,
        -1,
        1e300,
        "",
        "x",
        [],
        [[]],
        {},
        {"a": 1},
        ["x", 1],
        "\u0000",
    )
    names = ("question", "questions", "lang", "pipeline", "corpus", "min_confidence", "k", "to")
    more = ("passages", "items", "task", "scorer", "__proto__", "text")
    chosen = rng.sample((*names, *more), rng.randint(1, 5))
    body: object = {name: rng.choice(values) for name in chosen}
    body = rng.choice((body, body, body, rng.choice(values)))
    return post(address, rng.choice(ENDPOINTS), json.dumps(body).encode())


def _strange_question(rng: random.Random, address: Address) -> int:
    letters = "aбझ界ا" + CONTROL + SCRIPT + "😀é"
    text = "".join(rng.choices(letters, k=rng.choice((1, 30, 300, 1_900))))
    lang = rng.choice((None, None, "en", "ko", "zz", "../../etc/passwd", CONTROL))
    accept = rng.choice(("application/json", "text/event-stream", "application/x-ndjson"))
    body = json.dumps({"question": text, "lang": lang}).encode()
    return post(address, "/ask", body, {**JSON, "Accept": accept})


def _long_question(rng: random.Random, address: Address) -> int:
    text = (rng.choice(("Where is it? ", "어디? ", "x")) * 10_000)[:10_000]
    many = {"questions": ["x"] * 999}
    bodies: list[dict[str, object]] = [{"question": text}, {"questions": [text] * 3}, {**many}]
    body = rng.choice(bodies)
    return post(address, "/ask", json.dumps(body).encode())


def _upload(rng: random.Random, address: Address) -> int:
    row = {"text": SCRIPT + CONTROL, "title": SCRIPT, "docid": rng.choice(("a", "../a", "a b", 1))}
    rows = (json.dumps(row), "{}", "null", '{"text": "\\ud800"}', rng.randbytes(50).hex())
    body = "\n".join(rng.choices(rows, k=rng.randint(1, 5))).encode()
    media = rng.choice(("application/jsonl", "text/plain", "text/html", "multipart/form-data", ""))
    body = rng.choice((body, body, rng.randbytes(500), b'{"text": "a"}\n' * 3_000))
    return post(address, "/corpora", body, {"Content-Type": media})


def _strange_route(rng: random.Random, address: Address) -> int:
    paths = ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/%00", "/corpora/..%2f..", "/%ff")
    method = rng.choice(("GET", "PUT", "DELETE", "PATCH", "OPTIONS", "POST"))
    return post(address, rng.choice((*paths, *ENDPOINTS)), b"", method=method)


def _slow_sender(rng: random.Random, address: Address) -> int:
    head = b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    whole = head + b"Content-Length: 100\r\nConnection: close\r\n\r\n"
    sent = whole + b'{"question"' if rng.random() < 0.5 else head[: rng.randint(1, len(head))]
    return _raw(address, sent[:-5], sent[-5:], pause=0.1)


def _abandoned(rng: random.Random, address: Address) -> int:
    body = json.dumps({"question": f"Where is river {rng.random()}?"}).encode()
    head = b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with socket.create_connection(address, timeout=SECONDS) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        time.sleep(rng.choice((0.0, 0.01, 0.1)))
    return 0


def _slow_connection(rng: random.Random, address: Address) -> int:
    """Send a byte now and then, until the server has had enough."""
    head = b"POST /corpora HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
    whole = head + b"Content-Length: 9999\r\n\r\n"
    sent = rng.choice((head, whole, whole, b""))
    with socket.create_connection(address, timeout=SECONDS) as connection:
        try:
            connection.sendall(sent)
            connection.settimeout(rng.choice((0.05, 0.2)))
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                with suppress(TimeoutError):
                    answer = connection.recv(65536)
                    return int(answer.split()[1]) if answer else 0
                connection.sendall(b"x")
        except ConnectionError:
            return 0
    raise TimeoutError("a slow connection is still open")


def _foreign_page(rng: random.Random, address: Address) -> int:
    """What a browser sends for a page of another site; raises a ValueError unless refused."""
    by = ({"Origin": "https://attacker.example"}, {"Origin": "null"}, {"Origin": "http://[::1]:1"})
    sites = ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"})
    headers = {"Content-Type": "text/plain", **rng.choice((*by, *sites))}
    status = post(address, rng.choice(ENDPOINTS), b"A text.", headers)
    if status != 403:
        raise ValueError(f"status {status} for a page of another site")
    return status


def _passages(rng: random.Random) -> bytes:
    """JSONL to upload, of a length that takes a while to index."""
    rows = ({"text": f"River {rng.random()} is long. " * 9} for _ in range(rng.randint(10, 100)))
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _whole_upload(rng: random.Random, address: Address) -> int:
    return post(address, "/corpora", _passages(rng), {"Content-Type": "application/jsonl"})


def _abandoned_upload(rng: random.Random, address: Address) -> int:
    body = _passages(rng)
    head = b"POST /corpora HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/jsonl\r\n"
    with socket.create_connection(address, timeout=SECONDS) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        time.sleep(rng.choice((0.0, 0.1, 0.5)))
    return 0


KINDS: dict[str, Send] = {
    "random bytes": _random_bytes,
    "damaged HTTP": _damaged_http,
    "huge body": _huge_body,
    "deep JSON": _deep_json,
    "wrong types": _wrong_types,
    "strange question": _strange_question,
    "long question": _long_question,
    "upload": _upload,
    "strange route": _strange_route,
    "slow sender": _slow_sender,
    "slow connection": _slow_connection,
    "page of another site": _foreign_page,
    "whole upload": _whole_upload,
    "abandoned upload": _abandoned_upload,
    "abandoned": _abandoned,
}
