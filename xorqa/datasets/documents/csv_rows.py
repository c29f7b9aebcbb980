"""CSV: a document whose sections are the rows; the first row names the columns."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import zip_longest
from pathlib import Path

from ...core.errors import DataError
from ...core.lang import ISO_639_1, unknown_language
from .document import Document, Section, one_line
from .encoding import decode

_DELIMITERS = ",;\t|"


def read(data: bytes, path: Path) -> Document:
    """A section per row: its column `text`, or else every cell with its column's name.

    With a column `text`, the columns `title` and `lang` are read as well. Columns are separated
    by the most frequent of comma, semicolon, tab and vertical bar in the first row. Rows are
    numbered as spreadsheets do, so the first one below the names is `row2`.

    Raises:
        DataError: if it is not text, or naming a line or row that cannot be read.
    """
    text = decode(data, path)
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    return Document("", _sections(text, delimiter, path))


def _sections(text: str, delimiter: str, path: Path) -> Iterator[Section]:
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = [one_line(name) for name in next(rows, [])]
        for number, row in enumerate(rows, 2):
            if any(map(str.strip, row)):
                yield _section(f"row{number}", names, [one_line(cell) for cell in row], path)
    except csv.Error as error:
        raise DataError(f"{path}, line {rows.line_num}: {error}") from error


def _section(ref: str, names: Sequence[str], row: Sequence[str], path: Path) -> Section:
    columns = [name.lower() for name in names]
    if "text" not in columns:
        named = zip_longest(names, row, fillvalue="")
        cells = (f"{name}: {cell}" if name else cell for name, cell in named if cell)
        return Section(ref, tuple(cells))
    cells_of = dict(zip(columns, row, strict=False))
    lang = cells_of.get("lang", "")
    if lang and lang not in ISO_639_1:
        raise DataError(f"{path}, {ref}: {unknown_language(lang)}")
    return Section(ref, (cells_of.get("text", ""),), cells_of.get("title", ""), lang)
