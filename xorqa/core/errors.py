"""Everything xorqa raises on purpose. A message says what, where, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable


class XorqaError(Exception):
    """Base of all errors a user can mend; the command line prints it as one line."""


class ConfigError(XorqaError):
    """A setting, a stage name or an option that cannot be used."""


class DataError(XorqaError):
    """A file whose content is not what its reader expects."""


class IndexMismatchError(XorqaError):
    """An index that does not belong to the corpus, encoder or settings it is opened with."""


class WeightsError(XorqaError):
    """Weights that cannot be found, or that belong to another base."""


class MissingExtraError(XorqaError):
    """An optional package that is not installed."""


def one_of(options: Iterable[str]) -> str:
    """The valid names, sorted, for the end of an error message."""
    return ", ".join(sorted(options)) or "none"
