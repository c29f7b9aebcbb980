"""Where shards are encoded in parallel: processes of this machine, or a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ...core.lazy import require
from ...core.processes import map_futures, map_processes
from .shards import Encode, Job, encode

Done = Callable[[int], None]
"""Called with the number of passages of each shard that is finished."""


def processes(jobs: Iterable[Job], encoder: Encode, *, workers: int, done: Done) -> None:
    """Encode in `workers` processes of this machine, as `map_processes`.

    Raises:
        XorqaError: if a worker was killed; finished shards stay.
    """
    work = partial(encode, encoder=encoder)
    for count in map_processes(work, jobs, workers=workers, ordered=False):
        done(count)


def ray(jobs: Iterable[Job], encoder: Encode, *, workers: int, done: Done) -> None:
    """Encode in at most `workers` concurrent tasks of a Ray cluster, one CPU each.

    The cluster is the one this program is connected to, or that RAY_ADDRESS names, or one
    started here. All of its machines must see the index's folder under the same path. Ray
    restarts a task whose worker died.

    Raises:
        MissingExtraError: if Ray is not installed.
    """
    cluster = require("ray", extra="scale")
    if not cluster.is_initialized():
        cluster.init(log_to_driver=False)
    task = cluster.remote(num_cpus=1)(encode)  # for one CPU Ray sets one thread
    submit = lambda job: task.remote(job, encoder).future()  # noqa: E731
    for count in map_futures(submit, jobs, limit=workers, ordered=False):
        done(count)


RUNNERS: dict[str, Callable[..., None]] = {"processes": processes, "ray": ray}
