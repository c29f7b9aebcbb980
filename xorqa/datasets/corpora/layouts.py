"""Read the pages of a file in the layout of its suffix."""

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol

from ...core.devices import is_named_pipe
from ...core.errors import DataError, one_of
from ...core.lang import ISO_639_1, code_of, unknown_language
from ...io.encodings import PACKED, as_utf8, recoded, unpacked
from ..documents.document import DocumentReader
from ..documents.html_text import read_html
from ..documents.pdf import read_pdf
from ..documents.text_files import read_csv, read_markdown, read_plain_text
from ..documents.word import read_word
from .bounded import bounded, next_record
from .document_pages import document_pages, file_id
from .mediawiki import read_dump
from .records import Page, jsonl_pages, squad_pages, trec_pages, tsv_pages


class PageReader(Protocol):
    """Reads one layout, in bounded memory where the layout allows it (JSON does not)."""

    def __call__(self, stream: BinaryIO, path: Path) -> Iterator[Page]:
        """Yield the pages of an open file; `path` is for errors."""
        ...


RECORDS: dict[str, PageReader] = {
    ".jsonl": jsonl_pages,
    ".tsv": tsv_pages,
    ".trec": trec_pages,
    ".sgml": trec_pages,
    ".json": squad_pages,
    ".xml": read_dump,
}
DOCUMENTS: dict[str, DocumentReader] = {
    ".txt": read_plain_text,
    ".text": read_plain_text,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".csv": read_csv,
    ".pdf": read_pdf,
    ".docx": read_word,
}
_PART = re.compile(r"(?<=\.xml)-p\d+p\d+$")  # of a dump: pages-articles1.xml-p1p41242.bz2
_BINARY = (".pdf", ".docx", ".xml")  # XML declares its encoding itself


def pages(
    path: Path,
    *,
    name: str = "",
    encoding: str = "",
    report: Callable[[int], None] = lambda done: None,
) -> Iterator[Page]:
    """Yield the pages of a file, which may be compressed (`.bz2`, `.gz`).

    `encoding` is that of a text file, if it is known. `name` is a document's part of the docids,
    by default the file's name. `report` is called for every page with the number of bytes read.

    Raises:
        DataError: for another suffix, an empty or damaged file, a docid with a space, or an
            unknown language.
        MissingExtraError: if the reader's package is not installed.
    """
    if is_named_pipe(path):
        raise DataError(f"{path} is a pipe, which may never be written to; name a file")
    try:
        with path.open("rb") as raw, unpacked(raw, path) as stream:
            limited = bounded(
                stream,
                path,
                suffix := layout(path),
                by_record=suffix in RECORDS and suffix != ".json",
                packed=path.suffix.lower() in PACKED,
            )
            for page in pages_of(limited, path, name=name, encoding=encoding):
                report(path.stat().st_size if raw.closed else raw.tell())  # closed: read whole
                yield page
                next_record(limited)
    except (EOFError, zlib.error) as error:
        raise DataError(f"{path} is truncated or damaged ({error}); download it again") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error


def pages_of(stream: BinaryIO, path: Path, *, name: str = "", encoding: str = "") -> Iterator[Page]:
    """Yield the pages of an open file in the layout of the suffix of `path`; see `pages`."""
    empty = True
    suffix = layout(path)
    try:
        if suffix in RECORDS and suffix not in _BINARY:
            stream = as_utf8(stream, path, encoding)
        elif encoding and suffix not in _BINARY:
            stream = recoded(stream, path, encoding)
        for page in _reader(path, name or file_id(path.name))(stream, path):
            empty = False
            if not page.page_id or any(map(str.isspace, page.page_id)):
                raise DataError(
                    f"{path}, {page.where}: docid '{page.page_id}' is empty or has a space"
                )
            yield _in_known_language(page, path)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not UTF-8 text ({error}); name its encoding: "
            f"xorqa corpus make {path} --encoding NAME ..."
        ) from error
    if empty:
        raise DataError(f"{path} is empty; a corpus needs at least one passage")


def _in_known_language(page: Page, path: Path) -> Page:
    """The page with the ISO 639-1 code of its language, if it has one."""
    if not page.lang or page.lang in ISO_639_1:
        return page
    if not (code := code_of(page.lang)):
        raise DataError(f"{path}, {page.where}: {unknown_language(page.lang)}")
    return replace(page, lang=code)


def bare_name(path: Path) -> str:
    """A file's name without the suffixes of its compression and layout."""
    return Path(path.stem).stem if path.suffix.lower() in PACKED else path.stem


def layout(path: Path) -> str:
    """The suffix that selects a file's reader, or "" if there is none."""
    suffix = _suffix(path)
    return suffix if suffix in RECORDS or suffix in DOCUMENTS else ""


def _suffix(path: Path) -> str:
    name = path.stem if path.suffix.lower() in PACKED else path.name
    return Path(_PART.sub("", name)).suffix.lower()


def _reader(path: Path, name: str) -> PageReader:
    suffix = layout(path)
    if suffix in DOCUMENTS:
        return partial(document_pages, DOCUMENTS[suffix], name=name)
    if not suffix:
        raise DataError(
            f"{path}: no layout has the suffix '{_suffix(path)}'; valid: "
            f"{one_of([*RECORDS, *DOCUMENTS])}, each may be compressed (.bz2, .gz)"
        )
    return RECORDS[suffix]
