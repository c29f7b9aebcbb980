"""The base of retrievers that store several rows per passage: their build, update and check."""

import json
import shutil
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError, IndexMismatchError
from ...core.processes import map_processes
from ...core.progress import Progress, quantity, silent
from ...core.registry import build, table_of
from ...core.types import Hit, Passage, best_first
from ...io.files import read_json, write_json
from ...io.locks import sweep
from ...io.strict_json import parse_json
from ...models.device import environments
from ...models.hub import AtCommits
from .. import manifest
from ..over_corpus import OverCorpus, announced, note_truncated
from .store import Rows, Table, joined, open_rows, read_shard, write_rows, write_shard

CHUNK = 256  # passages per shard; a killed build encodes at most one shard again
SHARDS = "shards"  # of a build in progress
OF = "of.json"  # with the shards: the manifest of their index
UNFINISHED = f"{SHARDS}/{OF}"
MIN_COSINE = 0.995  # of a passage encoded again on another machine, in the stored precision

Encode = Callable[[Sequence[Passage], Progress], Table]
"""Passages to their table; the progress counts in any unit."""


class RowIndex(OverCorpus):
    """A retriever whose index has several rows per passage (`rows.store`).

    A subclass has `arrays`, `index_settings`, `encode`, `truncated`, `cosine` and `retrieve`, which
    searches `self.index`, a `Rows`.
    """

    arrays: tuple[str, ...]
    """The names of the arrays beside `lengths`."""

    @abstractmethod
    def encode(self, passages: Sequence[Passage], progress: Progress = silent) -> Table:
        """Encode passages as they are stored."""

    def encode_shard(self, passages: Sequence[Passage], progress: Progress = silent) -> Table:
        """Encode passages for a shard of a build, which may have more arrays than the index."""
        return self.encode(passages, progress)

    def shard_settings(self) -> dict[str, Any]:
        """What else decides the arrays of a shard; a killed build with other settings restarts."""
        return {}

    def after_encoding(self, shards: Mapping[Path, slice], *, rebuild: bool) -> None:
        """What else a build does with its shards, given by the positions of their passages."""

    @abstractmethod
    def truncated(self, passages: Sequence[Passage]) -> int:
        """The number of passages of which only the beginning is encoded."""

    @abstractmethod
    def cosine(self, stored: Table, encoded: Table) -> float:
        """The lowest cosine between the rows of one passage, stored and encoded again."""

    def index_manifest(self, *, fresh: bool = False) -> dict[str, Any]:
        """The model, its weights and the settings."""
        return self._manifest

    @cached_property
    def _manifest(self) -> dict[str, Any]:
        return super().index_manifest()

    def build(
        self,
        *,
        rebuild: bool = False,
        progress: Progress = silent,
        workers: int = 0,
        devices: Sequence[str] = (),
    ) -> None:
        """Encode the corpus shard by shard and write the index; a killed build resumes.

        `workers` processes encode with one thread each, or one process per device; without,
        this process encodes with all threads.

        Raises:
            IndexMismatchError: if the existing index has other passages or weights.
            DataError: if the folder holds something else.
            LockedError: if another process builds it.
            XorqaError: if a worker was killed.
        """
        encode, count = self.encode_shard, workers or len(devices)
        work = partial(self._build, encode, progress, count, devices, rebuild=rebuild)
        self.build_locked(work, rebuild=rebuild, unfinished=UNFINISHED)

    def update(self, earlier: Self, *, progress: Progress = silent) -> int:
        """Build the index from that of earlier passages; only new and changed ones are encoded.

        Returns how many were encoded. A killed update resumes.

        Raises:
            IndexMismatchError: if an index has other passages or weights.
            DataError: if a folder holds something else, or the earlier index is damaged.
            LockedError: if another process builds it.
        """
        positions = {passage: position for position, passage in enumerate(earlier.corpus)}
        rows: Rows = earlier.index
        encoded = 0

        def encode(passages: Sequence[Passage], report: Progress) -> Table:
            nonlocal encoded
            new = [passage for passage in passages if passage not in positions]
            fresh = Rows(self.encode(new, report)) if new else None
            encoded += len(new)
            numbers = {passage: number for number, passage in enumerate(new)}
            parts = [
                fresh.part(_one(numbers[passage]))
                if fresh and passage in numbers
                else rows.part(_one(positions[passage]))
                for passage in passages
            ]
            return joined(parts)

        work = partial(self._build, encode, progress)
        self.build_locked(work, rebuild=False, unfinished=UNFINISHED)
        return encoded

    def _build(
        self,
        encode: Encode,
        progress: Progress,
        workers: int = 0,
        devices: Sequence[str] = (),
        *,
        rebuild: bool = False,
    ) -> None:
        shards = self.folder / SHARDS
        if manifest.exists(self.folder):
            shutil.rmtree(self.folder, ignore_errors=True)
        unfinished = {**self.index_manifest(), "chunk": CHUNK, **self.shard_settings()}
        if not (shards / OF).is_file() or read_json(shards / OF) != unfinished:
            shutil.rmtree(shards, ignore_errors=True)
            write_json(shards / OF, unfinished)
        sweep(shards)
        report = announced(progress, self.use, self.index_size)
        total = len(self.corpus)
        parts = [slice(at, min(at + CHUNK, total)) for at in range(0, total, CHUNK)]
        paths = [shards / f"{number:06d}.safetensors" for number in range(len(parts))]
        report(0, total)
        note_truncated(self.truncated(self.corpus.passages), total)
        if workers:
            self._encode_in_workers(dict(zip(paths, parts, strict=True)), report, workers, devices)
        for path, part in zip(paths, parts, strict=True):
            if not _is_complete(path):
                passages = self.corpus.passages[part]
                write_shard(path, encode(passages, partial(_within, report, part, total)))
            report(part.stop, total)
        if encode == self.encode_shard:
            self.after_encoding(dict(zip(paths, parts, strict=True)), rebuild=rebuild)
        write_rows(self.folder, paths, self.arrays)
        manifest.write(self.folder, self.index_manifest() | self.built_by, without=SHARDS)
        shutil.rmtree(shards)

    def _encode_in_workers(
        self, parts: Mapping[Path, slice], report: Progress, workers: int, devices: Sequence[str]
    ) -> None:
        """Write the shards that are missing."""
        missing = {path: part for path, part in parts.items() if not _is_complete(path)}
        jobs = ((path, self.corpus.passages[part]) for path, part in missing.items())
        total = len(self.corpus)
        done = total - sum(part.stop - part.start for part in missing.values())
        work = AtCommits(partial(_write_in_worker, json.dumps(table_of("retriever", self))))
        own = environments(devices)
        for count in map_processes(work, jobs, workers=workers, ordered=False, environments=own):
            done += count
            report(done, total)

    def index_size(self, passages: int) -> float:
        """The bytes of an index of that many passages, as the shards so far have."""
        shards = list((self.folder / SHARDS).glob("*.safetensors"))
        if not shards:
            return super().index_size(passages)
        return sum(path.stat().st_size for path in shards) * passages / (len(shards) * CHUNK)

    def open_index(self) -> Rows:
        """The index's files, memory-mapped."""
        return open_rows(self.folder, self.arrays, passages=len(self.corpus))

    def check_sample(self, sample: Mapping[int, Passage]) -> str:
        """Encode passages again, given by their positions, and compare; returns a note.

        Raises:
            IndexMismatchError: naming a passage whose rows differ.
        """
        rows: Rows = self.index
        encoded = Rows(self.encode(list(sample.values())))
        lowest = 1.0
        for number, (position, passage) in enumerate(sample.items()):
            stored, fresh = rows.part(_one(position)), encoded.part(_one(number))
            cosine = self.cosine(stored, fresh)
            lowest = min(lowest, cosine)
            if not cosine >= MIN_COSINE:
                raise IndexMismatchError(
                    f"passage '{passage.docid}' has other rows when encoded again (cosine "
                    f"{cosine:.4f} < {MIN_COSINE}); rebuild it with xorqa index --rebuild"
                )
        return f"{quantity(len(sample), 'passage')} encoded again: cosine {lowest:.4f} or more"

    def best(self, scores: NDArray[np.float32], k: int, *, positive: bool = False) -> list[Hit]:
        """The k passages with the highest scores (passages), equal scores by docid.

        `positive` leaves out passages without a positive score.
        """
        lowest = np.partition(scores, -k)[-k] if 0 < k < len(scores) else -np.inf
        selected = (scores >= lowest) & (scores > 0) if positive else scores >= lowest
        passages = self.corpus.passages
        hits = (Hit(passages[at], float(scores[at])) for at in np.flatnonzero(selected))
        return best_first(hits)[:k]


def _write_in_worker(table: str, job: tuple[Path, Sequence[Passage]]) -> int:
    """Write the shard of passages by the retriever of a table, as JSON; returns their number."""
    path, passages = job
    write_shard(path, _retriever_in_worker(table).encode_shard(passages))
    return len(passages)


@cache
def _retriever_in_worker(table: str) -> RowIndex:
    retriever: RowIndex = build("retriever", parse_json(table))
    return retriever


def joined_rows(rows: Sequence[Sequence[NDArray[Any]]], names: Sequence[str]) -> Table:
    """The table of passages, each given as its arrays in the order of `names`."""
    arrays = {name: np.concatenate([row[at] for row in rows]) for at, name in enumerate(names)}
    return {"lengths": np.array([len(row[0]) for row in rows], np.int64), **arrays}


def _one(position: int) -> slice:
    return slice(position, position + 1)


def _is_complete(path: Path) -> bool:
    try:
        read_shard(path)
    except DataError:
        return False
    return True


def _within(report: Progress, part: slice, whole: int, done: int, total: int) -> None:
    """Report the progress within one shard as passages of the corpus."""
    report(part.start + (part.stop - part.start) * done // max(1, total), whole)
