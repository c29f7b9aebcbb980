"""The checklists of a folder, and where this package keeps its own."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import ConfigError, DataError, one_of
from .format import Checklist, read_checklist

SHIPPED = Path(__file__).parents[1] / "checklists"
"""This package's checklists; in a checkout they stand beside the package."""
if not SHIPPED.is_dir():
    SHIPPED = Path(__file__).parents[2] / "checklists"


def read_checklists(folder: Path) -> list[Checklist]:
    """The checklists of a folder (`*.toml`), by language.

    Raises:
        ConfigError: if there is none.
        DataError: as `read_checklist`, or if two are of one language.
    """
    lists = [read_checklist(path) for path in sorted(folder.glob("*.toml"))]
    if not lists:
        raise ConfigError(f"{folder} holds no checklist (*.toml)")
    langs = [one.lang for one in lists]
    if twice := {lang for lang in langs if langs.count(lang) > 1}:
        raise DataError(f"{folder}: two files have the language {one_of(twice)}")
    return sorted(lists, key=lambda one: one.lang)
