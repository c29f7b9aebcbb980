"""Shards of a corpus's vectors: one file each, written atomically and verified by hash.

A passage's shard is determined by its docid, so a shard does not depend on who encodes it, and
each shard is a random sample of the corpus. Encoding a shard takes less than a minute on one core
without bfloat16, and a killed build repeats at most one shard per worker.
"""

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

SIZE = 2048  # most passages per shard, approximately
WORK = 1 << 18  # work per shard, approximately: 4 to 8 bytes are a token
PREFIX_WORK = 64  # of a text's prefix and padding
MAX_TEXT_WORK = 3000  # the model's input is truncated

Encode = Callable[[Sequence[Text], Sequence[str]], Floats]
"""Texts and their languages to vectors (texts, dimensions)."""


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """A file of vectors, with their positions in the corpus."""

    path: Path
    positions: NDArray[np.int64]

    def is_complete(self) -> bool:
        """Whether the file exists, complete and undamaged."""
        try:
            self.read()
        except DataError:
            return False
        return True

    def read(self) -> Floats:
        """The vectors (passages, dimensions).

        Raises:
            DataError: if the file is missing or damaged.
        """
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(self.path, framework="np") as stream:
                vectors: Floats = stream.get_tensor("vectors")
                expected_sha = (stream.metadata() or {}).get("sha256")
        except (OSError, SafetensorError) as error:
            raise DataError(f"{self.path} cannot be read: {error}") from error
        if len(vectors) != len(self.positions) or expected_sha != _sha(vectors):
            raise DataError(f"{self.path} is damaged; run the same command to encode it again")
        return vectors


@dataclass(frozen=True, slots=True)
class EncodeJob:
    """A shard to encode, picklable for another process or machine that sees the folder."""

    path: Path
    texts: tuple[Text, ...]
    langs: tuple[str, ...]

    @property
    def work(self) -> int:
        """The work of all texts."""
        return sum(map(text_work, self.texts))


def text_work(text: Text) -> int:
    """The time that encoding a text takes, approximately, in bytes of a long text."""
    parts = (text,) if isinstance(text, str) else text
    return PREFIX_WORK + min(
        MAX_TEXT_WORK, sum(len(part.encode(errors="replace")) for part in parts)
    )


def passages_per_shard(work: int, passages: int) -> int:
    """The number of passages in a shard of a corpus whose texts take that work together."""
    return max(1, min(SIZE, passages * WORK // work))


def split(passages: Sequence[Passage], folder: Path, *, size: int) -> list[Shard]:
    """Split a corpus into shards of about `size` passages, by the hash of each docid."""
    count = -(-len(passages) // size)
    numbers = np.array([_number(passage.docid, count) for passage in passages])
    order = np.argsort(numbers, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)
    return [
        Shard(folder / f"{numbers[positions[0]]:06d}.safetensors", positions)
        for positions in groups
    ]


def encode_shard(job: EncodeJob, encoder: Encode) -> int:
    """Encode a shard and write it atomically; returns the work it took."""
    from safetensors.numpy import save_file

    vectors = np.asarray(encoder(job.texts, job.langs), np.float32)
    with atomic_path(job.path) as temporary:
        save_file({"vectors": vectors}, temporary, metadata={"sha256": _sha(vectors)})
    return job.work


def vector_width(folder: Path) -> int | None:
    """The dimensions of the vectors of an unfinished build, or None before its first shard."""
    from safetensors import safe_open

    for path in folder.glob("[0-9]*.safetensors"):
        with safe_open(path, framework="np") as stream:
            return int(stream.get_slice("vectors").get_shape()[1])
    return None


def _number(docid: str, count: int) -> int:
    key = hashlib.blake2b(docid.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(key) % count


def _sha(vectors: Floats) -> str:
    return hashlib.sha256(vectors.tobytes()).hexdigest()
