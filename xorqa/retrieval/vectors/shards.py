"""Shards of a corpus's vectors: each a file of its own, written whole, checked, made once.

A passage's shard follows from its docid, so a shard is the same whoever encodes it, and any
of them is a random sample of the corpus.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...core.types import Passage
from ...io.files import atomic_path
from ...models.towers import Text

Floats = NDArray[np.float32]

SIZE = 2048  # passages of a shard, about; a killed build redoes at most so many a worker

Encode = Callable[[Sequence[Text], Sequence[str]], Floats]
"""Texts and their languages to vectors (texts, dimensions)."""


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """A file of vectors and where in the corpus its rows belong."""

    path: Path
    places: NDArray[np.int64]

    def finished(self) -> bool:
        """Whether its vectors are there, as many as they must be and as they were written."""
        try:
            self.read()
        except DataError:
            return False
        return True

    def read(self) -> Floats:
        """The vectors (passages, dimensions).

        Raises:
            DataError: if they are not there, or not as they were written.
        """
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(self.path, framework="np") as stream:
                vectors: Floats = stream.get_tensor("vectors")
                written = (stream.metadata() or {}).get("sha256")
        except (OSError, SafetensorError) as error:
            raise DataError(f"{self.path} cannot be read: {error}") from error
        if len(vectors) != len(self.places) or written != _sha(vectors):
            raise DataError(f"{self.path} is damaged; the same command makes it anew")
        return vectors


@dataclass(frozen=True, slots=True)
class Job:
    """A shard's work, fit to be sent to another process or machine that sees the folder."""

    path: Path
    texts: tuple[Text, ...]
    langs: tuple[str, ...]


def split(passages: Sequence[Passage], folder: Path, *, size: int) -> list[Shard]:
    """The shards of a corpus, by the hash of each docid, about `size` passages each."""
    count = -(-len(passages) // size)
    owners = np.array([_number(passage.docid, count) for passage in passages])
    order = np.argsort(owners, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(owners[order])) + 1)
    return [Shard(folder / f"{owners[places[0]]:06d}.safetensors", places) for places in groups]


def encode(job: Job, encoder: Encode) -> int:
    """Encode a shard and write it, whole or not at all; returns its number of passages."""
    from safetensors.numpy import save_file

    vectors = np.asarray(encoder(job.texts, job.langs), np.float32)
    with atomic_path(job.path) as temporary:
        save_file({"vectors": vectors}, temporary, metadata={"sha256": _sha(vectors)})
    return len(vectors)


def _number(docid: str, count: int) -> int:
    key = hashlib.blake2b(docid.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(key) % count


def _sha(vectors: Floats) -> str:
    return hashlib.sha256(vectors.tobytes()).hexdigest()
