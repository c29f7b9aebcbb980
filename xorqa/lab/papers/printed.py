"""The tables of the papers as they are printed, with runs beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...core.config import read_toml
from ...core.errors import ConfigError, one_of
from ...core.lang import ISO_639_1
from ...core.validation import Validator
from ...metrics.registry import find_measure
from ...tables.grid import MISSING, Grid

FOLDER = Path(__file__).with_name("printed")
MEAN = "mean"
"""The key of the mean over languages, beside the codes of languages."""
MEANS = ("all", "av.", "avg", "avg.", "mean")
MATRICES = ("gxlt", "lengths", "sizes", "shared")
"""Parts of results whose tables are printed once more for each run."""
DOUBTFUL = "(!)"
"""After a printed value that contradicts another one of the same paper."""

Measured = Mapping[str, Mapping[str, float]]
"""Language or `MEAN` to measure to value, in percent."""

_TABLE = Validator(ConfigError, "setting")


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of a paper; each row is a line of `rows`, its cells separated by a bar.

    Attributes:
        title: what its values are.
        header: the names of the columns.
        rows: as printed; `DOUBTFUL` marks values that contradict others, see `notes`.
        labels: the columns of text before the values.
        task: whose scores the values are; "" for counts and settings.
        measures: of the values, by name; a run gets a row or a column for each.
        part: where else values are in a run's results: "gxlt" (a matrix of context and question),
            "lengths" or "sizes" (rows are measures), "squad" or "pools" (columns are data);
            "buckets" (of predictions, see `table_25`); "shared" (of data, see `table_3`);
            "correlation" or "pairs" (of `backretrieval`, see `alignment`).
        joined: a cell has all measures: "77.7 / 65.2".
        shares: values are shares of 1 with two decimals, not percent.
        data: the questions.
        notes: what contradicts what, or what the paper leaves open.
    """

    title: str
    header: str
    rows: str
    labels: int = 1
    task: str = ""
    measures: Sequence[str] = ()
    part: str = ""
    joined: bool = False
    shares: bool = False
    data: str = ""
    notes: Sequence[str] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return _cells(self.header)

    @property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """The cells of each row."""
        width = len(self.columns)
        return tuple((*cells, *[""] * (width - len(cells))) for cells in map(_cells, self._lines))

    def row(self, label: str) -> Mapping[str, str]:
        """Column to cell of the row whose labels, empty ones left out, are joined by bars.

        Raises:
            ConfigError: unless there is one such row.
        """
        labels = [" | ".join(filter(None, line[: self.labels])) for line in self.lines]
        if labels.count(label) != 1:
            raise ConfigError(f"'{self.title}' has no row '{label}'; valid: {one_of(labels)}")
        cells = self.lines[labels.index(label)]
        return dict(zip(self.columns[self.labels :], cells[self.labels :], strict=True))

    def column(self, name: str) -> Mapping[str, str]:
        """Label of the row to cell of a column.

        Raises:
            ConfigError: for an unknown column.
        """
        if name not in self.columns:
            columns = one_of(self.columns)
            raise ConfigError(f"'{self.title}' has no column '{name}'; valid: {columns}")
        place = self.columns.index(name)
        return {line[0]: line[place] for line in self.lines}

    @property
    def by_row(self) -> bool:
        """Whether a system is a row, with a column for each language."""
        return bool(self.part) or any(self._key(column) for column in self.columns[self.labels :])

    @property
    def _lines(self) -> list[str]:
        return self.rows.strip().splitlines()

    def grid(self, title: str, runs: Mapping[str, Measured], about: Sequence[str] = ()) -> Grid:
        """The printed values and those of runs, as rows or as columns, whichever systems are.

        The caption has the sentences `about` the runs, too.
        """
        lines = [tuple(cell or MISSING for cell in line) for line in self.lines]
        caption = " ".join([*([self.data + "."] if self.data else []), *self.notes, *about])
        groups, columns = [tuple(lines)], self.columns
        if runs and self.part in MATRICES:
            groups += [self._matrix(name, values) for name, values in runs.items()]
        elif runs and self.by_row:
            groups.append(tuple(self._row(name, values) for name, values in runs.items()))
        elif runs:
            added = [(name, measure) for name in runs for measure in self.measures]
            many = len(self.measures) > 1
            columns += tuple(
                f"{name} {find_measure(measure).title}" if many else name for name, measure in added
            )
            groups = [
                tuple(
                    (*line, *(self._value(runs[name], line[0], measure) for name, measure in added))
                    for line in lines
                )
            ]
        return Grid(
            f"{title}: {self.title}",
            columns,
            tuple(groups),
            caption,
            labels=self.labels,
            fixed=True,
        )

    def _matrix(self, name: str, values: Measured) -> tuple[tuple[str, ...], ...]:
        """The table once more, with a run's values: each row is named by the run, too."""
        return tuple(
            (
                f"{name} {(label := line[0]).partition(' (')[0]}",
                *(self._inside(values, label, column) for column in self.columns[1:]),
            )
            for line in self.lines
        )

    def _inside(self, values: Measured, row: str, column: str) -> str:
        if self.part in ("gxlt", "shared"):
            found = values.get(f"{row}-{column}", {}).get(self.measures[0])
        else:
            found = next((v for k, v in values.get(column, {}).items() if k in row), None)
        return self._shown(found)

    def _shown(self, value: float | None) -> str:
        if value is None:
            return MISSING
        if self.part in ("sizes", "shared"):
            return f"{value:.0f}"
        return f"{value / 100:.2f}" if self.shares else f"{value:.1f}"

    def _row(self, name: str, values: Measured) -> tuple[str, ...]:
        labels = (name, *[""] * (self.labels - 1))
        columns = self.columns[self.labels :]
        return (*labels, *(self._value(values, column) for column in columns))

    def _value(self, values: Measured, cell: str, measure: str = "") -> str:
        """A run's value at the language, the data or the measure that a cell names."""
        named = (cell.lower(), self.measures[0]) if cell.lower() in values else self._key(cell)
        if named is None:
            return MISSING
        key, own = named
        found = values.get(key, {})
        if self.joined and found:
            return " / ".join(self._shown(found.get(name)) for name in self.measures)
        return self._shown(found.get(measure or own))

    def _key(self, cell: str) -> tuple[str, str] | None:
        """The language, or `MEAN`, and the measure that a cell names."""
        if not self.measures:
            return None
        text = cell.lower()
        if text in ISO_639_1:
            return text, self.measures[0]
        if text in MEANS:
            return MEAN, self.measures[0]
        named = [name for name in self.measures if find_measure(name).title.lower() == text]
        return (MEAN, named[0]) if named else None


@cache
def printed_tables(paper: str) -> Mapping[str, PrintedTable]:
    """The tables of a paper by their places, such as "table-5"."""
    path = FOLDER / f"{paper}.toml"
    return {
        place: _TABLE.fill(PrintedTable, table, where=f"{path} {place}")
        for place, table in read_toml(path).items()
    }


def printed_table(paper: str, place: str) -> PrintedTable:
    """A table of a paper.

    Raises:
        ConfigError: for a place of which no table is here.
    """
    tables = printed_tables(paper)
    if place not in tables:
        raise ConfigError(f"{paper} has no printed table '{place}'; valid: {one_of(tables)}")
    return tables[place]


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.split("|"))
