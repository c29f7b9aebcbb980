"""Read the checklists of a folder; the folder of the bundled ones."""

from pathlib import Path

from ...core.errors import ConfigError, DataError, one_of
from .format import Checklist, read_checklist

SHIPPED = Path(__file__).parents[2] / "checklists"
"""The bundled checklists; in a checkout they are beside the package."""
if not SHIPPED.is_dir():
    SHIPPED = Path(__file__).parents[3] / "checklists"


def read_checklists(folder: Path) -> list[Checklist]:
    """Read the checklists of a folder (`*.toml`), sorted by language.

    Raises:
        ConfigError: if there are none.
        DataError: as `read_checklist`, or if two have the same language.
    """
    lists = [read_checklist(path) for path in sorted(folder.glob("*.toml"))]
    if not lists:
        raise ConfigError(f"{folder} contains no checklist (*.toml)")
    langs = [checklist.lang for checklist in lists]
    if repeated := {lang for lang in langs if langs.count(lang) > 1}:
        raise DataError(f"{folder}: two files have the language {one_of(repeated)}")
    return sorted(lists, key=lambda checklist: checklist.lang)
