"""The tools of the Model Context Protocol, as messages over standard streams."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.serving.made_up import LastWord, made_engine
from xorqa.core.errors import ConfigError
from xorqa.serving.mcp import run


def call(method: str, params: Any = None, number: int | None = 1) -> dict[str, Any]:
    """A message; without a number, a notification."""
    optional = {"params": params, "id": number}
    given = {key: value for key, value in optional.items() if value is not None}
    return {"jsonrpc": "2.0", "method": method, **given}


def tool(name: Any, **arguments: Any) -> dict[str, Any]:
    return call("tools/call", {"name": name, "arguments": arguments})


def replies(folder: Path, *messages: Any, reader: Any = None) -> list[Any]:
    """What the server answers to messages, or to lines of bytes."""
    lines = [m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages]
    out = io.BytesIO()
    run(made_engine(folder, reader), io.BytesIO(b"\n".join(lines) + b"\n"), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_session(tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "test"}}
    answers = replies(
        tmp_path,
        call("initialize", hello),
        call("notifications/initialized", number=None),
        call("ping", number=2),
        call("tools/list", number=3),
    )
    assert [each["id"] for each in answers] == [1, 2, 3]
    first, pong, listed = (each["result"] for each in answers)
    assert first["protocolVersion"] == "2025-03-26" and first["serverInfo"]["name"] == "xorqa"
    assert pong == {} and [each["name"] for each in listed["tools"]] == ["search", "ask"]
    assert all(each["inputSchema"]["required"] == ["question"] for each in listed["tools"])
    [other] = replies(tmp_path, call("initialize", {"protocolVersion": "1999-01-01"}))
    assert other["result"]["protocolVersion"] == "2025-06-18"


def test_the_tools(tmp_path: Path) -> None:
    asked, found = replies(
        tmp_path,
        tool("ask", question="Which river is the Nile?", lang="en"),
        tool("search", question="the Rhine", k=1),
    )
    answer = asked["result"]["structuredContent"]
    assert answer["answer"]["text"] == "Africa" and answer["evidence"][0]["docid"] == "nile"
    assert json.loads(asked["result"]["content"][0]["text"]) == answer
    [hit] = found["result"]["structuredContent"]["routes"][0]["hits"]
    assert hit["docid"] == "rhine" and hit["text"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"{", -32700),
        (b'{"a": NaN}', -32700),
        (b"[" * 9_000, -32700),
        ([], -32600),
        ({"id": 1}, -32600),
        (call("resources/list"), -32601),
        (call("tools/list", [1]), -32602),
        (tool("rm", question="x"), -32602),
        (tool(["ask"], question="x"), -32602),
        (tool("ask"), -32602),
        (tool("ask", question=1), -32602),
        (tool("ask", question="x" * 9_000), -32602),
        (tool("ask", question="x", path="/etc/passwd"), -32602),
        (tool("search", question="x", k=True), -32602),
        (tool("search", question="x", k=0), -32602),
    ],
)
def test_wrong_messages_get_an_error(tmp_path: Path, message: Any, code: int) -> None:
    [answer, pong] = replies(tmp_path, message, call("ping"))
    assert answer["error"]["code"] == code and answer["error"]["message"]
    assert pong["result"] == {}


def test_mistakes_are_results_for_the_assistant(tmp_path: Path) -> None:
    for name in ("ask", "search"):
        [answer] = replies(tmp_path, tool(name, question="Where?", lang="xx"))
        assert answer["result"]["isError"] is True
        assert "no language is called 'xx'" in answer["result"]["content"][0]["text"]


def test_a_pipeline_that_cannot_be_loaded_ends_the_session(tmp_path: Path) -> None:
    class Broken(LastWord):
        def read(self, queries: Any, hits: Any) -> Any:
            raise ConfigError("no weights")

    with pytest.raises(ConfigError, match="no weights"):
        replies(tmp_path, tool("ask", question="Where?"), reader=Broken())
