"""The published rows: the values of papers, taken from their printed tables by reference."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.config import read_toml
from ...core.errors import ConfigError
from ...core.lang import ISO_639_1
from ...core.validation import Validator
from ...metrics.registry import find_measure
from ...metrics.task import OFFICIAL
from ..papers.paper import read_paper
from ..papers.printed import DOUBTFUL, MEANS, printed_table
from .boards import find_board
from .entries import System
from .metadata import as_metadata
from .result import MEAN, Result, valid_values, with_mean

PUBLISHED = Path(__file__).with_name("published")
"""A file per paper, called like it in `xorqa paper`, with a table for each system."""

_SYSTEM = Validator(ConfigError, "field")
_NUMBER = re.compile(r"\d*\.?\d+")
_DIGITS = 6  # of a share in percent: 0.29 is 29


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of a printed table, whose other labels name languages, means or measures.

    Attributes:
        table: its place: "table-5".
        row: the labels of a row, joined by bars; with a column, the one cell is a mean.
        column: the name of a column.
        mean_of: columns whose mean is computed.
        measures: of the values of a cell, such as those of "80.2 / 67.4".
        scale: to percent.
        without: labels whose cells are not taken, since they contradict others.
        doubtful: labels whose cells are taken although they contradict others.
    """

    table: str
    row: str = ""
    column: str = ""
    mean_of: Sequence[str] = ()
    measures: Sequence[str] = ()
    scale: int = 1
    without: Sequence[str] = ()
    doubtful: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PrintedResult:
    """A system's results on one board, as a paper prints them.

    Attributes:
        cells: where the values are.
        data: the questions; by default the board's.
        languages: those that a mean without values by language is over.
        notes: what the paper leaves open or contradicts.
    """

    board: str
    cells: Sequence[Cells]
    data: str = ""
    languages: Sequence[str] = ()
    notes: str = ""


@dataclass(frozen=True, slots=True)
class _Printed:
    """What a system's table has beside its metadata."""

    results: Sequence[PrintedResult]
    human: bool = False


def published_systems(folder: Path = PUBLISHED) -> list[System]:
    """The systems of all papers.

    Raises:
        ConfigError: if a reference leads nowhere, to cells that contradict each other, or to a
            doubtful cell that the reference does not name.
    """
    return [
        _system(path, key, table, read_toml(path)["date"])
        for path in sorted(folder.glob("*.toml"))
        for key, table in read_toml(path).items()
        if isinstance(table, Mapping)
    ]


def _system(path: Path, key: str, table: Mapping[str, Any], date: object) -> System:
    paper, where = read_paper(path.stem), f"{path} {key}"
    own = {name: value for name, value in table.items() if name in ("results", "human")}
    described = {name: value for name, value in table.items() if name not in own}
    source = {"paper": paper.citation, "link": paper.link, "date": date}
    metadata = as_metadata({**source, **described}, where=where)
    printed = _SYSTEM.fill(_Printed, own, where=where)
    results = tuple(read_printed(paper.name, entry, where=where) for entry in printed.results)
    return System(key, metadata, results, human=printed.human)


def read_printed(paper: str, entry: PrintedResult, *, where: str) -> Result:
    """The values of a result's cells, with the mean over languages if none is printed.

    Raises:
        ConfigError: as `published_systems`.
    """
    values: dict[str, dict[str, float]] = {}
    for cells in entry.cells:
        for key, measure, value in _values(paper, cells, where):
            if values.setdefault(key, {}).setdefault(measure, value) != value:
                raise ConfigError(f"{where}: {cells.table} has another {measure} of {key}")
    notes = [entry.notes] if entry.notes else []
    notes += [
        f"Computed: the mean of {', '.join(cells.mean_of)}."
        for cells in entry.cells
        if cells.mean_of
    ]
    if MEAN not in values:
        notes.append("Computed: the mean over languages.")
    board = find_board(entry.board)
    by_scorer = {OFFICIAL: valid_values(with_mean(values), board)}
    title = read_paper(paper).title
    places = dict.fromkeys(read_paper(paper).find(cells.table)[0].place for cells in entry.cells)
    return Result(
        board,
        entry.data or board.data,
        by_scorer,
        table=f"{title}, {', '.join(places)}",
        notes=" ".join(notes),
        stated=tuple(entry.languages),
    )


def _values(paper: str, cells: Cells, where: str) -> Iterator[tuple[str, str, float]]:
    """Language or `MEAN`, measure and percentage."""
    for label, texts in _texts(paper, cells):
        if label in cells.without:
            continue
        doubtful = any(DOUBTFUL in text for text in texts)
        if doubtful != (label in cells.doubtful):
            what = "is doubtful" if doubtful else "is not doubtful"
            raise ConfigError(f"{where}: {cells.table} {label} {what}; name it only if it is")
        numbers = [list(map(float, _NUMBER.findall(text.split("(")[0]))) for text in texts]
        for key, measure, column in _named(label, cells.measures):
            found = [row[column] for row in numbers if column < len(row)]
            if len(found) == len(texts):
                yield key, measure, round(cells.scale * sum(found) / len(texts), _DIGITS)


def _texts(paper: str, cells: Cells) -> Iterator[tuple[str, Sequence[str]]]:
    """Each label with its cells, several if their mean is computed."""
    table = printed_table(paper, cells.table)
    if cells.row and cells.column:
        yield MEAN, (table.row(cells.row)[cells.column],)
    elif cells.row:
        yield from ((label, (text,)) for label, text in table.row(cells.row).items())
    else:
        columns = [table.column(name) for name in cells.mean_of or (cells.column,)]
        yield from ((label, [column[label] for column in columns]) for label in columns[0])


def _named(label: str, measures: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """The language or `MEAN`, the measure and the number's place in the cell that a label names."""
    text = label.lower()
    key = text if text in ISO_639_1 else MEAN if text in MEANS else ""
    for place, name in enumerate(measures):
        if key:
            yield key, name, place
        elif find_measure(name).display_name == label:
            yield MEAN, name, 0
