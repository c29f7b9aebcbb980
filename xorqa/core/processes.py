"""A pool of worker processes that maps a function over items, few of them in memory at once."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from multiprocessing.queues import SimpleQueue
from typing import TypeVar

from .errors import XorqaError

Item = TypeVar("Item")
Result = TypeVar("Result")

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def map_processes(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int,
    ordered: bool = True,
    environments: Sequence[Mapping[str, str]] = (),
) -> Iterator[Result]:
    """Apply `work` to each item in `workers` processes of one thread each (0: in this process).

    `environments` are the workers' own environment variables, one table for each worker.

    At most two items per process are read ahead. Results come in the order of the items or, if
    not `ordered`, as they finish. `work` must be picklable, and a script that calls this needs
    `if __name__ == "__main__":`.

    Raises:
        XorqaError: if a worker was killed.
    """
    if not workers:
        yield from map(work, items)
        return
    context = multiprocessing.get_context("spawn")  # a fork would inherit torch's threads
    variables = context.SimpleQueue()
    for number in range(workers):
        variables.put(dict(environments[number]) if environments else {})
    with ProcessPoolExecutor(workers, context, _start_worker, (variables,)) as pool:
        try:
            submit = lambda item: pool.submit(work, item)  # noqa: E731
            yield from map_futures(submit, items, limit=2 * workers, ordered=ordered)
        except BrokenProcessPool as error:
            raise XorqaError(
                "a worker process was killed (out of memory?); "
                "the same command resumes where it stopped"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def map_futures(
    submit: Callable[[Item], Future[Result]],
    items: Iterable[Item],
    *,
    limit: int,
    ordered: bool = True,
) -> Iterator[Result]:
    """Yield the results of submitted items, at most `limit` of them pending at any time."""
    pending: deque[Future[Result]] = deque()
    for item in items:
        pending.append(submit(item))
        if len(pending) >= limit:
            yield from _next_results(pending, ordered)
    while pending:
        yield from _next_results(pending, ordered)


def _next_results(pending: deque[Future[Result]], ordered: bool) -> Iterator[Result]:
    if ordered:
        yield pending.popleft().result()
        return
    for future in wait(pending, return_when=FIRST_COMPLETED).done:
        pending.remove(future)
        yield future.result()


def _start_worker(variables: "SimpleQueue[dict[str, str]]") -> None:
    """Use one thread; exit on Ctrl-C without a traceback, and when the parent process ends."""
    os.environ.update(ONE_THREAD | variables.get())
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
