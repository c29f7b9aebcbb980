"""Encode shards in parallel, in processes on this machine or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ...core.lazy import require
from ...core.processes import map_futures, map_processes
from .shards import Encode, EncodeJob, encode_shard


def run_processes(jobs: Iterable[EncodeJob], encoder: Encode, workers: int) -> Iterator[int]:
    """Encode in `workers` processes on this machine, see `map_processes`.

    Yields the number of passages of each finished shard, as `run_ray` does.

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
