"""Tables as plain text, Markdown, LaTeX, CSV and HTML."""

import re
from html import escape
from itertools import chain, repeat

from rich.cells import cell_len

from ..core.errors import ConfigError, one_of
from ..io.files import csv_text, quote_cell
from .fit import natural
from .grid import Grid, Row


def render(grid: Grid, format: str) -> str:
    """The grid as text that ends with a newline, in one of `FORMATS`.

    LaTeX output needs the package booktabs. CSV repeats the title in each row, so that files can
    be concatenated, has the caption in the first row, and quotes text that a spreadsheet would
    run as a formula.

    Raises:
        ConfigError: for an unknown format.
    """
    if format not in _RENDER:
        raise ConfigError(f"no table format is called '{format}'; valid: {one_of(FORMATS)}")
    return _RENDER[format](grid)


def plain_text(grid: Grid) -> str:
    """The grid in aligned columns, for Python's `print`; it does not end with a newline."""
    widths = natural(grid).widths

    def line(cells: Row) -> str:
        padded = (
            cell + " " * (width - cell_len(cell))
            if position < grid.labels
            else " " * (width - cell_len(cell)) + cell
            for position, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join(padded).rstrip()

    height = max(len(name.splitlines()) for name in grid.header)
    # Names of fewer lines than others stand at the bottom.
    names = [["", *[""] * height, *name.splitlines()][-height:] for name in grid.header]
    header = [line(tuple(lines)) for lines in zip(*names, strict=True)]
    rule = "─" * max(map(len, header))
    groups = ["\n".join(map(line, group)) for group in grid.readable]
    parts = [grid.title, *header, rule, *groups, grid.caption]
    return "\n".join(part for part in parts if part)


def _markdown(grid: Grid) -> str:
    rule = ["---"] * grid.labels + ["---:"] * (len(grid.header) - grid.labels)
    body = [row for group in grid.readable for row in group]
    header, *rows = ([_escape_markdown(cell) for cell in row] for row in (grid.header, *body))
    table = "".join(f"| {' | '.join(row)} |\n" for row in (header, rule, *rows))
    caption = f"\n{_escape_markdown(grid.caption)}\n" if grid.caption else ""
    return f"**{_escape_markdown(grid.title)}**\n\n{table}{caption}"


def _escape_markdown(text: str) -> str:
    return re.sub(r"[\\`*_\[\]<>&|~$]", r"\\\g<0>", " ".join(text.split()))


def _latex(grid: Grid) -> str:
    columns = "l" * grid.labels + "r" * (len(grid.header) - grid.labels)
    groups = ["".join(map(_latex_row, group)) for group in grid.readable]
    stop = "" if grid.title.endswith((".", "?", "!")) else "."
    caption = f"{grid.title}{stop} {grid.caption}"
    return (
        f"\\begin{{table}}\n\\centering\n\\caption{{{_escape_latex(caption)}}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{_latex_row(grid.header)}\\midrule\n"
        + "\\midrule\n".join(groups)
        + "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def _latex_row(row: Row) -> str:
    return f"{' & '.join(map(_latex_cell, row))} \\\\\n"


def _latex_cell(cell: str) -> str:
    lines = [_escape_latex(line) for line in cell.splitlines()]
    return "".join(lines) if len(lines) < 2 else r"\shortstack[r]{" + r" \\ ".join(lines) + "}"


def _escape_latex(text: str) -> str:
    return " ".join(text.split()).translate(_TEX)


_TEX = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",  # other characters in LaTeX's default encoding
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",  # commands after a line break
        "*": "{*}",
    }
)


def _csv(grid: Grid) -> str:
    captions = chain([grid.caption], repeat(""))
    rows = ([*row, grid.title, next(captions)] for group in grid.rows for row in group)
    return csv_text(map(quote_cell, row) for row in ([*grid.header, "table", "caption"], *rows))


def _html(grid: Grid) -> str:
    """An HTML table: browsers detect the text direction of each cell; each group is a `tbody`."""
    bodies = [
        "<tbody>\n" + "".join(_html_row(grid, row, "td") for row in group) + "</tbody>\n"
        for group in grid.readable
    ]
    caption = f"<p><small>{escape(grid.caption)}</small></p>\n" if grid.caption else ""
    return (
        f"<table>\n<caption>{escape(grid.title)}</caption>\n"
        f"<thead>\n{_html_row(grid, grid.header, 'th')}</thead>\n"
        f"{''.join(bodies)}</table>\n{caption}"
    )


def _html_row(grid: Grid, row: Row, tag: str) -> str:
    sides = ("start" if position < grid.labels else "right" for position in range(len(row)))
    cells = (
        f'<{tag} dir="auto" style="text-align: {side}">{escape(text)}</{tag}>'
        for side, text in zip(sides, row, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>\n"


_RENDER = {"markdown": _markdown, "latex": _latex, "csv": _csv, "html": _html}
FORMATS = tuple(_RENDER)
