"""Tables of scores: cells as plain strings, and the forms that papers and spreadsheets take."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape

from ..errors import ConfigError, one_of
from .report import Report

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


def render(grid: Grid, format: str) -> str:
    """The grid as text that ends with a newline, in one of `FORMATS`.

    LaTeX wants the package booktabs. CSV repeats title and caption in each row, so that files
    can be joined.

    Raises:
        ConfigError: if there is no such format.
    """
    if format not in _RENDER:
        raise ConfigError(f"no table format is called '{format}'; there are: {one_of(FORMATS)}")
    return _RENDER[format](grid)


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


def _markdown(grid: Grid) -> str:
    rule = ["---"] * grid.labels + ["---:"] * (len(grid.header) - grid.labels)
    body = [row for group in grid.readable for row in group]
    header, *rows = ([_marked(cell) for cell in row] for row in (grid.header, *body))
    table = "".join(f"| {' | '.join(row)} |\n" for row in (header, rule, *rows))
    caption = f"\n{_marked(grid.caption)}\n" if grid.caption else ""
    return f"**{_marked(grid.title)}**\n\n{table}{caption}"


def _marked(text: str) -> str:
    return re.sub(r"[\\`*_\[\]<>&|~$]", r"\\\g<0>", " ".join(text.split()))


def _latex(grid: Grid) -> str:
    columns = "l" * grid.labels + "r" * (len(grid.header) - grid.labels)
    groups = ["".join(map(_line, group)) for group in grid.readable]
    stop = "" if grid.title.endswith((".", "?", "!")) else "."
    caption = f"{grid.title}{stop} {grid.caption}"
    return (
        f"\\begin{{table}}\n\\centering\n\\caption{{{_escaped(caption)}}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{_line(grid.header)}\\midrule\n"
        + "\\midrule\n".join(groups)
        + "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def _line(row: Row) -> str:
    return f"{' & '.join(map(_stacked, row))} \\\\\n"


def _stacked(cell: str) -> str:
    lines = [_escaped(line) for line in cell.splitlines()]
    return "".join(lines) if len(lines) < 2 else r"\shortstack[r]{" + r" \\ ".join(lines) + "}"


def _escaped(text: str) -> str:
    return " ".join(text.split()).translate(_TEX)


_TEX = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",  # these three are other signs in LaTeX's default encoding
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",  # these two mean something after a line's end
        "*": "{*}",
    }
)


def _csv(grid: Grid) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*grid.header, "table", "caption"])
    writer.writerows([*row, grid.title, grid.caption] for group in grid.rows for row in group)
    return text.getvalue()


def _html(grid: Grid) -> str:
    """Each cell finds its own direction, and each group is a body of its own."""
    bodies = [
        "<tbody>\n" + "".join(_tr(grid, row, "td") for row in group) + "</tbody>\n"
        for group in grid.readable
    ]
    caption = f"<p><small>{escape(grid.caption)}</small></p>\n" if grid.caption else ""
    return (
        f"<table>\n<caption>{escape(grid.title)}</caption>\n"
        f"<thead>\n{_tr(grid, grid.header, 'th')}</thead>\n{''.join(bodies)}</table>\n{caption}"
    )


def _tr(grid: Grid, row: Row, tag: str) -> str:
    sides = ("start" if at < grid.labels else "right" for at in range(len(row)))
    cells = (
        f'<{tag} dir="auto" style="text-align: {side}">{escape(text)}</{tag}>'
        for side, text in zip(sides, row, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>\n"


_RENDER = {"markdown": _markdown, "latex": _latex, "csv": _csv, "html": _html}
FORMATS = tuple(_RENDER)
