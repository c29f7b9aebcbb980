"""Rows of delimited text: which character separates the cells, and quotes that have no end."""

import csv
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ...core.errors import Notice
from ...core.progress import quantity

DELIMITERS = ",;\t|"
_SAMPLE = 50  # lines to choose the delimiter by
_LONGEST = 2_000  # lines of a cell
_LARGEST = 2**31 - 1  # characters of a cell


class Row(NamedTuple):
    """The cells; `line` is the number of its first line. `odd` if a quote in it is unbalanced."""

    cells: list[str]
    line: int
    odd: bool


def rows(lines: Iterable[str], delimiter: str) -> Iterator[Row]:
    """Yield the rows of lines, which keep their ends.

    A quote that is never closed, or not at the end of its cell, merges no rows: its row is that one
    line, whose quotes are text if that gives as many cells as the first row has.
    """
    csv.field_size_limit(_LARGEST)
    ahead: deque[str] = deque()
    source = iter(lines)
    number, width = 1, 0
    while line := ahead.popleft() if ahead else next(source, ""):
        taken = [line]
        cells = _parsed(line, delimiter)
        while cells is None and len(taken) < _LONGEST:
            if not (more := ahead.popleft() if ahead else next(source, "")):
                break
            taken.append(more)
            cells = _parsed("".join(taken), delimiter) if '"' in more else None
        odd = not cells
        if not cells:
            ahead.extendleft(reversed(taken[1:]))
            del taken[1:]
            cells = _odd_cells(line.rstrip("\r\n"), delimiter, width)
        yield Row(cells, number, odd)
        number += len(taken)
        width = width or len(cells)


def _parsed(text: str, delimiter: str) -> list[str] | None:
    """The cells of a row; None if a quote is still open, [] if one is closed inside a cell."""
    if '"' not in text:
        return text.rstrip("\r\n").split(delimiter)
    lines: Iterable[str] = StringIO(text, newline="") if "\n" in text[:-1] else (text,)
    try:
        parsed = list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return None if "end of data" in str(error) else []
    return parsed[0] if len(parsed) == 1 else []


def _odd_cells(line: str, delimiter: str, width: int) -> list[str]:
    literal = line.split(delimiter)
    try:
        lenient = next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return literal
    return lenient if len(literal) != width == len(lenient) else literal


def delimiter_of(lines: Iterable[str]) -> str:
    """The delimiter by which most of the first rows have as many cells as the first of them."""
    sample = list(islice(filter(str.strip, lines), _SAMPLE))

    def agreement(delimiter: str) -> tuple[float, int]:
        widths = [len(row.cells) for row in rows(sample, delimiter)] or [1]
        return (widths.count(widths[0]) / len(widths) if widths[0] > 1 else 0.0), widths[0]

    return max(DELIMITERS, key=agreement)


def warn_odd(path: Path, lines: Sequence[int]) -> None:
    """Report rows with unbalanced quotes in one `Notice`."""
    message = (
        f"{path}, line {lines[0]}: a quote has no end, or none at the end of its cell; "
        f"{quantity(len(lines), 'such row')}, each read as one line"
    )
    kind = "row with unbalanced quotes"
    warnings.warn(Notice(message, kind=kind, count=len(lines)), stacklevel=2)
