"""Endpoints that answer one byte at a time, or repeat the key in other spellings."""

import html
import json
import socket
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import quote

import pytest

from xorqa.core.network import has_secret
from xorqa.models.chat_client import ChatClient
from xorqa.models.chat_reply import ChatError

KEY = "sk/secret+of_the-tests"
COMPLETION = json.dumps({"choices": [{"message": {"content": "Oulu " * 20}}]}).encode()
HEAD = b"HTTP/1.1 200 OK\r\n"
SIZED = b"%sContent-Length: %d\r\n\r\n" % (HEAD, len(COMPLETION))
CLOSED = HEAD + b"Connection: close\r\n\r\n"
HELLO = b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03"  # the beginning of a TLS handshake


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@contextmanager
def endpoint(start: bytes, drip: bytes, pause: float = 0.05) -> Iterator[str]:
    """An address that sends `start`, then `drip` byte by byte."""

    def answer(connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(1 << 16)
                connection.sendall(start)
                for byte in drip:
                    time.sleep(pause)
                    connection.sendall(bytes([byte]))
                connection.recv(1)
            except OSError:
                pass  # the client has left

    def accept() -> None:
        while True:
            try:
                Thread(target=answer, args=[listener.accept()[0]], daemon=True).start()
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=accept, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def client(url: str, *, timeout: float = 5.0, key_env: str = "") -> ChatClient:
    return ChatClient(
        url=url, model="m", key_env=key_env, timeout=timeout, per_minute=0, options={}, where="x"
    )


@pytest.mark.parametrize(
    ("scheme", "start", "drip"),
    [
        pytest.param("http", b"", SIZED + COMPLETION, id="headers"),
        pytest.param("http", SIZED, COMPLETION, id="body"),
        pytest.param("http", CLOSED + COMPLETION, b" " * 999, id="body until the end"),
        pytest.param("https", HELLO, b"x" * 999, id="handshake"),
    ],
)
def test_the_timeout_is_that_of_the_whole_request(scheme: str, start: bytes, drip: bytes) -> None:
    with endpoint(start, drip) as address:
        begun = time.monotonic()
        with pytest.raises(ChatError, match=r"127\.0\.0\.1 did not answer within 0\.4 s") as error:
            client(f"{scheme}://{address}/v1", timeout=0.4).complete([])
        assert error.value.retryable and 0.3 < time.monotonic() - begun < 2


def test_a_connection_is_left_once_its_reply_is_too_long() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1 << 16)
                with suppress(ConnectionError):
                    connection.sendall(CLOSED + b" " * (9 << 20))
                    connection.recv(1)

        thread = Thread(target=answer, daemon=True)
        thread.start()
        made = client(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        with pytest.raises(ChatError, match="the reply is no chat completion"):
            made.complete([])
        thread.join(3)
        assert not thread.is_alive()


def test_a_slow_reply_in_time_is_read() -> None:
    with endpoint(SIZED + COMPLETION[:-4], COMPLETION[-4:]) as address:
        made = client(f"http://{address}/v1", timeout=2)
        assert made.complete([]).text.startswith("Oulu Oulu")


@pytest.mark.parametrize(
    "spelling",
    [
        KEY.replace("s", "\\u0073"),
        KEY.replace("/", "\\/"),
        "".join(f"\\u{ord(letter):04X}" for letter in KEY),
        json.dumps("".join(f"\\u{ord(letter):04x}" for letter in KEY)),
        "".join(f"&#{ord(letter)};" for letter in KEY),
        "".join(f"&#x{ord(letter):x};" for letter in KEY),
        "".join(f"%{ord(letter):02x}" for letter in KEY),
        "".join(f"\\x{ord(letter):02x}" for letter in KEY),
        quote(quote(KEY, safe=""), safe=""),
        html.escape(KEY).replace("/", "&sol;"),
        "\u200b".join(KEY),
        "".join(chr(ord(letter) + 0xFEE0) for letter in KEY),  # full width
        KEY[::-1],
        KEY.encode().hex(),
        urlsafe_b64encode(KEY.encode()).decode().rstrip("="),
        b64encode(b"?" + KEY.encode()).decode(),
        b64encode(b"??" + KEY.encode()).decode(),
    ],
)
def test_a_key_in_another_spelling_reaches_nothing(
    spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    text = f'{{"answer": "{spelling}", "citations": []}}'
    assert has_secret(text, [KEY])
    body = json.dumps({"choices": [{"message": {"content": text}}]}).encode()
    with endpoint(b"%sContent-Length: %d\r\n\r\n%s" % (HEAD, len(body), body), b"") as address:
        made = client(f"http://{address}/v1", key_env="THE_KEY")
        with pytest.raises(ChatError, match="the reply repeats the API key"):
            made.complete([])


@pytest.mark.parametrize("status", ["400 Bad Request", f"418 {KEY}", "400 \\u0073k/secret"])
def test_no_error_has_the_key(status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    spelled = "".join(f"&#{ord(letter)};" for letter in KEY)
    body = json.dumps({"error": {"message": f"no such key: {spelled} {KEY}"}}).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with endpoint(head + body, b"") as address:
        made = client(f"http://{address}/v1", key_env="THE_KEY")
        with pytest.raises(ChatError) as error:
            made.complete([])
    assert not has_secret(f"{error.value} {error.value.args}", [KEY])


def test_ordinary_replies_have_no_key() -> None:
    for text in ("Oulu & Inari, 100 % sure", "C:\\users\\x", '{"answer": "\\u0073ecret"}', "&#x;"):
        assert not has_secret(text, [KEY, "EMPTY"])
