"""Which layout a file has, by the ending of its name, and its pages."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from ...core.errors import DataError, one_of
from . import jsonl, mediawiki, squad, trec, tsv
from .page import Page


class Reader(Protocol):
    """Reads one layout, in bounded memory where the layout allows it (JSON does not)."""

    def __call__(self, stream: BinaryIO, path: Path) -> Iterator[Page]:
        """The pages of an open file; `path` is for errors."""
        ...


READERS: dict[str, Reader] = {
    ".jsonl": jsonl.read,
    ".tsv": tsv.read,
    ".trec": trec.read,
    ".sgml": trec.read,
    ".json": squad.read,
    ".xml": mediawiki.read,
}
_PACKED = (".bz2", ".gz")


def pages(path: Path, *, told: Callable[[int], None] = lambda done: None) -> Iterator[Page]:
    """The pages of a file, which may be packed (`.bz2`, `.gz`).

    `told` hears, page by page, how many bytes of the file have been read.

    Raises:
        DataError: for another ending, an empty or damaged file, or a docid that holds a blank.
    """
    reader = _reader(path)
    empty = True
    try:
        with path.open("rb") as raw, _unpacked(raw, path) as stream:
            for page in reader(stream, path):
                empty = False
                if not page.page_id or any(map(str.isspace, page.page_id)):
                    raise DataError(f"{path}, {page.where}: docid '{page.page_id}' holds a blank")
                told(raw.tell())
                yield page
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text ({error})") from error
    except (EOFError, zlib.error) as error:
        raise DataError(f"{path} breaks off or is damaged ({error}); get it again") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
    if empty:
        raise DataError(f"{path} is empty; a corpus needs at least one passage")


def bare_name(path: Path) -> str:
    """A file's name without the endings that name its packing and its layout."""
    return Path(path.stem).stem if path.suffix in _PACKED else path.stem


def _reader(path: Path) -> Reader:
    ending = Path(path.stem).suffix if path.suffix in _PACKED else path.suffix
    if ending not in READERS:
        raise DataError(
            f"{path}: no layout is known by the ending '{ending}'; there are: {one_of(READERS)}, "
            "and each may be packed (.bz2, .gz)"
        )
    return READERS[ending]


def _unpacked(raw: BinaryIO, path: Path) -> BinaryIO:
    if path.suffix == ".bz2":
        return cast(BinaryIO, bz2.open(raw))
    return cast(BinaryIO, gzip.open(raw)) if path.suffix == ".gz" else raw
