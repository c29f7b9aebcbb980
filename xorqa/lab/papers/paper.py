"""A paper's experiments, each with the commands that repeat it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...core.config import read_toml
from ...core.errors import ConfigError, one_of
from ...core.validation import Validator
from ...tables.grid import Grid

FOLDER = Path(__file__).with_name("rows")
PAPERS = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))

_ROWS = Validator(ConfigError, "setting")


@dataclass(frozen=True, slots=True)
class Experiment:
    """A table, figure, equation, section or system of a paper.

    Attributes:
        place: where the paper has it: "Table 5", "section 3.1".
        what: what it measures or defines.
        here: commands that repeat it with what is bundled, in minutes.
        full: commands at the paper's scale, with the paper's data and models.
        cost: what the full commands take.
        ours: our values where they were measured, with the page that has them.
        reason: why it cannot be repeated, or where the repetition differs from print.
    """

    place: str
    what: str
    here: Sequence[str] = ()
    full: Sequence[str] = ()
    cost: str = ""
    ours: str = ""
    reason: str = ""

    @property
    def key(self) -> str:
        """The place as it is typed: "table-5"."""
        return self.place.lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class PaperRows:
    """A paper with its experiments, in the order of the text."""

    name: str
    title: str
    citation: str
    link: str
    rows: tuple[Experiment, ...]

    def find(self, place: str) -> list[Experiment]:
        """The experiments of a place.

        Raises:
            ConfigError: for a place without one.
        """
        rows = [row for row in self.rows if row.key == place.lower().replace(" ", "-")]
        if not rows:
            places = one_of(dict.fromkeys(row.key for row in self.rows))
            raise ConfigError(f"{self.name} has no row '{place}'; valid: {places}")
        return rows

    def grid(self) -> Grid:
        """A row per experiment, with its first command or why there is none."""
        rows = tuple(
            (row.key, row.what, next(iter([*row.here, *row.full]), row.reason)) for row in self.rows
        )
        return Grid(f"{self.title} ({self.citation})", ("place", "what", "command"), (rows,), "", 3)


@cache
def read_paper(name: str) -> PaperRows:
    """A paper by name.

    Raises:
        ConfigError: for an unknown paper.
    """
    if name not in PAPERS:
        raise ConfigError(f"no paper is called '{name}'; valid: {one_of(PAPERS)}")
    path = FOLDER / f"{name}.toml"
    table: Mapping[str, Any] = read_toml(path)
    rows = tuple(
        _ROWS.fill(Experiment, row, where=f"{path} row {number}")
        for number, row in enumerate(table["rows"], 1)
    )
    return PaperRows(name, table["title"], table["citation"], table["link"], rows)
