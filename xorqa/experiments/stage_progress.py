"""Where a pipeline shows the progress of its stages, and how it times them."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from ..core.progress import StageTime, TaskProgress, announcing, silent
from ..io.progress_display import displayed

Clock = Callable[[str], AbstractContextManager[None]]
"""Times a block, by the name of its stage."""


def reporting(progress: TaskProgress | None) -> AbstractContextManager[TaskProgress]:
    """What stages report their progress to: by default standard error.

    `silent` also drops announcements.
    """
    if progress is None:
        return displayed()
    return _silence() if progress is silent else nullcontext(progress)


@contextmanager
def _silence() -> Iterator[TaskProgress]:
    with announcing(silent):
        yield silent


@contextmanager
def timed(seconds: dict[str, float], on_stage: StageTime, name: str) -> Iterator[None]:
    """Add the seconds spent in the block to `seconds[name]`, and report them."""
    start = time.perf_counter()
    yield
    spent = time.perf_counter() - start
    seconds[name] = seconds.get(name, 0.0) + spent
    on_stage(name, spent)
