"""A limit on the time of training, which several trainings in turn can share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """Training ends when `clock`, in seconds, reaches `end`; by default never.

    A limit is not one of a recipe's settings: it covers reading the data too, and a run that
    resumes gets a new one.
    """

    end: float = math.inf
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def of(cls, minutes: float) -> TimeLimit:
        """A limit that ends so many minutes from now."""
        limit = cls()
        return replace(limit, end=limit.clock() + 60 * minutes)

    @property
    def left(self) -> float:
        """The seconds left."""
        return max(0.0, self.end - self.clock())

    @property
    def reached(self) -> bool:
        """Whether no time is left."""
        return self.clock() >= self.end

    def share(self, part: float) -> TimeLimit:
        """A limit of a part of the time left."""
        return replace(self, end=self.clock() + part * self.left)

    def passed_of(self, seconds: float) -> float:
        """The share that has passed of the `seconds` that were left earlier; 0 without an end."""
        if math.isinf(self.end):
            return 0.0
        return 1 - self.left / seconds if seconds else 1.0


UNLIMITED = TimeLimit()
