"""Fit a table to the width of the terminal: wrap it, transpose it, or print it without padding."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from rich.cells import cell_len

from .grid import Grid, Row, transposed

PADDING, COMPACT_PADDING = 3, 1  # of a column, with its border
LONGEST_LABEL = 16
"""The minimum width of a label column, even if one of its words is longer."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A table as it is printed.

    Attributes:
        widths: of the columns, without padding.
        compact: whether the columns are printed without padding.
        left_out: the names of the columns that do not fit.
    """

    grid: Grid
    widths: tuple[int, ...]
    compact: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """The width of the table with its borders."""
        padding = COMPACT_PADDING if self.compact else PADDING
        return 1 + sum(self.widths) + padding * len(self.widths)

    @property
    def missing(self) -> float:
        """The share of columns that are left out."""
        return len(self.left_out) / (len(self.left_out) + len(self.widths))


def natural(grid: Grid) -> Layout:
    """The layout of a table at its full width."""
    return Layout(grid, tuple(map(_natural, _columns(grid))))


def fit(grid: Grid, width: int) -> Layout:
    """The layout that fits a width and differs least from the full one; numbers are never cut.

    In tables of text, columns are narrowed. In others, labels and column names are wrapped, rows
    and columns are swapped, and padding is removed, in this order; if the table is still too
    wide, its last columns are left out.
    """
    if grid.labels == len(grid.header) or not any(grid.rows):
        return _narrowed(natural(grid), width)
    # each is narrower or less readable than the one before
    wrapped = [_wrapped(grid)] if grid.fixed else [_wrapped(grid), _wrapped(transposed(grid))]
    compact = [replace(layout, compact=True) for layout in wrapped]
    layouts = [natural(grid), *wrapped, *compact]
    for layout in layouts:
        if layout.width <= width:
            return _widened(layout, width)
    cut = [_cut(layout, width) for layout in compact]
    return _widened(min(cut, key=lambda layout: layout.missing), width)


def _wrapped(grid: Grid) -> Layout:
    """The narrowest layout that cuts no number and no column name."""
    widths = [
        min(_natural(column), max(LONGEST_LABEL // 2, *map(_word, column)), LONGEST_LABEL)
        if position < grid.labels
        else max(_word(column[0]), _natural(column[1:]))
        for position, column in enumerate(_columns(grid))
    ]
    return Layout(grid, tuple(widths))


def _widened(layout: Layout, width: int) -> Layout:
    """The layout with the remaining width added to its label columns."""
    columns, widths = _columns(layout.grid), list(layout.widths)
    left = max(0, width - layout.width)
    for position in range(layout.grid.labels):
        more = min(left, _natural(columns[position]) - widths[position])
        widths[position] += more
        left -= more
    return replace(layout, widths=tuple(widths))


def _narrowed(layout: Layout, width: int) -> Layout:
    """The layout with its widest columns narrowed until it fits, if possible."""
    widths = list(layout.widths)
    for _ in range(layout.width - width):
        widest = widths.index(max(widths))
        widths[widest] = max(1, widths[widest] - 1)
    return replace(layout, widths=tuple(widths))


def _cut(layout: Layout, width: int) -> Layout:
    """The layout with the columns that fit, at least one of numbers."""
    grid, count = layout.grid, len(layout.widths)
    while count > grid.labels + 1 and replace(layout, widths=layout.widths[:count]).width > width:
        count -= 1
    rows = tuple(tuple(row[:count] for row in group) for group in grid.rows)
    names = tuple(" ".join(name.split()) for name in grid.header[count:])
    cut = replace(grid, header=grid.header[:count], rows=rows)
    return replace(layout, grid=cut, widths=layout.widths[:count], left_out=names)


def _columns(grid: Grid) -> list[Row]:
    return list(zip(grid.header, *chain(*grid.rows), strict=True))


def _natural(cells: Sequence[str]) -> int:
    return max((cell_len(line) for cell in cells for line in cell.splitlines()), default=0)


def _word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)
