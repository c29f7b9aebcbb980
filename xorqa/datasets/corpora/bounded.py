"""Limits of what a reader must hold in memory at once: a record, or a whole compressed file.

Kilobytes of a compressed file can unpack to gigabytes, in a line or a page without an end.
"""

from __future__ import annotations

from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

from ...core.errors import DataError

_MIB = 1 << 20
RECORD = 64 * _MIB
DUMP_PAGE = 256 * _MIB  # with all its revisions
PACKED_FILE = 128 * _MIB
MOST_TAGS = 3_000_000  # an element needs some 200 bytes
_AT_ONCE = 1 << 16


class Bounded(RawIOBase):
    """A stream of which at most `most` bytes are read for one record, until `begin` is called."""

    def __init__(self, stream: BinaryIO, most: int, path: Path, advice: str) -> None:
        self.stream, self.most, self.path, self.advice = stream, most, path, advice
        self.begin()

    def begin(self) -> None:
        """Begin the next record."""
        self._bytes = self._tags = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read on. Raises DataError beyond the limits."""
        view = memoryview(buffer)
        data = self.stream.read(len(view))
        view[: len(data)] = data
        self._bytes += len(data)
        self._tags += data.count(b"<")
        if self._bytes > self.most:
            raise DataError(f"{self.path} has {self.advice.format(f'{self.most // _MIB} MiB')}")
        if self._tags > MOST_TAGS:
            raise DataError(f"{self.path} has {self.advice.format(f'{MOST_TAGS:,} tags')}")
        return len(data)


def bounded(
    stream: BinaryIO, path: Path, suffix: str, *, by_record: bool, packed: bool
) -> BinaryIO:
    """The stream with the limits of its layout.

    `suffix` is that of the layout, which is read `by_record` or as a whole.
    """
    if by_record:
        most = DUMP_PAGE if suffix == ".xml" else RECORD
        limited = Bounded(stream, most, path, "a line or a page of more than {}; divide it")
    elif packed:
        limited = Bounded(stream, PACKED_FILE, path, "more than {} when unpacked; unpack it first")
    else:
        return stream
    return cast(BinaryIO, BufferedReader(limited, _AT_ONCE))


def next_record(stream: BinaryIO) -> None:
    """Count anew: a record has been read, and need not be held in memory any longer."""
    raw = getattr(stream, "raw", None)
    if isinstance(raw, Bounded):
        raw.begin()
