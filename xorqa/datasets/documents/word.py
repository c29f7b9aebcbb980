"""DOCX, read with python-docx: sections by heading."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...core.named import require
from .archive import open_archive
from .document import Block, Document, one_line, only_top_heading, sections

_HEADING = re.compile(r"Heading ([1-9])")
_NO_TITLE = "Word Document"  # python-docx's, for files without a title


def read_word(data: bytes, path: Path) -> Document:
    """Paragraphs and the rows of tables; the title is the metadata's, or the only top heading.

    Raises:
        DataError: if it is damaged or encrypted.
        MissingExtraError: if python-docx is not installed.
    """
    docx = require("docx", extra="docs")
    try:
        open_archive(data).close()
        document = docx.Document(BytesIO(data))
        blocks = list(_blocks(document))
        title = one_line(document.core_properties.title or "").replace(_NO_TITLE, "")
    except Exception as error:  # of any kind, in a damaged file
        raise DataError(
            f"{path}: not a valid DOCX ({type(error).__name__}: {error}); open and save it again, "
            "without a password"
        ) from error
    return Document(title or only_top_heading(blocks), sections(blocks))


def _blocks(document: Any) -> Iterator[Block]:
    for item in document.iter_inner_content():
        if not hasattr(item, "rows"):
            yield from _paragraph(item)
            continue
        for row in item.rows:
            cells = {cell._tc: one_line(cell.text) for cell in row.cells}  # merged cells recur
            if text := " | ".join(filter(None, cells.values())):
                yield Block(text)


def _paragraph(paragraph: Any) -> Iterator[Block]:
    if text := one_line(paragraph.text):
        name = str(paragraph.style.name or "") if paragraph.style is not None else ""
        match = _HEADING.fullmatch(name)
        yield Block(text, int(match[1]) if match else int(name == "Title"))
