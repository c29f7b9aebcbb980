"""Documents in text files: plain text, Markdown (CommonMark with tables, read as HTML) and CSV."""

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import zip_longest
from pathlib import Path

from ...core.errors import DataError
from ...core.lang import code_of, unknown_language
from ...io.encodings import decode
from .delimited import delimiter_of, rows, warn_odd
from .document import Document, Section, Skipped, one_line, paragraphs
from .html_text import document_of


def read_plain_text(data: bytes, path: Path) -> Document:
    """A section with all paragraphs, which blank lines separate.

    Raises:
        DataError: if it is not text.
    """
    text = decode(data, path)
    return Document("", iter([Section("", paragraphs(text))]))


_SEPARATOR = re.compile(r"\"?sep=(.)\"?[ ,;\t|]*\r?\n", re.IGNORECASE)  # as Excel writes it
_READ = {"text", "title", "lang"}
_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)


def read_markdown(data: bytes, path: Path) -> Document:
    """Sections by heading; the title is that of the front matter, or the only top heading.

    Raises:
        DataError: if it is not text.
    """
    from markdown_it import MarkdownIt

    text = decode(data, path).replace("\r\n", "\n")
    front = _FRONT_MATTER.match(text)
    named = _TITLE.search(front[1]) if front else None
    html = MarkdownIt("commonmark").enable("table").render(text[front.end() if front else 0 :])
    return document_of(html, one_line(named[1]) if named else "")


def read_csv(data: bytes, path: Path) -> Document:
    """A section per row: its column `text`, or else every cell with its column's name.

    With a column `text`, the columns `title` and `lang` are read as well. Columns are separated
    by the character that a first line `sep=;` names, or by the one of comma, semicolon, tab and
    vertical bar that divides the first rows most evenly. Rows are numbered as spreadsheets do, so
    the first one below the names is `row2`. A `Notice` reports unbalanced quotes.

    Raises:
        DataError: if it is not text, or naming a row that cannot be read.
    """
    text = decode(data, path)
    if named := _SEPARATOR.match(text):
        text = text[named.end() :]
    delimiter = named[1] if named else delimiter_of(StringIO(text, newline=""))
    skipped = Skipped()
    return Document("", _sections(text, delimiter, path, skipped), skipped)


def _sections(text: str, delimiter: str, path: Path, skipped: Skipped) -> Iterator[Section]:
    names: list[str] = []
    odd: list[int] = []
    for number, row in enumerate(rows(StringIO(text, newline=""), delimiter), 1):
        odd += [row.line] if row.odd else []
        parts = row.cells if len(names) != 1 else [delimiter.join(row.cells)]  # "text" alone
        cells = [one_line(cell) for cell in parts]
        if not names:  # blank lines may precede them
            names = cells if any(cells) else []
        elif any(cells):
            yield _section(f"row{number}", names, cells, path, skipped)
    if odd:
        warn_odd(path, odd)


def _section(
    ref: str, names: Sequence[str], row: Sequence[str], path: Path, skipped: Skipped
) -> Section:
    columns = [name.lower() for name in names]
    if "text" not in columns:
        named = zip_longest(names, row, fillvalue="")
        cells = (f"{name}: {cell}" if name else cell for name, cell in named if cell)
        return Section(ref, tuple(cells))
    cells_of = dict(zip(columns, row, strict=False))
    others = [cell for name, cell in cells_of.items() if name not in _READ] + [*row[len(columns) :]]
    for cell in filter(None, others):
        skipped.add("cell of another column", cell)
    lang = cells_of.get("lang", "")
    if lang and not code_of(lang):
        raise DataError(f"{path}, {ref}: {unknown_language(lang)}")
    return Section(ref, (cells_of.get("text", ""),), cells_of.get("title", ""), lang)
