"""Run commands in forks of one process that has imported everything, and kill them at a moment.

A line of JSON on standard input is a command: its arguments, folder, environment, and the moment
at which it sends itself SIGKILL. Moments are counted from 0: each opening of a file for writing,
renaming, removal or new folder below `under`, and the time just before and after each commit of
the stage cache. The answer is a line of JSON: exit status, moments counted, which of them are
before a commit, and what was printed.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import bm25s  # noqa: F401
import faiss  # noqa: F401
import peft  # noqa: F401
import tokenizers  # noqa: F401
import torch
import torch._dynamo  # noqa: F401  an optimizer imports it
import transformers.models.bert.modeling_bert  # noqa: F401

from xorqa.cli.main import main
from xorqa.io import cache as store
from xorqa.retrieval.vectors import shards
from xorqa.translation import recorded

WRITES = {"os.rename": (0, 1), "os.remove": (0,), "os.mkdir": (0,), "os.rmdir": (0,)}
FOR_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Moments:
    """Counts the moments of this process, and ends it at one of them."""

    def __init__(self, under: str, kill_at: int | None) -> None:
        self.under, self.kill_at, self.count = under, kill_at, 0
        self.commits: list[int] = []

    def pass_one(self) -> None:
        if self.count == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            paths = (path,) if isinstance(flags, int) and flags & FOR_WRITING else ()
        else:
            paths = tuple(arguments[at] for at in WRITES.get(event, ()))
        if any(isinstance(p, str | os.PathLike) and self._is_ours(p) for p in paths):
            self.pass_one()

    def _is_ours(self, path: str | os.PathLike[str]) -> bool:
        return str(Path.cwd() / path).startswith(self.under)

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def counted(*args: Any, **options: Any) -> Any:
            self.commits.append(self.count)
            self.pass_one()
            result = work(*args, **options)
            self.pass_one()
            return result

        return counted


def run(command: dict[str, Any], report: int) -> int:
    """Run a command in this process, which is a fork; returns its exit status."""
    os.chdir(command["cwd"])
    os.environ.update(command["environment"])
    sys.argv = ["xorqa", *command["arguments"]]
    moments = Moments(command["under"], command["kill_at"])
    store._put = moments.around(store._put)
    sys.addaudithook(moments.audit)
    status = 0
    try:
        main()
    except SystemExit as done:
        status = int(done.code or 0)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    new = [name for name in sys.modules if name not in command["imported"]]
    counts = {"moments": moments.count, "commits": moments.commits}
    os.write(report, json.dumps({**counts, "imported": new}).encode())
    return status


def fork(command: dict[str, Any]) -> dict[str, Any]:
    """The answer to a command, run in a fork."""
    count, report = os.pipe()
    with tempfile.TemporaryFile() as printed:
        command["imported"] = set(sys.modules)
        child = os.fork()
        if not child:
            status = 70
            try:
                for stream in (1, 2):
                    os.dup2(printed.fileno(), stream)
                status = run(command, report)
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        os.close(report)
        with os.fdopen(count) as stream:
            told = json.loads(stream.read() or '{"moments": 0, "commits": [], "imported": []}')
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        printed.seek(0)
        text = printed.read().decode(errors="replace")
    for name in told["imported"]:  # so that the next forks need not
        with suppress(Exception):
            import_module(name)
    gc.freeze()  # forks then copy fewer pages
    counts = {name: told[name] for name in ("moments", "commits")}
    return {"status": status, **counts, "printed": text}


def small_steps() -> None:
    """Tiny shards and chunks, so that there is something to resume."""
    shards.SIZE = 8
    recorded.CHUNK = 2
    store.Cache.through.__kwdefaults__["chunk"] = 2


if __name__ == "__main__":
    small_steps()
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        print(json.dumps(fork(json.loads(line))), file=answers, flush=True)
