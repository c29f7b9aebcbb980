"""Encode shards in parallel, in processes on this machine or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ...core.lazy import require
from ...core.processes import map_futures, map_processes
from .shards import Encode, EncodeJob, encode_shard

OnShard = Callable[[int], None]
"""Called with the number of passages of each finished shard."""


def run_processes(
    jobs: Iterable[EncodeJob], encoder: Encode, *, workers: int, on_shard: OnShard
) -> None:
    """Encode in `workers` processes on this machine, see `map_processes`.

    Raises:
        XorqaError: if a worker was killed; finished shards are kept.
    """
    work = partial(encode_shard, encoder=encoder)
    for count in map_processes(work, jobs, workers=workers, ordered=False):
        on_shard(count)


def run_ray(jobs: Iterable[EncodeJob], encoder: Encode, *, workers: int, on_shard: OnShard) -> None:
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
    for count in map_futures(submit, jobs, limit=workers, ordered=False):
        on_shard(count)


RUNNERS: dict[str, Callable[..., None]] = {"processes": run_processes, "ray": run_ray}
