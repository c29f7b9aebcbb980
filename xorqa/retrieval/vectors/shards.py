"""Encode a corpus in shards of vectors: one file each, written atomically and verified by hash.

This process encodes, or parallel ones on this machine, or a Ray cluster; complete shards are kept.

A passage's shard is determined by its docid, so a shard does not depend on who encodes it, and
each shard is a random sample of the corpus. Encoding a shard takes less than a minute on one core
without bfloat16, and a killed build repeats at most one shard per worker.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, DataError, one_of
from ...core.named import require
from ...core.processes import map_futures, map_processes
from ...core.progress import Progress
from ...core.types import Passage
from ...io.files import atomic_path
from ...models.device import environments
from ...models.hub import AtCommits
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


def run_processes(
    jobs: Iterable[EncodeJob], encoder: Encode, workers: int, devices: Sequence[str] = ()
) -> Iterator[int]:
    """Encode in `workers` processes on this machine, see `map_processes`, or one per device.

    Yields the work of each finished shard, as `run_ray` does.

    Raises:
        XorqaError: if a worker was killed; finished shards are kept.
    """
    work = AtCommits(partial(encode_shard, encoder=encoder))
    own = environments(devices)
    return map_processes(work, jobs, workers=workers, ordered=False, environments=own)


def run_ray(
    jobs: Iterable[EncodeJob], encoder: Encode, workers: int, devices: Sequence[str] = ()
) -> Iterator[int]:
    """Encode in at most `workers` concurrent tasks on a Ray cluster, one CPU each.

    The cluster is the one this program is connected to, the one RAY_ADDRESS names, or a new local
    one. All machines must see the index folder under the same path. Ray restarts a task whose
    worker died.

    Raises:
        MissingExtraError: if Ray is not installed.
        ConfigError: if devices are named: Ray assigns them.
    """
    if devices:
        raise ConfigError("devices are for workers on 'processes'; Ray assigns its own")
    cluster = require("ray", extra="scale")
    if not cluster.is_initialized():
        cluster.init(log_to_driver=False)
    task = cluster.remote(num_cpus=1)(encode_shard)  # with one CPU, Ray sets one thread
    at_commits = AtCommits(encoder)
    submit = lambda job: task.remote(job, at_commits).future()  # noqa: E731
    return map_futures(submit, jobs, limit=workers, ordered=False)


RUNNERS: dict[str, Callable[..., Iterator[int]]] = {"processes": run_processes, "ray": run_ray}


def encode_corpus(
    passages: Sequence[Passage],
    folder: Path,
    *,
    text_of: Callable[[Passage], Text],
    encode_here: Callable[..., Any],
    encode_in_worker: Encode,
    workers: int = 0,
    on: str = "processes",
    devices: Sequence[str] = (),
    progress: Progress,
) -> list[Shard]:
    """Encode the shards of a corpus in `folder`, except those already complete.

    `text_of` selects the text of a passage. With workers, `encode_in_worker` must pickle;
    without, `encode_here` encodes in this process and calls its option `progress`. `progress`
    counts passages, in proportion to the work done.

    Raises:
        ConfigError: if `on` is not a way to run workers.
    """
    if on not in RUNNERS:
        raise ConfigError(f"workers cannot run on '{on}'; valid: {one_of(RUNNERS)}")
    work = np.array([text_work(text_of(passage)) for passage in passages])
    total = int(work.sum())
    size = passages_per_shard(total, len(passages))
    corpus_shards = split(passages, folder, size=size)
    missing = [shard for shard in corpus_shards if not shard.is_complete()]
    done = total - sum(int(work[shard.positions].sum()) for shard in missing)

    def report(within_shard: int = 0) -> None:
        progress(len(passages) * (done + within_shard) // total, len(passages))

    def encode_shown(job: EncodeJob) -> int:
        tokens = lambda done, total: report(job.work * done // total)  # noqa: E731
        return encode_shard(job, partial(encode_here, progress=tokens))

    def job_of(shard: Shard) -> EncodeJob:
        batch = [passages[position] for position in shard.positions]
        return EncodeJob(shard.path, tuple(map(text_of, batch)), tuple(p.lang for p in batch))

    report()
    jobs = map(job_of, missing)
    finished: Iterable[int] = map(encode_shown, jobs)
    if workers or devices:
        finished = RUNNERS[on](jobs, encode_in_worker, workers or len(devices), devices)
    for shard_work in finished:
        done += shard_work
        report()
    return corpus_shards
