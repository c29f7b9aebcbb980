"""Wait for jobs while the client stays: their results, or the events of one as a stream."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from starlette.requests import Request

from ..core.errors import XorqaError
from .metrics import Metrics
from .problems import Problem, problem_of, unavailable
from .worker import Job, Worker

EVENTS, LINES = "text/event-stream", "application/x-ndjson"


async def results(
    request: Request, jobs: Sequence[Job], worker: Worker, metrics: Metrics, seconds: float
) -> list[Any]:
    """Queue jobs and wait for them; each result is a value or the error that a user can fix.

    The jobs are abandoned if the client leaves, or after `seconds`.

    Raises:
        Problem: 429 without room in the queue, 503 after `seconds`.
    """
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


async def _left(request: Request) -> None:
    """Return when the client has closed its connection."""
    while not await request.is_disconnected():
        await asyncio.sleep(0.1)
