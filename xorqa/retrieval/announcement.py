"""The line that announces a long build: how many passages, how long, how much space."""

import time
from collections.abc import Callable

from ..core.progress import Progress, announce, disk_size, duration

MIN_SECONDS = 2.0  # a shorter build is not announced
MEASURED_SECONDS = 1.0  # the time in which the speed is measured


def announced(progress: Progress, kind: str, size: Callable[[int], float]) -> Progress:
    """`progress`, which also announces the build of an index once its speed is known.

    `size` returns the approximate bytes of the index of that many passages. The speed is measured
    from the second call on: the first comes before the work begins, or after the first batch, for
    which weights are loaded.
    """
    calls, start = 0, (0.0, 0)
    open_question = True

    def report(done: int, total: int) -> None:
        nonlocal calls, start, open_question
        progress(done, total)
        calls += 1
        now = time.monotonic()
        if calls <= 2:
            start = now, done
        elif open_question and now - start[0] >= MEASURED_SECONDS and done > start[1]:
            open_question = False
            seconds = (now - start[0]) * (total - done) / (done - start[1])
            if seconds >= MIN_SECONDS:
                announce(_line(kind, total, seconds, size(total)))

    return report


def _line(kind: str, passages: int, seconds: float, size: float) -> str:
    time_and_space = f"about {duration(seconds)}, {disk_size(size)} on disk, once"
    return f"Indexing {passages:,} passages ({kind}): {time_and_space}"
