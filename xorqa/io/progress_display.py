"""Progress on standard error: bars on a terminal, otherwise a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..core.progress import TaskProgress, duration
from ..core.text.normalize import visible

if TYPE_CHECKING:
    from rich.console import Console

LINE_SECONDS = 30.0
SPEED_SECONDS = 120.0  # the time that the remaining time is estimated from


@contextmanager
def displayed(console: Console | None = None) -> Iterator[TaskProgress]:
    """Show the progress of tasks on `console`, by default standard error."""
    from rich.console import Console

    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield _lines()
        return
    with _bars(console) as report:
        yield report


@contextmanager
def _bars(console: Console) -> Iterator[TaskProgress]:
    """One bar per task, removed at the end."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    ids: dict[str, TaskID] = {}
    with Progress(
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
