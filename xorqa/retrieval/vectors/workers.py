"""Who encodes the shards: processes of this machine, or those of a Ray cluster."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from ...core.errors import XorqaError
from ...core.lazy import require
from ...core.processes import begin_work
from .shards import Encode, Job, encode

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}

Done = Callable[[int], None]
"""Told how many passages more are encoded."""


def processes(jobs: Iterable[Job], encoder: Encode, *, workers: int, done: Done) -> None:
    """Encode in `workers` processes of this machine, one thread each.

    `encoder` must pickle. As always with processes, a script that calls this needs its
    `if __name__ == "__main__":`.

    Raises:
        XorqaError: if a worker was killed; the shards that are finished stay.
    """
    context = multiprocessing.get_context("spawn")  # a fork would inherit torch's threads
    with ProcessPoolExecutor(workers, context, initializer=_start) as pool:
        try:
            _drain(jobs, lambda job: pool.submit(encode, job, encoder), 2 * workers, done)
        except BrokenProcessPool as error:
            raise XorqaError(
                "a worker that encodes was killed (out of memory?); "
                "the same command goes on where it was"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def ray(jobs: Iterable[Job], encoder: Encode, *, workers: int, done: Done) -> None:
    """Encode in `workers` tasks at a time of a Ray cluster, one CPU each.

    The cluster is the one this program is connected to, or that RAY_ADDRESS names, or one
    that is started here. All of its machines must see the index's folder under the same path.
    Ray starts a task anew whose worker died.

    Raises:
        MissingExtraError: if Ray is not installed.
    """
    cluster = require("ray", extra="scale")
    if not cluster.is_initialized():
        cluster.init(log_to_driver=False)
    task = cluster.remote(num_cpus=1)(encode)  # for one CPU Ray sets one thread
    _drain(jobs, lambda job: task.remote(job, encoder).future(), workers, done)


RUNNERS: dict[str, Callable[..., None]] = {"processes": processes, "ray": ray}


def _drain(
    jobs: Iterable[Job], submit: Callable[[Job], Future[int]], ahead: int, done: Done
) -> None:
    """Submit jobs, at most `ahead` at once, so that their texts are not all in memory twice."""
    running: set[Future[Any]] = set()
    for job in jobs:
        running.add(submit(job))
        if len(running) >= ahead:
            running = _collect(running, done)
    while running:
        running = _collect(running, done)


def _collect(running: set[Future[Any]], done: Done) -> set[Future[Any]]:
    """Wait for a job or more, tell of them, and return those still running."""
    finished, others = wait(running, return_when=FIRST_COMPLETED)
    for future in finished:
        done(future.result())
    return others


def _start() -> None:
    """Prepare a worker, before it imports anything that computes."""
    os.environ.update(ONE_THREAD)
    begin_work()
