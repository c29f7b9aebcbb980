"""PDF, read with pypdf: a section per page."""

import logging
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from ...core.errors import DataError, XorqaError
from ...core.named import require
from .document import Document, Section, Skipped, one_line, paragraphs

_LEADERS = re.compile(r"(?:[ \t]?\.){4,}[ \t]?")  # the dots of a table of contents
_NO_TITLE = re.compile(r"^(Microsoft \w+ - |untitled)|\.\w{2,4}$", re.IGNORECASE)


def read_pdf(data: bytes, path: Path) -> Document:
    """Sections `p1`, `p2`, ...; words that are hyphenated at line ends are joined.

    Raises:
        DataError: if it is damaged, encrypted, or has no text.
        MissingExtraError: if pypdf is not installed.
    """
    pypdf = require("pypdf", extra="docs")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every deviation from PDF
    try:
        reader = pypdf.PdfReader(BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
    except Exception as error:  # of any kind, in a damaged file
        raise _damaged(path, error) from error
    if locked:
        raise DataError(f"{path} is encrypted; save it without a password")
    skipped = Skipped()
    return Document(_title(reader), _sections(reader, path, skipped), skipped)


def _sections(reader: Any, path: Path, skipped: Skipped) -> Iterator[Section]:
    empty = True
    number = 0
    try:
        for number, page in enumerate(reader.pages, 1):
            text = _LEADERS.sub(" … ", page.extract_text())
            if lines := paragraphs(text, hyphenated=True):
                empty = False
                yield Section(f"p{number}", lines)
            else:
                skipped.add("page without text")
    except Exception as error:
        raise _damaged(path, error, number) from error
    if empty:
        raise DataError(f"{path} has no text; if it is scanned, recognise its text (OCR) first")


def _title(reader: Any) -> str:
    """The title of the metadata, unless it is a file name."""
    try:
        title = one_line(str(reader.metadata.title or "")) if reader.metadata else ""
    except Exception:
        return ""
    return "" if _NO_TITLE.search(title) else title


def _damaged(path: Path, error: Exception, page: int = 0) -> XorqaError:
    where = f", page {page}" if page else ""
    return DataError(f"{path}{where}: not a valid PDF ({type(error).__name__}: {error})")
