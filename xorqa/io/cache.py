"""A cache of stage outputs, keyed by content: each input is computed once.

A key hashes the stage's class, version, fingerprint and input, so a new reader reuses
translation and retrieval, and a killed run resumes. A damaged row counts as missing; a damaged
file is renamed and replaced.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from ..core.errors import DamageWarning, DataError
from ..core.progress import Progress, silent
from ..core.stages import Stage
from .files import cache_dir, digest
from .locks import lock_path, waiting
from .strict_json import parse_json

In = TypeVar("In")
Out = TypeVar("Out")

TIMEOUT = 60.0  # seconds to wait for another process's commit
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def stage_cache() -> Cache:
    """The user's cache of stage outputs, shared by all runs."""
    return Cache(cache_dir() / "stages.sqlite")


class Cache:
    """One SQLite file; each chunk of results is committed at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._inode: int | None = None

    @cached_property
    def _db(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._inode = self._present_inode()
        db = _open(self.path)
        self._inode = self._present_inode()  # known once the file exists
        return db

    def _present_inode(self) -> int | None:
        return self.path.stat().st_ino if self.path.exists() else None

    def _try(self, work: Callable[[sqlite3.Connection], Out]) -> Out:
        """Call `work` on the database; if its file is damaged, rename it and retry with a new one.

        Raises:
            DataError: if the file cannot be used, or is another database.
        """
        try:
            try:
                return work(self._db)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in DAMAGED:
                    raise
            self._set_aside()
            return work(self._db)
        except sqlite3.DatabaseError as error:
            raise DataError(f"{self.path} cannot be used as a cache: {error}") from error

    def _set_aside(self) -> None:
        """Rename the file, unless another process has done so since this one opened it."""
        if "_db" in self.__dict__:
            self._db.close()
            del self._db
        with waiting(silent), lock_path(self.path, "cache"):
            if self._present_inode() != self._inode:
                return
            for journal in ("-journal", "-wal", "-shm"):
                self.path.with_name(f"{self.path.name}{journal}").unlink(missing_ok=True)
            aside = self.path.with_name(f"{self.path.name}.damaged")
            self.path.replace(aside)
        warnings.warn(
            f"{self.path} is damaged; it was renamed to {aside.name}, and its results are computed "
            "again",
            DamageWarning,
            stacklevel=2,
        )

    def through(
        self,
        stage: Stage,
        inputs: Sequence[In],
        compute: Callable[[Sequence[In]], Sequence[Out]],
        *,
        key: Callable[[In], object],
        dump: Callable[[Out], Any],
        load: Callable[[Any, In], Out],
        chunk: int = 240,
        keep: Callable[[Out], bool] = lambda output: True,
        progress: Progress = silent,
    ) -> list[Out]:
        """All results in order; `compute` gets only inputs without a stored result, in chunks.

        `key` returns the part of an input that its output depends on; `dump` and `load` convert a
        result to JSON and back (given the input). A result that `keep` rejects is returned but
        not stored.
        """
        cls = type(stage)
        name = (cls.__module__, cls.__qualname__, stage.version, stage.fingerprint())
        keys = [digest(name, key(item)) for item in inputs]
        results: dict[int, Out] = {}
        for at, value in enumerate(self._try(lambda db: [_get(db, k) for k in keys])):
            with suppress(ValueError, LookupError, TypeError, AttributeError):  # a damaged row
                if value is not None:
                    results[at] = load(parse_json(value), inputs[at])
        missing = [at for at in range(len(inputs)) if at not in results]
        progress(len(results), len(inputs))
        for start in range(0, len(missing), chunk):
            places = missing[start : start + chunk]
            new = dict(zip(places, compute([inputs[at] for at in places]), strict=True))
            rows = [
                (keys[at], json.dumps(dump(output), ensure_ascii=False))
                for at, output in new.items()
                if keep(output)
            ]
            self._try(partial(_put, rows=rows))
            results |= new
            progress(len(results), len(inputs))
        return [results[at] for at in range(len(inputs))]


def _open(path: Path) -> sqlite3.Connection:
    """The database with its table; `sum` was added later, and is empty in older rows."""
    db = sqlite3.connect(path, timeout=TIMEOUT)
    db.execute("CREATE TABLE IF NOT EXISTS outputs (key TEXT PRIMARY KEY, value TEXT, sum TEXT)")
    if not _has_sums(db):
        try:
            db.execute("ALTER TABLE outputs ADD COLUMN sum TEXT")
        except sqlite3.OperationalError:
            if not _has_sums(db):  # another process added it
                raise
    return db


def _has_sums(db: sqlite3.Connection) -> bool:
    return any(row[1] == "sum" for row in db.execute("PRAGMA table_info(outputs)"))


def _get(db: sqlite3.Connection, key: str) -> bytes | None:
    """The stored value, or None if there is none or its checksum differs."""
    query = "SELECT CAST(value AS BLOB), CAST(sum AS BLOB) FROM outputs WHERE key = ?"
    row = db.execute(query, (key,)).fetchone()
    if row is None or row[0] is None or (row[1] is not None and row[1] != _sum(key, row[0])):
        return None
    return bytes(row[0])


def _put(db: sqlite3.Connection, rows: Sequence[tuple[str, str]]) -> None:
    """Store a chunk in one transaction."""
    summed = [(key, value, _sum(key, value.encode()).decode()) for key, value in rows]
    with db:
        db.executemany("INSERT OR REPLACE INTO outputs (key, value, sum) VALUES (?, ?, ?)", summed)


def _sum(key: str, value: bytes) -> bytes:
    return hashlib.sha256(key.encode() + value).hexdigest()[:16].encode()


class NoCache(Cache):
    """A cache that stores nothing, so everything is computed."""

    def __init__(self) -> None:
        super().__init__(Path())

    def through(
        self,
        stage: Stage,
        inputs: Sequence[In],
        compute: Callable[[Sequence[In]], Sequence[Out]],
        **options: Any,
    ) -> list[Out]:
        return list(compute(inputs))
