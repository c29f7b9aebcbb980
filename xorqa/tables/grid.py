"""Tables of scores, cells as plain strings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..metrics.report import Report

WIDEST = 9  # columns of scores that fit a terminal or a page
MISSING = "–"

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of plain strings.

    `rows` come in groups with a rule between them. The first `labels` columns are text, the
    others numbers. `caption` says what decides the numbers.
    """

    title: str
    header: Row
    rows: tuple[tuple[Row, ...], ...]
    caption: str = ""
    labels: int = 1

    @property
    def readable(self) -> list[list[Row]]:
        """The groups, a first cell left empty where it repeats the one above it."""
        return [
            [
                ("", *row[1:]) if at and row[0] == group[at - 1][0] else row
                for at, row in enumerate(group)
            ]
            for group in self.rows
        ]


def score_grid(
    title: str,
    reports: Mapping[str, Report],
    *,
    first: str = "system",
    digits: int = 1,
    counts: bool = False,
) -> Grid:
    """One task's reports: a row a system and metric, a column a language, the macro last.

    With more than `WIDEST` columns of scores, languages become the rows. What a report does
    not have is a dash. The caption names the scorers with their signatures. With `counts` each
    cell says in brackets over how many questions it is.
    """
    langs = dict.fromkeys(lang for report in reports.values() for lang in report.per_lang)
    groups = tuple(
        tuple(
            (name, metric, *_cells(report, metric, langs, digits, counts))
            for metric in report.metrics
        )
        for name, report in reports.items()
    )
    header = (first, "metric", *langs, "macro")
    grid = Grid(title, header, groups, _caption(reports), labels=2)
    return grid if len(langs) + 1 <= WIDEST else _turned(grid)


def _cells(
    report: Report, metric: str, langs: Iterable[str], digits: int, counts: bool
) -> list[str]:
    columns = [(report.per_lang.get(lang, {}), report.n.get(lang, 0)) for lang in langs]
    columns.append((report.macro, sum(report.n.values())))
    return [
        f"{means[metric]:.{digits}f}{f' ({n})' if counts else ''}" if means else MISSING
        for means, n in columns
    ]


def _caption(reports: Mapping[str, Report]) -> str:
    scorers = {
        name: f"{report.task} ({', '.join(filter(None, (report.scorer, report.signature)))})"
        for name, report in reports.items()
    }
    if len(set(scorers.values())) == 1:
        return f"Percent. Scorer: {next(iter(scorers.values()))}."
    return f"Percent. Scorers: {'; '.join(map(': '.join, scorers.items()))}."


def _turned(grid: Grid) -> Grid:
    """The same scores, a row a language."""
    systems = [row for group in grid.rows for row in group]
    header = ("language", *(f"{metric}\n{name}" for name, metric, *_ in systems))
    rows = zip(grid.header[2:], *(row[2:] for row in systems), strict=True)
    return replace(grid, header=header, rows=(tuple(rows),), labels=1)
