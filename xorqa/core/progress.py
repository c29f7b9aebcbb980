"""The progress of long operations: callbacks that receive it, and announcements before them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate

Progress = Callable[[int, int], None]
"""Called with the number of items done and the total."""

TaskProgress = Callable[[str, int, int], None]
"""Called with the name of a task, the number of items done and the total."""

StageTime = Callable[[str, float], None]
"""Called after a stage with its name and its seconds."""

Log = Callable[[str], None]
"""Called with a line of text."""


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
