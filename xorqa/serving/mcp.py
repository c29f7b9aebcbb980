"""The Model Context Protocol over standard input and output: `search` and `ask` as tools."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from typing import Any, BinaryIO, cast

import anyio
from jsonschema import Draft202012Validator
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import INVALID_PARAMS, CallToolResult, ListToolsResult, TextContent, Tool

from ..core.errors import ConfigError, XorqaError
from ..core.lang import language
from ..core.text.detection import detect_language
from .engine import Engine, question_of
from .problems import LONGEST, Limits, Problem, problem_of
from .worker import Job

TOO_LONG = "too long\n"
"""What the SDK gets instead of such a line: it drops what is no message."""
LANG = {"type": "string", "description": "Its language (ISO 639-1); detected by default."}
QUESTION = {
    "type": "string",
    "description": "A question, in any language.",
    "pattern": r"\S",
    "maxLength": Limits().question,
}
K = {"type": "integer", "minimum": 1, "maximum": 50, "default": 5}


def run(engine: Engine) -> None:
    """Answer messages until the input ends.

    Raises:
        XorqaError: if a pipeline cannot be loaded.
    """
    if sys.stdin is None:  # closed
        raise ConfigError("--mcp reads messages from standard input, which is closed")
    failed: list[BaseException] = []

    def warm(error: BaseException | None) -> None:
        if error and not engine.worker.stopping:  # an input may end before weights are loaded
            failed.append(error)

    engine.start(warm)
    try:
        asyncio.run(_serve(server_of(engine)))
    finally:
        engine.stop()
    if failed:
        raise failed[0]


async def _serve(server: Server[Any]) -> None:
    with _standard_input() as stream:
        lines: Any = anyio.wrap_file(Lines(stream, Limits().body))  # type: ignore[arg-type]
        async with stdio_server(stdin=lines) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())


class Lines:
    """The lines of a stream; one of more than `most` bytes is read to its end, and is no message.

    Only a line feed ends a line. The SDK would read a line of any length.
    """

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self.stream, self.most = stream, most

    def readline(self) -> str:
        """The next line, "" after the last one."""
        line = self.stream.readline(self.most + 1)
        if len(line) <= self.most:
            return line.decode("utf-8", errors="replace")
        while line and not line.endswith(b"\n"):
            line = self.stream.readline(self.most)
        return TOO_LONG


@contextmanager
def _standard_input() -> Iterator[BinaryIO]:
    """The standard input, which nothing else can read meanwhile: children find it empty."""
    try:
        number = sys.stdin.fileno()
    except OSError:  # a stream of Python's, of which children know nothing
        yield cast(BinaryIO, sys.stdin.buffer)
        return
    own, empty = os.dup(number), os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, number)
    os.close(empty)
    try:
        # A thread may wait for a line after the end, so that its descriptor stays open.
        yield os.fdopen(own, "rb", closefd=False)
    finally:
        os.dup2(own, number)


def server_of(engine: Engine) -> Server[Any]:
    """A server with the tools of an engine, for any transport."""

    async def list_tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[*TOOLS.values()])

    async def call_tool(context: Any, params: Any) -> CallToolResult:
        return await _call(engine, params.name, params.arguments or {})

    return Server(
        "xorqa", version=version("xorqa"), on_list_tools=list_tools, on_call_tool=call_tool
    )


async def _call(engine: Engine, name: str, arguments: dict[str, Any]) -> CallToolResult:
    """The result of a tool; a user's mistake is a result that is marked as an error."""
    _check(name, arguments)
    try:
        job = JOBS[name](engine, **arguments)
        engine.worker.submit([job])
        try:
            result = await asyncio.wrap_future(job.future)
        finally:
            job.abandon()  # if the client has cancelled the call
    except (XorqaError, Problem) as error:
        text = problem_of(error).body["error"]["message"]
        return CallToolResult(content=[TextContent(text=text)], is_error=True)
    text = json.dumps(result, ensure_ascii=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=result)


def _check(name: str, arguments: dict[str, Any]) -> None:
    """Reject unknown tools, and arguments that do not fit the tool's schema."""
    if name not in TOOLS:
        raise MCPError(INVALID_PARAMS, f"no tool is called '{name:.40}'; valid: ask, search")
    for error in Draft202012Validator(TOOLS[name].input_schema).iter_errors(arguments):
        where, reason = "".join(map(str, error.path)) or name, error.message
        if len(reason) > LONGEST:  # it quotes the value
            reason = f"{error.validator} is {error.validator_value}"
        raise MCPError(INVALID_PARAMS, f"{where}: {reason}")


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


def _tool(name: str, description: str, **properties: Any) -> Tool:
    schema = {
        "type": "object",
        "properties": properties,
        "required": ["question"],
        "additionalProperties": False,
    }
    return Tool(name=name, description=description, input_schema=schema)


JOBS: dict[str, Callable[..., Job]] = {"search": _search, "ask": _ask}
SEARCH = _tool(
    "search",
    "Find passages of the documents, in any language, that may answer a question. Cite them by "
    "their docid.",
    question=QUESTION,
    lang=LANG,
    k=K,
)
ASK = _tool(
    "ask",
    "Answer a question from the documents, with a confidence from 0 to 1 and the passages that the "
    "answer was read from. It is null if they have no answer.",
    question=QUESTION,
    lang=LANG,
)
TOOLS = {tool.name: tool for tool in (SEARCH, ASK)}
