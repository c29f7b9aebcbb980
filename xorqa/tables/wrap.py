"""A table that is wider than the terminal, as several that fit."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from rich.cells import cell_len

from .grid import Grid, Row

COLUMN_PADDING = 3


def wrap(grid: Grid, width: int) -> list[Grid]:
    """Split a table by columns; every part repeats the label columns, the last has the caption.

    Each part has at least one column of numbers, even if it is too wide.
    """
    widths = [
        max(map(_width, column)) + COLUMN_PADDING
        for column in zip(grid.header, *chain(*grid.rows), strict=True)
    ]
    labels = list(range(grid.labels))
    parts, available = [labels.copy()], width - 1 - sum(widths[: grid.labels])
    left = available
    for at in range(grid.labels, len(widths)):
        if widths[at] > left and len(parts[-1]) > grid.labels:
            parts.append(labels.copy())
            left = available
        parts[-1].append(at)
        left -= widths[at]
    *first, last = (_columns(grid, columns) for columns in parts)
    return [*(replace(part, caption="") for part in first), last]


def _columns(grid: Grid, at: Sequence[int]) -> Grid:
    def pick(row: Row) -> Row:
        return tuple(row[column] for column in at)

    rows = tuple(tuple(map(pick, group)) for group in grid.rows)
    return replace(grid, header=pick(grid.header), rows=rows)


def _width(cell: str) -> int:
    return max(map(cell_len, cell.splitlines()), default=0)
