"""The Model Context Protocol over standard input and output: `search` and `ask` as tools.

Messages are JSON-RPC 2.0, one per line (https://modelcontextprotocol.io, revision 2025-06-18).
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any, BinaryIO

from ..core.errors import XorqaError
from ..core.lang import language
from ..core.text.detection import detect_language
from ..io.strict_json import parse_json
from .engine import Engine, question_of
from .problems import Problem, problem_of
from .worker import Job

VERSIONS = ("2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05")
"""The revisions in which these messages are the same; the first is offered for another one."""

PARSE, REQUEST, METHOD, PARAMS = -32700, -32600, -32601, -32602  # JSON-RPC's codes
LANG = {"type": "string", "description": "Its language (ISO 639-1); detected by default."}
QUESTION = {"type": "string", "description": "A question, in any language."}
TOOLS = (
    {
        "name": "search",
        "description": "Find passages of the documents, in any language, that may answer a "
        "question. Cite them by their docid.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "question": QUESTION,
                "lang": LANG,
                "k": {"type": "integer", "minimum": 1, "maximum": 50, "default": 5},
            },
            "required": ["question"],
        },
    },
    {
        "name": "ask",
        "description": "Answer a question from the documents, with a confidence from 0 to 1 and "
        "the passages that the answer was read from. It is null if they have no answer.",
        "inputSchema": {
            "type": "object",
            "properties": {"question": QUESTION, "lang": LANG},
            "required": ["question"],
        },
    },
)


class RpcError(Exception):
    """A message that is answered with an error of JSON-RPC."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def run(engine: Engine, reading: BinaryIO, writing: BinaryIO) -> None:
    """Answer messages until the input ends.

    Raises:
        XorqaError: if a pipeline cannot be loaded.
    """
    failed: list[BaseException] = []
    engine.start(lambda error: failed.append(error) if error else None)
    try:
        while line := reading.readline(engine.limits.body):
            if (answer := respond(engine, line)) is not None:
                text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
                writing.write(text.encode() + b"\n")
                writing.flush()
            if failed:
                raise failed[0]
    finally:
        engine.stop()


def respond(engine: Engine, line: bytes) -> dict[str, Any] | None:
    """The response to a message; None for a notification or an empty line."""
    if not line.strip():
        return None
    message: Any = None
    try:
        message = _parsed(line)
        if "id" not in message:
            return None
        result = _result(engine, message["method"], message.get("params") or {})
    except RpcError as error:
        message_id = message.get("id") if isinstance(message, dict) else None
        body = {"code": error.code, "message": str(error)}
        return {"jsonrpc": "2.0", "id": message_id, "error": body}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        message = parse_json(line)
    except ValueError as error:
        raise RpcError(PARSE, f"not JSON: {error}") from None
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        raise RpcError(REQUEST, "needs an object with a 'method'")
    return message


def _result(engine: Engine, method: str, params: Any) -> dict[str, Any]:
    if not isinstance(params, dict):
        raise RpcError(PARAMS, "'params' must be an object")
    if method == "initialize":
        revision = params.get("protocolVersion")
        return {
            "protocolVersion": revision if revision in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "xorqa", "version": version("xorqa")},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": list(TOOLS)}
    if method == "tools/call":
        return _call(engine, params.get("name"), params.get("arguments") or {})
    raise RpcError(METHOD, f"no method is called '{method:.60}'")


def _call(engine: Engine, name: Any, arguments: Any) -> dict[str, Any]:
    """The result of a tool; a user's mistake is a result that is marked as an error."""
    tools: Mapping[str, Callable[..., Job]] = {"search": _search, "ask": _ask}
    if not isinstance(name, str) or name not in tools:
        raise RpcError(PARAMS, f"no tool is called '{name!s:.40}'; valid: ask, search")
    try:
        job = tools[name](engine, **_checked(engine, name, arguments))
        engine.worker.submit([job])
        result = job.future.result()
    except (XorqaError, Problem) as error:
        text = problem_of(error).body["error"]["message"]
        return {"content": [{"type": "text", "text": text}], "isError": True}
    text = json.dumps(result, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], "structuredContent": result}


def _checked(engine: Engine, name: str, arguments: Any) -> dict[str, Any]:
    """The arguments, of the types that the tool's schema names."""
    [tool] = [tool for tool in TOOLS if tool["name"] == name]
    properties: Any = tool["inputSchema"]["properties"]  # type: ignore[index]
    if not isinstance(arguments, dict) or not arguments.keys() <= properties.keys():
        raise RpcError(PARAMS, f"valid arguments of {name}: {', '.join(properties)}")
    for key, value in arguments.items():
        kind = int if properties[key]["type"] == "integer" else str
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RpcError(PARAMS, f"'{key}' must be of type {properties[key]['type']}")
    question, k = arguments.get("question", ""), arguments.get("k", 5)
    if not 1 <= len(question.strip()) <= engine.limits.question:
        raise RpcError(PARAMS, f"'question' needs 1 to {engine.limits.question} characters")
    if not 1 <= k <= 50:
        raise RpcError(PARAMS, "'k' must be from 1 to 50")
    return arguments


def _search(engine: Engine, question: str, lang: str | None = None, k: int = 5) -> Job:
    typed = question_of(question, language(lang).code if lang else detect_language(question))
    return engine.call(partial(engine.retrieve, engine.pipeline(None, None), typed, k))


def _ask(engine: Engine, question: str, lang: str | None = None) -> Job:
    pipeline = engine.pipeline(None, None)
    [job] = engine.ask([question], lang, pipeline=pipeline, min_confidence=None)
    whole = job.work
    job.work = lambda items, on_stage: [
        {"answer": row["answer"], "evidence": row["evidence"], "lang": row["lang"]}
        for row in whole(items, on_stage)
    ]
    return job
