"""The exceptions xorqa raises. A message states the problem, its location and the remedy."""

from collections.abc import Iterable


class XorqaError(Exception):
    """Base of all errors that a user can fix; the command line prints it as one line."""

    def __str__(self) -> str:
        return " ".join(super().__str__().splitlines())  # the message may quote lines of a file


class ConfigError(XorqaError):
    """An invalid setting, stage name or option."""


class InputError(XorqaError):
    """A question that cannot be answered: empty, or not Unicode text."""


class DataError(XorqaError):
    """A file with unexpected content."""


class Notice(UserWarning):
    """A warning about a call that succeeds; commands print it as one line.

    `kind` names what is counted where a command writes JSON, and `count` is the number of them.
    """

    def __init__(self, message: str = "", *, kind: str = "", count: int = 1) -> None:
        super().__init__(message)
        self.kind = kind
        self.count = count


class DamageWarning(Notice):
    """A damaged file was set aside; the call continues without it."""


class LockedError(XorqaError):
    """A folder or a file that another process is writing."""


class IndexMismatchError(XorqaError):
    """An index built from another corpus, encoder or settings than it is opened with."""


class WeightsError(XorqaError):
    """Weights that are missing, or were fine-tuned from another base."""


class MissingExtraError(XorqaError):
    """An optional package that is not installed."""


def one_of(options: Iterable[str]) -> str:
    """Join the valid names, sorted, for the end of an error message."""
    return ", ".join(sorted(options)) or "none"
