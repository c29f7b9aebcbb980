"""Replies of an endpoint in a JSONL file, to be replayed without it.

A row has the model, its origin ("model at host"), the date, the hash of the request by which it is
looked up, the question with its language, and the reply.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...io.files import digest, read_jsonl, write_jsonl
from ...io.locks import lock_path

_STRINGS = ("origin", "hash", "reply")


def request_key(
    model: str, options: Mapping[str, Any], messages: Iterable[Mapping[str, str]]
) -> str:
    """The hash of a request, by which its reply is looked up."""
    return digest(model, dict(options), list(map(dict, messages)))


class Recording:
    """The replies of one file, by the hash of their request; a missing file has none."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, key: str) -> str | None:
        """The recorded reply to a request, or None."""
        row = self._rows.get(key)
        return None if row is None else str(row["reply"])

    @property
    def origins(self) -> list[str]:
        """The endpoints that made the replies."""
        return sorted({str(row["origin"]) for row in self._rows.values()})

    @property
    def fingerprint(self) -> str:
        """A hash of the replies."""
        return digest([(key, row["reply"]) for key, row in sorted(self._rows.items())])

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows whose request has no reply yet, and write the file.

        Raises:
            LockedError: if another process writes the file.
        """
        new = {str(row["hash"]): dict(row) for row in rows if row["hash"] not in self._rows}
        if new:
            with lock_path(self.path, "file"):
                self._rows.update(new | read_replies(self.path))
                write_jsonl(self.path, self._rows.values())

    @cached_property
    def _rows(self) -> dict[str, dict[str, Any]]:
        return read_replies(self.path)


def read_replies(path: Path) -> dict[str, dict[str, Any]]:
    """The rows of a file by the hash of their request; none if there is no file.

    Raises:
        DataError: naming the line that lacks a string.
    """
    rows = {}
    for number, row in read_jsonl(path) if path.is_file() else ():
        missing = [name for name in _STRINGS if not isinstance(row.get(name), str)]
        if missing:
            raise DataError(f"{path}, line {number}: needs a string '{missing[0]}'")
        rows[row["hash"]] = row
    return rows
