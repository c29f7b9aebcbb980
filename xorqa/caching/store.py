"""Stage outputs by content: the same input is computed once.

A key hashes the stage's class, version, fingerprint and input, so a new reader reuses
translation and retrieval, and a killed run resumes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from ..core.errors import DataError
from ..core.progress import Progress, silent
from ..core.stages import Stage
from ..io.files import cache_dir, digest

In = TypeVar("In")
Out = TypeVar("Out")


def stage_cache() -> Cache:
    """The user's cache of stage outputs, shared by all runs."""
    return Cache(cache_dir() / "stages.sqlite")


class Cache:
    """One SQLite file; each chunk of results is committed at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _db(self) -> sqlite3.Connection:
        """The database. Raises DataError if the file is something else."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self.path)
        try:
            db.execute("CREATE TABLE IF NOT EXISTS outputs (key TEXT PRIMARY KEY, value TEXT)")
        except sqlite3.DatabaseError as error:
            raise DataError(f"{self.path} cannot be used as a cache: {error}") from error
        return db

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

        `key` is the part of an input that its output depends on; `dump` and `load` convert a
        result to JSON and back (with the input). A result that `keep` rejects is returned but
        not stored.
        """
        cls = type(stage)
        name = (cls.__module__, cls.__qualname__, stage.version, stage.fingerprint())
        keys = [digest(name, key(item)) for item in inputs]
        stored = {at: value for at, k in enumerate(keys) if (value := self._get(k)) is not None}
        results = {at: load(json.loads(value), inputs[at]) for at, value in stored.items()}
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
            with self._db:  # a chunk is stored whole or not at all
                self._db.executemany("INSERT OR REPLACE INTO outputs VALUES (?, ?)", rows)
            results |= new
            progress(len(results), len(inputs))
        return [results[at] for at in range(len(inputs))]

    def _get(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM outputs WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])


class NoCache(Cache):
    """Stores nothing: everything is computed."""

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
