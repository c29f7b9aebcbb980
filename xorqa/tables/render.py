"""Tables in the forms that papers, pages and spreadsheets take."""

from __future__ import annotations

import csv
import io
import re
from html import escape

from ..core.errors import ConfigError, one_of
from .grid import Grid, Row


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
