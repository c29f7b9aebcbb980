"""The duration of work."""

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """The seconds of wall-clock time that `work` takes, and its result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result
