"""Check how a reader handles a damaged file: a one-line error or valid values are correct.

Everything else is a failure: another exception, an error of several lines, a call that does not
end, and a value that later steps cannot use.
"""

import dataclasses
import math
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any
from warnings import catch_warnings

from ....core.errors import XorqaError
from ....core.validation import SETTINGS, hints_of
from .mutators import MARKER

SECONDS = 20  # the limit of a call
_SHOWN = 200  # characters of a failure
_MADE_OF_OTHERS = ("None", "True", "False", "[]", "{}")
"""How `str` formats values that are not strings; the samples contain no such text."""


def failure_of(call: Callable[[], Any]) -> str | None:
    """None if a call raises a one-line error, "" if it returns a valid value, else the failure."""
    try:
        quiet = redirect_stdout(StringIO()), redirect_stderr(StringIO())
        with catch_warnings(action="ignore"), quiet[0], quiet[1], _within(SECONDS):
            value = call()
    except TimeoutError as error:
        return str(error)
    except (XorqaError, OSError) as error:  # the command line prints these as one line
        lines = str(error).count("\n") + 1
        return None if lines == 1 else f"an error of {lines} lines: {error!s:.{_SHOWN}}"
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.{_SHOWN}}"
    return next(_faults(value, "result"), "")


@contextmanager
def _within(seconds: int) -> Iterator[None]:
    """A context that raises a TimeoutError after `seconds`, on systems that have alarms."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"did not end within {seconds} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _faults(value: Any, where: str) -> Iterator[str]:
    """Yield what is wrong with a value that was read, at any depth."""
    if isinstance(value, str):
        yield from _text_faults(value, where)
    elif isinstance(value, int | float):
        if not math.isfinite(value) if isinstance(value, float) else abs(value) >= 2**64:
            yield f"{where} is {value!r:.40}"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if isinstance(key, str) and key != MARKER:
                yield from _text_faults(key, f"{where}'s key")
            yield from _faults(inner, f"{where}[{key!r:.20}]")
    elif isinstance(value, list | tuple | set | frozenset):
        if len(value) > 1 and "".join(map(str, value)) == MARKER:
            yield f"{where} is a string that was split into letters"
        for inner in value:
            yield from _faults(inner, f"{where}[]")
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            inner, place = getattr(value, field.name), f"{where}.{field.name}"
            try:
                SETTINGS.check(hints_of(type(value))[field.name], inner, where=place)
            except XorqaError as error:
                yield str(error)
            yield from _faults(inner, place)


def _text_faults(text: str, where: str) -> Iterator[str]:
    if any("\ud800" <= char <= "\udfff" for char in text):
        yield f"{where} has a lone surrogate"
    if text in _MADE_OF_OTHERS or f"'{MARKER}'" in text:
        yield f"{where} is the text of a value that is not a string: {text!r:.40}"
