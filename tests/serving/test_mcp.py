"""The tools of the Model Context Protocol, called by the SDK's client and over standard streams."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client, MCPError
from mcp.client.client import ConnectMode

from tests.serving.made_up import LastWord, made_engine
from xorqa.core.errors import ConfigError
from xorqa.serving.mcp import TOO_LONG, Lines, _standard_input, run, server_of
from xorqa.serving.problems import Limits

T = TypeVar("T")


def session(
    folder: Path, use: Callable[[Client], Coroutine[Any, Any, T]], mode: ConnectMode = "auto"
) -> T:
    """What `use` returns, given a client of the server."""
    engine = made_engine(folder)
    engine.start()

    async def connected() -> T:
        async with Client(server_of(engine), mode=mode) as client:
            return await use(client)

    try:
        return asyncio.run(connected())
    finally:
        engine.stop()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_tools_are_listed(tmp_path: Path, mode: ConnectMode) -> None:
    async def listed(client: Client) -> Any:
        return client.server_info, (await client.list_tools()).tools

    info, tools = session(tmp_path, listed, mode)
    assert info.name == "xorqa" and [tool.name for tool in tools] == ["search", "ask"]
    assert all(tool.input_schema["required"] == ["question"] for tool in tools)
    assert "Cite them by their docid." in tools[0].description


def test_the_tools(tmp_path: Path) -> None:
    async def called(client: Client) -> Any:
        asked = await client.call_tool(
            "ask", {"question": "Which river is the Nile?", "lang": "en"}
        )
        return asked, await client.call_tool("search", {"question": "the Rhine", "k": 1})

    asked, found = session(tmp_path, called)
    answer = asked.structured_content
    assert answer["answer"]["text"] == "Africa" and answer["evidence"][0]["docid"] == "nile"
    assert json.loads(asked.content[0].text) == answer
    [hit] = found.structured_content["routes"][0]["hits"]
    assert hit["docid"] == "rhine" and hit["text"]


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("rm", {"question": "x"}, "no tool is called 'rm'; valid: ask, search"),
        ("ask", {}, "ask: 'question' is a required property"),
        ("ask", {"question": 1}, "question: 1 is not of type 'string'"),
        ("ask", {"question": " "}, "question: ' ' does not match"),
        ("ask", {"question": "x" * 9_000}, "question: maxLength is 2000"),
        ("ask", {"question": "x", "path": "/etc/passwd"}, "'path' was unexpected"),
        ("search", {"question": "x", "k": True}, "k: True is not of type 'integer'"),
        ("search", {"question": "x", "k": 0}, "k: 0 is less than the minimum of 1"),
    ],
)
def test_wrong_calls_get_an_error(
    tmp_path: Path, name: str, arguments: dict[str, Any], reason: str
) -> None:
    async def called(client: Client) -> Any:
        with pytest.raises(MCPError) as raised:
            await client.call_tool(name, arguments)
        return raised.value

    error = session(tmp_path, called)
    assert error.code == -32602 and reason in error.message


def test_mistakes_are_results_for_the_assistant(tmp_path: Path) -> None:
    async def called(client: Client) -> Any:
        arguments = {"question": "Where?", "lang": "xx"}
        return [await client.call_tool(name, arguments) for name in ("ask", "search")]

    for answer in session(tmp_path, called):
        assert answer.is_error and "no language is called 'xx'" in answer.content[0].text


class Streams:
    """Standard streams that are pipes, with their other ends."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        (reading, ours), (theirs, writing) = os.pipe(), os.pipe()
        patch.setattr(sys, "stdin", os.fdopen(reading))
        patch.setattr(sys, "stdout", os.fdopen(writing, "w"))
        self.to, self.back = os.fdopen(ours, "wb", 0), os.fdopen(theirs, "rb")

    def send(self, method: str, params: Any = None, number: int | None = None) -> None:
        """Send a message; without a number, a notification."""
        given = {"jsonrpc": "2.0", "method": method, "params": params or {}, "id": number}
        message = {key: value for key, value in given.items() if value is not None}
        self.to.write(json.dumps(message).encode() + b"\n")

    def ask(self, method: str, params: Any = None) -> Any:
        """What the server answers to a message."""
        self.send(method, params, 1)
        return json.loads(self.back.readline())


def talk(streams: Streams) -> list[Any]:
    """A session: a handshake, a line that is no message, and calls."""
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}}
    hello["clientInfo"] = {"name": "test", "version": "1"}
    answers = [streams.ask("initialize", hello)]
    streams.send("notifications/initialized")
    for line in (b"{\n", b"[]\n", b"[" * 9_000 + b"\n", b'{"id": 1}\n', b"\xff\n"):
        streams.to.write(line)  # the SDK drops it
    answers.append(streams.ask("ping"))
    answers.append(streams.ask("resources/list"))
    call = {"name": "ask", "arguments": {"question": "나일강은 어디에 있나요?"}}
    answers.append(streams.ask("tools/call", call))
    streams.to.close()
    return answers


def over_streams(
    folder: Path,
    patch: pytest.MonkeyPatch,
    reader: Any = None,
    talk: Callable[[Streams], list[Any]] = talk,
) -> list[Any]:
    """The answers of a session with `run`."""
    streams, answers = Streams(patch), []
    thread = threading.Thread(target=lambda: answers.extend(talk(streams)), daemon=True)
    thread.start()
    try:
        run(made_engine(folder, reader))
    finally:
        thread.join(30)
    return answers


def test_a_session_over_standard_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hello, pong, unknown, answer = over_streams(tmp_path, monkeypatch)
    assert hello["result"]["protocolVersion"] == "2025-03-26"
    assert hello["result"]["serverInfo"]["name"] == "xorqa"
    assert pong["result"] == {} and unknown["error"]["code"] == -32601
    assert answer["result"]["structuredContent"]["lang"] == "ko"


PING = b'{"jsonrpc": "2.0", "method": "ping", "id": %d}'


def lines_of(text: bytes, *, most: int = 64) -> list[str]:
    lines = Lines(io.BytesIO(text), most)
    return list(iter(lines.readline, ""))


def test_a_line_over_the_limit_is_discarded_to_its_end() -> None:
    tail = PING % 7
    assert lines_of(b" " * 64 + tail + b"\n" + PING % 8 + b"\n") == [
        TOO_LONG,
        f"{(PING % 8).decode()}\n",
    ]
    assert lines_of(b" " * (64 * 9 - len(tail)) + tail + b"\n" * 2) == [TOO_LONG, "\n"]
    assert lines_of(b"x" * 63 + b"\n" + b"y" * 64 + b"\n") == ["x" * 63 + "\n", TOO_LONG]
    assert lines_of(b"z" * 999) == [TOO_LONG] and lines_of(b"") == []


def test_only_a_line_feed_ends_a_line_and_the_rest_of_one_is_no_message() -> None:
    whole = b"[1,\r" + PING % 7 + b"\r\x0b\xc2\x85]\n"
    assert lines_of(whole, most=999) == [whole.decode()]


def test_an_endless_line_is_read_in_pieces() -> None:
    class Endless(io.RawIOBase):
        read_at_once = 0

        def readline(self, size: int | None = -1) -> bytes:
            assert size and 0 < size <= 65
            self.read_at_once += 1
            return b"x" * size if self.read_at_once < 10_000 else b""

    assert Lines(Endless(), 64).readline() == TOO_LONG


def test_the_tail_of_a_long_line_is_not_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def attack(streams: Streams) -> list[Any]:
        for blanks in (Limits().body - 1, Limits().body, 3 * Limits().body):
            streams.to.write(b" " * blanks + PING % 666 + b"\n")
        return talk(streams)

    hello, pong, *_ = over_streams(tmp_path, monkeypatch, talk=attack)
    assert hello["id"] == 1 and pong == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_children_and_handlers_find_no_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bytes] = []

    class Curious(LastWord):
        def read(self, queries: Any, hits: Any) -> Any:
            read.append(os.read(sys.stdin.fileno(), 99))
            return super().read(queries, hits)

    over_streams(tmp_path, monkeypatch, Curious())
    assert read and set(read) == {b""}


def test_a_stream_of_pythons_is_an_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PING % 1)))
    with _standard_input() as stream:
        assert Lines(stream, 99).readline() == (PING % 1).decode()


def test_without_a_standard_input_there_is_an_error_of_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ConfigError, match="--mcp reads messages from standard input"):
        run(made_engine(tmp_path))


def test_an_input_that_ends_at_once_is_no_error(
    xorqa: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(os.devnull).open() as empty:
        monkeypatch.setattr(sys, "stdin", empty)
        outcome = xorqa("serve", "bm25", "--mcp")
    assert outcome.status == 0 and not outcome.out, outcome.err


def test_a_pipeline_that_cannot_be_loaded_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(LastWord):
        def read(self, queries: Any, hits: Any) -> Any:
            raise ConfigError("no weights")

    with pytest.raises(ConfigError, match="no weights"):
        over_streams(tmp_path, monkeypatch, Broken())
