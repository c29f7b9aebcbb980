"""The outcome of a health check: its state and a note of one line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ...core.errors import MissingExtraError, XorqaError

State = Literal["ok", "missing", "broken"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check; `note` is one line: what was checked, or what to do."""

    subject: str
    check: str
    state: State
    note: str


def run_check(subject: str, name: str, check: Callable[[], str]) -> Finding:
    """Run a check, which returns a note; any exception becomes a finding.

    A missing package gives "missing", other exceptions give "broken"; Ctrl-C is not caught.
    """
    try:
        return Finding(subject, name, "ok", check())
    except MissingExtraError as error:
        return Finding(subject, name, "missing", _one_line(error))
    except XorqaError as error:
        return Finding(subject, name, "broken", _one_line(error))
    except Exception as error:  # a check must report any failure
        return Finding(subject, name, "broken", f"{type(error).__name__}: {_one_line(error)}")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
