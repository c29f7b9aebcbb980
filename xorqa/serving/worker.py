"""One thread that answers, and the bounded queue before it.

Models are not safe to share between threads, so a single one runs them. Waiting jobs with the same
key run as one batch, which is faster than one after the other. A long job runs in slices, between
which the thread answers what waits.

Clients share the thread's seconds equally while they wait for one another: the next job is of the
client that is furthest behind ("start-time fair queueing", Goyal, Vin and Cheng, 1996).
"""

import asyncio
import atexit
import json
import threading
import time
import warnings
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request

from ..core.errors import Notice, XorqaError
from ..core.progress import StageTime, silent
from .metrics import Metrics
from .problems import Problem, busy, problem_of, unavailable

Work = Callable[[list[Any], StageTime], Sequence[Any]]
"""Maps a batch of items to one result each, and reports its stages."""

LAST = 30.0  # seconds that the end of the process waits for the running stage
BETWEEN = 0.25  # seconds for waiting questions between two slices of a long job
EVENTS, LINES = "text/event-stream", "application/x-ndjson"


class Abandoned(Exception):
    """All clients of the running batch have left, or the server stops."""


@dataclass(eq=False, slots=True)
class Job:
    """An item for `work`; jobs with the same `key` (not None) may share a batch.

    The stages of a `long` job are slices: others run between them, and a shutdown ends it. Jobs of
    one `client` wait for one another.
    """

    work: Work
    item: Any = None
    key: Hashable = None
    on_stage: StageTime = silent
    long: bool = False
    client: str = ""
    abandoned: bool = False
    future: Future[Any] = field(default_factory=Future)

    def abandon(self) -> None:
        """Drop the job if it waits; a running batch ends after its stage if all are abandoned."""
        self.abandoned = True
        self.future.cancel()


class Worker:
    """Runs jobs on one thread, at most `together` of one key at once, each client in its turn."""

    def __init__(self, *, waiting: int, together: int) -> None:
        self.waiting, self.together = waiting, together
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._leaving = self._stopping = False
        self._thread = threading.Thread(target=self._run, name="xorqa-worker", daemon=True)
        self._seconds, self._since = 0.0, 0.0
        self._now = 0.0  # the turn of the last batch
        self._turns: dict[str, float] = {}  # the clients' next ones, if they are later
        self._context = copy_context()  # without what a long job sets for itself

    @property
    def queued(self) -> int:
        """The number of waiting jobs."""
        return len(self._jobs)

    @property
    def stopping(self) -> bool:
        """Whether the server shuts down."""
        return self._leaving or self._stopping

    @property
    def has_ended(self) -> bool:
        """Whether nothing runs any more."""
        return not self._thread.is_alive()

    @property
    def seconds_busy(self) -> float:
        """The seconds that jobs have run, with those of the running one."""
        since = self._since
        return self._seconds + (time.perf_counter() - since if since else 0.0)

    def start(self) -> None:
        """Start the thread; the end of the process waits for it, as native code must not run on."""
        self._thread.start()
        atexit.register(self.stop, LAST)

    def submit(self, jobs: Sequence[Job]) -> None:
        """Queue jobs, all or none.

        Raises:
            Problem: 429 if the queue has no room for them, 503 during a shutdown.
        """
        with self._changed:
            if self._stopping:
                raise unavailable("the server is shutting down", "stopping")
            if len(self._jobs) + len(jobs) > self.waiting:
                raise busy(f"{len(self._jobs)} questions are waiting; try again later")
            self._jobs.extend(jobs)
            self._changed.notify()

    def leave(self) -> None:
        """End long jobs after their slice; the others are still answered."""
        with self._changed:
            self._leaving = True
            for job in self._jobs:
                if job.long:
                    job.abandon()

    def stop(self, seconds: float) -> None:
        """Drop what waits, let the running batch end after its stage, and wait for the thread."""
        with self._changed:
            self._stopping = True
            for job in self._jobs:
                job.abandon()
            self._jobs.clear()
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        while batch := self._next():
            self._since = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Notice)
                self._answer(batch)
            self._seconds, self._since = self.seconds_busy, 0.0

    def _next(self) -> list[Job]:
        """The next batch; waits for one; empty at the end."""
        with self._changed:
            while True:
                while not self._jobs and not self._stopping:
                    self._changed.wait()
                if self._stopping:
                    return []
                if batch := self._take(min(self._jobs, key=self._turn)):
                    return batch

    def _take(self, first: Job) -> list[Job]:
        """Take a job from the queue, with those of about the same turn that may share its batch."""
        batch, self._now = [first], self._turn(first)
        if first.key is not None:
            same = [job for job in self._jobs if job.key == first.key]
            due = [job for job in same if self._turn(job) <= self._now + BETWEEN]
            batch = sorted(due, key=self._turn)[: self.together]
        for job in batch:
            self._jobs.remove(job)
        return [job for job in batch if job.future.set_running_or_notify_cancel()]

    def _turn(self, job: Job) -> float:
        """When it is a client's turn, in seconds of the thread per client; the least is next."""
        return max(self._now, self._turns.get(job.client, 0.0))

    def _charge(self, batch: Sequence[Job], seconds: float) -> None:
        """Move the turns of a batch's clients by the seconds that it took."""
        with self._changed:
            for job in batch:
                self._turns[job.client] = self._turn(job) + seconds / len(batch)
            late = {client: turn for client, turn in self._turns.items() if turn > self._now}
            self._turns = late

    def _answer_between(self, long: Job) -> None:
        """Answer what waits between two slices of a long job, for about `BETWEEN` seconds.

        Clients whose turn is before that of the long job's are answered in any case.
        """
        end = time.monotonic() + BETWEEN
        while True:
            with self._changed:
                short = (job for job in self._jobs if not job.long)
                first = min(short, key=self._turn, default=None)
                if first is None:
                    return
                if time.monotonic() > end and self._turn(first) >= self._turn(long):
                    return
                batch = self._take(first)
            if batch:
                self._context.copy().run(self._answer, batch)

    def _answer(self, batch: list[Job]) -> None:
        is_long, since = batch[0].long, time.monotonic()

        def on_stage(name: str, seconds: float) -> None:
            nonlocal since
            self._charge(batch, time.monotonic() - since)
            if is_long:
                self._answer_between(batch[0])
            since = time.monotonic()
            stopping = self.stopping if is_long else self._stopping
            if stopping or all(job.abandoned for job in batch):
                raise Abandoned
            for job in batch:
                job.on_stage(name, seconds)

        try:
            results = batch[0].work([job.item for job in batch], on_stage)
        except XorqaError as error:
            self._charge(batch, time.monotonic() - since)
            if len(batch) == 1:
                batch[0].future.set_exception(error)
                return
            for job in batch:  # one of them is to blame
                self._answer([job])
        except BaseException as error:  # the thread must live
            stopped = unavailable("the server is shutting down", "stopping")
            self._charge(batch, time.monotonic() - since)
            for job in batch:
                job.future.set_exception(stopped if isinstance(error, Abandoned) else error)
        else:
            self._charge(batch, time.monotonic() - since)
            for job, result in zip(batch, results, strict=True):
                job.future.set_result(result)


async def results(
    request: Request, jobs: Sequence[Job], worker: Worker, metrics: Metrics, seconds: float
) -> list[Any]:
    """Queue jobs and wait for them; each result is a value or the error that a user can fix.

    The jobs are abandoned if the client leaves, or after `seconds`.

    Raises:
        Problem: 429 without room in the queue, 503 after `seconds`.
    """
    for job in jobs:
        job.client = client_of(request)
    worker.submit(jobs)
    done = asyncio.gather(
        *(asyncio.wrap_future(job.future) for job in jobs), return_exceptions=True
    )
    left = asyncio.create_task(_left(request))
    try:
        both: set[asyncio.Future[Any]] = {done, left}
        await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if done.done():
            return [_fixable(result) for result in done.result()]
        if left.done():
            metrics.left()
            raise unavailable("the client left", "cancelled")
        raise unavailable(f"not answered within {seconds:g} seconds", "timeout")
    finally:
        left.cancel()
        for job in jobs:
            job.abandon()
        if not done.done():
            done.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            done.cancel()


def stream(job: Job, worker: Worker, seconds: float, media: str) -> AsyncIterator[str]:
    """Queue a job; its stages as they end, then its result, as events or as lines of JSON.

    Raises:
        Problem: 429 without room in the queue.
    """
    events: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(name: str, value: dict[str, Any]) -> None:
        loop.call_soon_threadsafe(events.put_nowait, (name, value))

    def on_stage(name: str, spent: float) -> None:
        put("stage", {"stage": name, "milliseconds": round(1000 * spent, 1)})

    def on_end(future: Any) -> None:
        error = _stopped() if future.cancelled() else future.exception()
        put("error", problem_of(error).body) if error else put("answer", future.result())

    job.on_stage = on_stage
    job.future.add_done_callback(on_end)
    worker.submit([job])
    return _events(job, events, seconds, media)


async def _events(
    job: Job, events: asyncio.Queue[tuple[str, dict[str, Any]]], seconds: float, media: str
) -> AsyncIterator[str]:
    name = ""
    try:
        async with asyncio.timeout(seconds):
            while name not in {"answer", "error"}:
                name, value = await events.get()
                yield _encoded(name, value, media)
    except TimeoutError:
        late = unavailable(f"not answered within {seconds:g} seconds", "timeout")
        yield _encoded("error", late.body, media)
    finally:
        job.abandon()


def wanted_stream(accept: str) -> str | None:
    """The media type of the stream that a request accepts, or None."""
    named = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    return next((name for name in named if name in {EVENTS, LINES}), None)


def _encoded(name: str, value: dict[str, Any], media: str) -> str:
    if media == LINES:
        return json.dumps({"event": name, **value}, ensure_ascii=False) + "\n"
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n"


def _fixable(result: Any) -> Any:
    """A value, or a problem; other errors are raised."""
    if isinstance(result, asyncio.CancelledError):
        return _stopped()
    if isinstance(result, Problem | XorqaError):
        return problem_of(result)
    if isinstance(result, BaseException):
        raise result
    return result


def _stopped() -> Problem:
    return unavailable("the server is shutting down", "stopping")


def client_of(request: Request) -> str:
    """The address of a request's client."""
    return request.client.host if request.client else ""


async def _left(request: Request) -> None:
    """Return when the client has closed its connection."""
    while not await request.is_disconnected():
        await asyncio.sleep(0.1)
