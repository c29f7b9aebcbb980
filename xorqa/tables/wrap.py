"""A table that is wider than the terminal as several that are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from rich.cells import cell_len

from .grid import Grid, Row

RULE = 3  # what a column takes beside its text


def fold(grid: Grid, width: int) -> list[Grid]:
    """The same table in parts: each repeats the label columns, the last has the caption.

    A part holds one column of numbers at least, be it too wide or not.
    """
    sizes = [
        max(map(_width, column)) + RULE
        for column in zip(grid.header, *chain(*grid.rows), strict=True)
    ]
    labels = list(range(grid.labels))
    parts, room = [labels.copy()], width - 1 - sum(sizes[: grid.labels])
    left = room
    for at in range(grid.labels, len(sizes)):
        if sizes[at] > left and len(parts[-1]) > grid.labels:
            parts.append(labels.copy())
            left = room
        parts[-1].append(at)
        left -= sizes[at]
    folded = [_part(grid, columns) for columns in parts]
    return [*(replace(part, caption="") for part in folded[:-1]), folded[-1]]


def _part(grid: Grid, columns: Sequence[int]) -> Grid:
    def pick(row: Row) -> Row:
        return tuple(row[at] for at in columns)

    rows = tuple(tuple(map(pick, group)) for group in grid.rows)
    return replace(grid, header=pick(grid.header), rows=rows)


def _width(cell: str) -> int:
    return max(map(cell_len, cell.splitlines()), default=0)
