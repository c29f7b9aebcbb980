"""What a check found: one line, and whether it is well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..core.errors import MissingExtraError, XorqaError

State = Literal["ok", "missing", "broken"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of one subject; `note` is one line: what was seen, or what to do."""

    subject: str
    check: str
    state: State
    note: str


def look(subject: str, check: str, work: Callable[[], str]) -> Finding:
    """Do a check, which returns its note or raises; whatever it raises becomes a line.

    Ctrl-C is not caught. A package that is not installed is missing, all else is broken.
    """
    try:
        return Finding(subject, check, "ok", work())
    except MissingExtraError as error:
        return Finding(subject, check, "missing", _line(error))
    except XorqaError as error:
        return Finding(subject, check, "broken", _line(error))
    except Exception as error:  # a check is there for what nobody expected
        return Finding(subject, check, "broken", f"{type(error).__name__}: {_line(error)}")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
