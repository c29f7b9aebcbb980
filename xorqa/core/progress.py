"""Progress of long operations, and the counts, sizes and durations of printed messages.

Callbacks receive the progress; an announcement may come before it.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate
from typing import TypeVar

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
