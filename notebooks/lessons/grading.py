"""Exercises: a verdict on an answer, with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer to an exercise is right, and why; the output of a cell."""

    right: bool
    reason: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return f"{'Right' if self.right else 'Not yet'}. {self.reason}"

    def _repr_markdown_(self) -> str:
        return f"{'✅ **Right.**' if self.right else '⬜ **Not yet.**'} {self.reason}"


Check = Callable[[Any], Verdict]


class _Unanswered(Exception):
    """A stub was called that still has its `...`."""


class _Failed(Exception):
    """The function of an answer raised an error, which the message names."""


def right(reason: str) -> Verdict:
    """The verdict on a right answer; `reason` says why it is right."""
    return Verdict(True, reason)


def wrong(reason: str) -> Verdict:
    """The verdict on a wrong answer; `reason` says what to look at."""
    return Verdict(False, reason)


def graded(check: Check) -> Check:
    """A check that also has a verdict on stubs, on functions that raise and on wrong types.

    ```python
    @graded
    def check_1(answer):
        return right("Half of 12.") if answer == 6 else wrong("Count the pairs, not the questions.")
    ```

    An answer is a value or a function; a stub is `...`, or a function that returns `...`.
    """

    @wraps(check)
    def grade(answer: Any) -> Verdict:
        try:
            if answer is ...:
                raise _Unanswered
            return check(_watched(answer) if callable(answer) else answer)
        except _Unanswered:
            return wrong("Replace the `...` in the cell above with your answer.")
        except _Failed as failure:
            return wrong(f"Your function raises {failure}.")
        except Exception as error:
            return wrong(f"This is not the kind of answer asked for ({_described(error)}).")

    return grade


def _watched(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of an answer, with its errors marked as the answer's and not the check's."""

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            result = function(*arguments, **options)
        except Exception as error:
            raise _Failed(_described(error)) from error
        if result is ...:
            raise _Unanswered
        return result

    return call


def _described(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
