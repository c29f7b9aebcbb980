"""Work handed to processes, its results in the order of the work, little of it in memory."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from ...core.errors import XorqaError
from ...core.processes import begin_work

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    items: Iterable[Item], work: Callable[[Item], Result], *, workers: int
) -> Iterator[Result]:
    """`work` on each item, in `workers` processes (0: this one); at most two items a process wait.

    Raises:
        XorqaError: if a worker was killed.
    """
    if not workers:
        yield from map(work, items)
        return
    waiting: deque[Future[Result]] = deque()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=begin_work) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) >= 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise XorqaError(
                "a worker was killed (out of memory?); the same command goes on where it was"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
