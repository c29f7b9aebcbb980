"""Progress of long operations, and the counts, sizes and durations of printed messages.

Callbacks receive the progress; an announcement may come before it. On standard error it is shown as
bars on a terminal, otherwise as a line now and then.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from .text.normalize import visible

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[int, int], None]
"""Called with the number of items done and the total."""

TaskProgress = Callable[[str, int, int], None]
"""Called with the name of a task, the number of items done and the total."""

StageTime = Callable[[str, float], None]
"""Called after a stage with its name and its seconds."""

Log = Callable[[str], None]
"""Called with a line of text."""

Result = TypeVar("Result")


def silent(*_: object) -> None:
    """Report nothing."""


def split_progress(progress: Progress, shares: Sequence[float]) -> list[Progress]:
    """Callbacks for the consecutive parts of an operation, by their shares of its time."""
    starts = accumulate(shares, initial=0.0)
    return [
        _part(progress, start, share, sum(shares))
        for start, share in zip(starts, shares, strict=False)
    ]


def _part(progress: Progress, start: float, share: float, whole: float) -> Progress:
    def report(done: int, total: int) -> None:
        progress(int(total * (start + share * done / total) / whole + 1e-6), total)

    return report


def _on_terminal(line: str) -> None:
    if sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)


_announce: ContextVar[Log] = ContextVar("announce", default=_on_terminal)


def announce(line: str) -> None:
    """Announce something that takes a while or fills the disk, by default on a terminal only."""
    _announce.get()(line)


@contextmanager
def announcing(log: Log) -> Iterator[None]:
    """Within the block, pass announcements to `log`."""
    token = _announce.set(log)
    try:
        yield
    finally:
        _announce.reset(token)


def quantity(count: int, noun: str) -> str:
    """ "1 question", "2 questions": the plural has an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def disk_size(count: float) -> str:
    """A number of bytes: "4.6 MB", "1.2 GB"."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def duration(seconds: float) -> str:
    """A rough duration: "20 s", "4 min", "2.5 h"."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:,.1f} h"


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Call `work`; returns its wall-clock time in seconds, and its result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


LINE_SECONDS = 30.0
SPEED_SECONDS = 120.0  # the time that the remaining time is estimated from


@contextmanager
def displayed(console: Console | None = None) -> Iterator[TaskProgress]:
    """Show the progress of tasks on `console`, by default standard error.

    On a terminal a task has a bar, which is removed at the end.
    """
    from rich.console import Console

    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield _lines()
        return
    from rich import progress as rich_progress

    columns = (
        rich_progress.TextColumn("{task.description}", markup=False),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TimeRemainingColumn(),
    )
    ids: dict[str, rich_progress.TaskID] = {}
    with rich_progress.Progress(
        *columns, console=console, transient=True, speed_estimate_period=SPEED_SECONDS
    ) as bars:

        def report(name: str, done: int, total: int) -> None:
            if name not in ids:
                ids[name] = bars.add_task(visible(name), total=total)
            bars.update(ids[name], completed=done, total=total)

        yield report


def _lines() -> TaskProgress:
    """A line per `LINE_SECONDS`: the task, its progress and the time left."""
    starts: dict[str, tuple[float, int]] = {}
    last = time.monotonic()

    def report(name: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        started, first = starts.setdefault(name, (now, done))
        if now - last < LINE_SECONDS or done >= total:
            return
        last = now
        line = f"{visible(name)}: {done:,}/{total:,}"
        if done > first:
            line += f", about {duration((now - started) * (total - done) / (done - first))} left"
        print(line, file=sys.stderr, flush=True)

    return report
