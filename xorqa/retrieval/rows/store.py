"""Arrays with several rows per passage, in files that are memory-mapped: the tokens' vectors of a
late-interaction index, or the terms and weights of a learned sparse one.

A table is `lengths` (passages), the number of rows of each passage, and arrays whose rows are those
of all passages, in order. A build writes tables of consecutive passages as shards, each atomically
and with its hash, and joins them at the end.
"""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...io.files import ARRAY_ERRORS, atomic_path, naming

LENGTHS = "lengths"

Table = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Rows:
    """The table of a corpus."""

    table: Table

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of rows of each passage."""
        return self.table[LENGTHS]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first row of each passage, and the number of rows."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    def part(self, positions: slice) -> dict[str, NDArray[Any]]:
        """The table of consecutive passages."""
        start, stop, _ = positions.indices(len(self.lengths))
        rows = slice(self.starts[start], self.starts[stop])
        arrays = {name: array[rows] for name, array in self.table.items() if name != LENGTHS}
        return {LENGTHS: self.lengths[positions], **arrays}

    def at(self, positions: Sequence[int]) -> dict[str, NDArray[Any]]:
        """The table of the passages at some positions, in that order."""
        return joined([self.part(slice(position, position + 1)) for position in positions])


def joined(tables: Sequence[Table]) -> dict[str, NDArray[Any]]:
    """The table of the passages of several, in order."""
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def write_shard(path: Path, table: Table) -> None:
    """Write a table, atomically."""
    from safetensors.numpy import save_file

    arrays = {name: np.ascontiguousarray(array) for name, array in table.items()}
    with atomic_path(path) as temporary:
        save_file(arrays, temporary, metadata={"sha256": _sha(arrays)})


def read_shard(path: Path) -> dict[str, NDArray[Any]]:
    """Read a table.

    Raises:
        DataError: if the file is missing or damaged.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as stream:
            table = {name: stream.get_tensor(name) for name in stream.keys()}  # noqa: SIM118
            expected = (stream.metadata() or {}).get("sha256")
    except (OSError, SafetensorError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    if expected != _sha(table):
        raise DataError(f"{path} is damaged; run the same command to encode it again")
    return table


def write_rows(folder: Path, shards: Sequence[Path], names: Sequence[str]) -> None:
    """Join the named arrays of shards, and `lengths`, to one file per array."""
    kept = (LENGTHS, *names)
    totals = dict.fromkeys(kept, 0)
    for shard in shards:
        table = read_shard(shard)
        for name in kept:
            totals[name] += len(table[name])
    with ExitStack() as files:
        streams: dict[str, BinaryIO] = {}
        for shard in shards:
            table = read_shard(shard)
            for name in kept:
                array = table[name]
                path = folder / f"{name}.npy"
                with naming(path):  # a full disk would end a process that writes mapped memory
                    if name not in streams:
                        files.enter_context(naming(path))  # closing writes, too
                        streams[name] = files.enter_context(path.open("wb"))
                        _write_head(streams[name], array, totals[name])
                    streams[name].write(np.ascontiguousarray(array).data)
                    streams[name].flush()


def _write_head(stream: BinaryIO, array: NDArray[Any], rows: int) -> None:
    """Begin a file of NumPy for `rows` rows like those of an array."""
    head = np.lib.format.header_data_from_array_1_0(np.empty((0, *array.shape[1:]), array.dtype))
    np.lib.format.write_array_header_1_0(stream, head | {"shape": (rows, *array.shape[1:])})


def open_rows(folder: Path, names: Sequence[str], *, passages: int) -> Rows:
    """Open the files of a corpus, memory-mapped.

    Raises:
        DataError: if one is missing or does not fit the others.
    """
    table: dict[str, NDArray[Any]] = {}
    for name in (LENGTHS, *names):
        path = folder / f"{name}.npy"
        try:
            table[name] = np.load(path, mmap_mode="r", allow_pickle=False)
        except ARRAY_ERRORS as error:
            raise DataError(f"{path} cannot be read: {error}") from error
    rows = Rows(table)
    if len(rows.lengths) != passages or any(len(table[name]) != rows.starts[-1] for name in names):
        raise DataError(f"{folder} is damaged: its files have other lengths than were written")
    return rows


def _sha(table: Table) -> str:
    sha = hashlib.sha256()
    for name in sorted(table):
        sha.update(name.encode() + str(table[name].dtype).encode() + table[name].tobytes())
    return sha.hexdigest()
