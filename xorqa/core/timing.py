"""The duration of work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """The seconds of wall-clock time that `work` takes, and its result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result
