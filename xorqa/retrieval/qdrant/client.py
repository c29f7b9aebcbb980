"""Connections to Qdrant: a server, or a database in a folder; their errors."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...core.errors import ConfigError, XorqaError
from ...core.named import expect
from ...core.network import without_secrets

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

EXTRA = "qdrant"
URL = "XORQA_QDRANT_URL"
API_KEY = "XORQA_QDRANT_API_KEY"
OLDEST = (1, 16)  # the first whose collections have metadata
TIMEOUT = 60  # seconds of a request

_BY_STATUS = {
    401: f"rejects the credentials; set {API_KEY} to a key of this server",
    403: f"forbids this; set {API_KEY} to a key with more privileges",
    **dict.fromkeys((429, 502, 503, 504), "is overloaded; run again later"),
}


@dataclass(frozen=True, slots=True)
class Database:
    """A client, and where its database is: an address without credentials, or a folder."""

    client: QdrantClient
    address: str
    files: TemporaryDirectory[str] | None = None
    """The files of a copy, which are deleted with it."""

    @contextmanager
    def readable_errors(self) -> Iterator[None]:
        """A context that turns the client's exceptions into one-line errors.

        Raises:
            DatabaseError: what happened and what to do.
        """
        from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

        try:
            yield
        except UnexpectedResponse as error:
            status = error.status_code or 0
            problem = _BY_STATUS.get(status, f"rejects the request: {status}")
            raise self.error(f"{problem} ({_reason(error)})") from error
        except ResponseHandlingException as error:
            raise self.error(f"cannot be reached; start it or set {URL} ({error})") from error

    def error(self, problem: str) -> DatabaseError:
        """The error of this database with a problem."""
        return DatabaseError(f"Qdrant at {self.address} {problem}")

    def version(self) -> str:
        """The version of the server, or of the client that serves a folder.

        Raises:
            DatabaseError: if the server is too old, or cannot be reached.
        """
        with self.readable_errors():
            version = str(self.client.info().version)
        if tuple(int(number) for number in re.findall(r"\d+", version)[:2]) < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            raise self.error(f"has version {version}; Qdrant {oldest} or later is required")
        return version


class DatabaseError(XorqaError):
    """A request that Qdrant cannot serve; its message repeats no credentials."""

    def __init__(self, message: str) -> None:
        super().__init__(without_secrets(message, [os.environ.get(API_KEY, "")]))


def server_url(url: str | None) -> str:
    """The address of the server: as set, or else the environment's; "" for a folder.

    Raises:
        ConfigError: if it is not an address, or has a password, which a run folder would store.
    """
    address, name = url or os.environ.get(URL) or "", "url" if url else URL
    parts = urlsplit(address)
    if address and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ConfigError(f"{name} must look like http://host:6333")
    if parts.username or parts.password:
        raise ConfigError(f"{name} must not contain a password; set {API_KEY}")
    return address


def connect(url: str) -> Database:
    """Connect to the server at an address.

    Raises:
        DatabaseError: if it cannot be reached, or is too old.
        MissingExtraError: without the extra `qdrant`.
    """
    key = os.environ.get(API_KEY) or None
    database = Database(_client(url=url, api_key=key, timeout=TIMEOUT), url)
    database.version()
    return database


@contextmanager
def writing(folder: Path) -> Iterator[Database]:
    """The database in a folder, which is created if necessary; no other process may open it.

    Raises:
        DatabaseError: if another process has it open.
    """
    try:
        client = _client(path=str(folder))
    except RuntimeError as error:
        raise DatabaseError(f"Qdrant's folder {folder} cannot be opened ({error})") from error
    try:
        yield Database(client, str(folder))
    finally:
        client.close()


def without_flushing(database: Database, collection: str) -> None:
    """Let the operating system decide when the points of a folder reach the disk.

    The client flushes each point on its own, 20 ms each. A build that is killed keeps its points
    all the same; after a loss of power it may have to start again.
    """
    with suppress(AttributeError):  # internals of the client, which may change
        points = database.client._client.collections[collection]
        points.storage.storage.execute("PRAGMA synchronous = OFF")


def reading(folder: Path) -> Database:
    """A copy of the database in a folder, which stays free for other processes.

    The client locks the folder that it opens, even for reading.
    """
    files = TemporaryDirectory(ignore_cleanup_errors=True)
    copy = shutil.copytree(folder, Path(files.name, folder.name))
    return Database(_client(path=str(copy)), str(folder), files)


def _client(**options: Any) -> QdrantClient:
    expect("qdrant_client", extra=EXTRA)
    from qdrant_client import QdrantClient

    return QdrantClient(**options, check_compatibility=False)


def _reason(error: Any) -> str:
    """The server's own words, which are HTML if a proxy wrote them."""
    with suppress(ValueError, TypeError, KeyError):
        return str(error.structured()["status"]["error"])
    return str(error.reason_phrase)
