"""Encode a corpus into shards of vectors; complete shards are kept.

This process encodes, or parallel ones on this machine, or a Ray cluster.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...core.errors import ConfigError, one_of
from ...core.named import require
from ...core.processes import map_futures, map_processes
from ...core.progress import Progress
from ...core.types import Passage
from ...models.towers import Text
from . import shards
from .shards import Encode, EncodeJob, Shard, encode_shard


def run_processes(jobs: Iterable[EncodeJob], encoder: Encode, workers: int) -> Iterator[int]:
    """Encode in `workers` processes on this machine, see `map_processes`.

    Yields the work of each finished shard, as `run_ray` does.

    Raises:
        XorqaError: if a worker was killed; finished shards are kept.
    """
    work = partial(encode_shard, encoder=encoder)
    return map_processes(work, jobs, workers=workers, ordered=False)


def run_ray(jobs: Iterable[EncodeJob], encoder: Encode, workers: int) -> Iterator[int]:
    """Encode in at most `workers` concurrent tasks on a Ray cluster, one CPU each.

    The cluster is the one this program is connected to, the one RAY_ADDRESS names, or a new local
    one. All machines must see the index folder under the same path. Ray restarts a task whose
    worker died.

    Raises:
        MissingExtraError: if Ray is not installed.
    """
    cluster = require("ray", extra="scale")
    if not cluster.is_initialized():
        cluster.init(log_to_driver=False)
    task = cluster.remote(num_cpus=1)(encode_shard)  # with one CPU, Ray sets one thread
    submit = lambda job: task.remote(job, encoder).future()  # noqa: E731
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
    work = np.array([shards.text_work(text_of(passage)) for passage in passages])
    total = int(work.sum())
    size = shards.passages_per_shard(total, len(passages))
    corpus_shards = shards.split(passages, folder, size=size)
    missing = [shard for shard in corpus_shards if not shard.is_complete()]
    done = total - sum(int(work[shard.positions].sum()) for shard in missing)

    def report(within_shard: int = 0) -> None:
        progress(len(passages) * (done + within_shard) // total, len(passages))

    def encode(job: EncodeJob) -> int:
        tokens = lambda done, total: report(job.work * done // total)  # noqa: E731
        return encode_shard(job, partial(encode_here, progress=tokens))

    report()
    jobs = (_job(shard, passages, text_of) for shard in missing)
    for shard_work in (
        RUNNERS[on](jobs, encode_in_worker, workers) if workers else map(encode, jobs)
    ):
        done += shard_work
        report()
    return corpus_shards


def _job(
    shard: Shard, passages: Sequence[Passage], text_of: Callable[[Passage], Text]
) -> EncodeJob:
    batch = [passages[at] for at in shard.positions]
    return EncodeJob(shard.path, tuple(map(text_of, batch)), tuple(p.lang for p in batch))
