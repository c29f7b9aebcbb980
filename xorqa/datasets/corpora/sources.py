"""The files of a corpus: those that are named, and those of a folder that have a reader."""

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from urllib.parse import quote

from ...core.errors import DataError, Notice
from ...core.lang import language
from ...core.progress import quantity
from ..documents.document import Skipped
from .document_pages import file_id, with_default_language
from .layouts import bare_name, layout, pages
from .records import Page

_UNKNOWN = "of unknown type"
_EXAMPLES = 5  # of unknown suffixes


@dataclass(frozen=True, slots=True)
class Source:
    """A file, its unique name for docids, and the folder that it was found in, if any."""

    path: Path
    name: str
    folder: Path | None = None


def find_sources(paths: Iterable[Path], *, skipped: Skipped | None = None) -> list[Source]:
    """The files, with folders replaced by their files in order of their paths.

    Hidden files, those without a reader, links out of the folder and special files are skipped; a
    `Notice` counts them, and `skipped` receives the counts.

    Raises:
        DataError: if a folder has no file to read.
    """
    used: set[str] = set()
    sources: list[Source] = []
    for path in paths:
        walked = _walk(path, Skipped() if skipped is None else skipped)
        for source in walked if path.is_dir() else [Source(path, path.name)]:
            name = next(name for name in _names(source) if name and name not in used)
            used.add(name)
            sources.append(replace(source, name=name))
    return sources


def all_pages(
    sources: Sequence[Source],
    *,
    lang: str | None = None,
    encoding: str = "",
    report: Callable[[int], None] = lambda done: None,
    skipped: Skipped | None = None,
) -> Iterator[Page]:
    """Yield the pages of all files; `report` is called with the number of bytes read.

    `lang` and `encoding` are those of the text files, if they are known. A file whose language is
    uncertain is named in a `Notice`. A file of a folder that cannot be read is
    named in a `Notice` and counted in `skipped`, and the next one is read.

    Raises:
        DataError: if a file that was named cannot be read.
        MissingExtraError: if a reader's package is not installed.
    """
    before = 0
    for source in sources:

        def report_file(done: int, before: int = before) -> None:
            report(before + done)

        name = Path(source.name)
        prefix = f"{name.with_name(bare_name(name))}-" if len(sources) > 1 else ""
        try:
            known = bool(lang)
            found = pages(source.path, name=source.name, encoding=encoding, report=report_file)
            for page in found if known else with_default_language(found):
                if not (known or page.lang or page.sure):
                    known = True
                    _note_guess(source, page.default_lang)
                yield replace(page, page_id=prefix + page.page_id) if page.numbered else page
        except DataError as error:
            if source.folder is None:
                raise
            warnings.warn(f"skipped: {error}", Notice, stacklevel=2)
            if skipped is not None:
                skipped.add("unreadable file")
        before += file_size(source.path)


def _note_guess(source: Source, lang: str) -> None:
    message = (
        f"{source.path}: the language is uncertain; assumed {language(lang).name}; name it with "
        f"lang (--lang {lang})"
    )
    warnings.warn(Notice(message, kind="uncertain language"), stacklevel=2)


def file_size(path: Path) -> int:
    """The size of a file in bytes.

    Raises:
        DataError: if it cannot be read.
    """
    try:
        return path.stat().st_size
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error


def _names(source: Source) -> Iterator[str]:
    """Names for docids, the most readable first."""
    quoted = quote(os.fsencode(source.name))
    folder = (source.folder or source.path.parent).resolve().name
    yield from (file_id(source.name), quoted, file_id(f"{folder}/{source.name}"))
    yield from (f"{quoted}~{number}" for number in count(2))


def _walk(folder: Path, counts: Skipped) -> Iterator[Source]:
    skipped: Counter[str] = Counter()
    suffixes: set[str] = set()
    empty = True
    for path in _files(folder, skipped):
        if reason := _reason(path, folder):
            skipped[reason] += 1
            if reason == _UNKNOWN:
                suffixes.add(path.suffix or path.name)
            continue
        empty = False
        yield Source(path, path.relative_to(folder).as_posix(), folder)
    for reason, number in skipped.items():
        if number:
            counts.add(f"file ({reason})", count=number)
    if skipped.total():
        warnings.warn(_summary(folder, skipped, suffixes), Notice, stacklevel=2)
    if empty:
        raise DataError(f"{folder} has no file that can be read as passages or documents")


def _files(folder: Path, skipped: Counter[str]) -> Iterator[Path]:
    """All files below a folder, sorted, except those in hidden folders."""

    def report(error: OSError) -> None:
        message = f"skipped: {error.filename} cannot be read: {error.strerror}"
        warnings.warn(message, Notice, stacklevel=2)

    for root, folders, files in os.walk(folder, onerror=report):
        hidden = [name for name in folders if _is_hidden(name)]
        links = [name for name in folders if name not in hidden and Path(root, name).is_symlink()]
        skipped.update({"hidden": len(hidden), "behind a link": len(links)})
        folders[:] = sorted(set(folders) - {*hidden, *links})
        yield from (Path(root, name) for name in sorted(files))


def _reason(path: Path, folder: Path) -> str:
    """Why a file is skipped, or ""."""
    if _is_hidden(path.name):
        return "hidden"
    if path.is_symlink() and not _real(path).is_relative_to(_real(folder)):
        return "behind a link"
    if not layout(path):
        return _UNKNOWN
    return "" if path.is_file() else "not regular"


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # unlike `resolve`, also for a loop of links


def _is_hidden(name: str) -> bool:
    """Hidden, a lock file of an office program, or the partial output of `corpus make`."""
    return name.startswith((".", "~$")) or name.endswith(".jsonl.part")


def _summary(folder: Path, skipped: Counter[str], suffixes: set[str]) -> str:
    examples = f" ({', '.join(sorted(suffixes)[:_EXAMPLES])})"
    reasons = (
        f"{number} {reason}{examples if reason == _UNKNOWN else ''}"
        for reason, number in sorted(skipped.items())
        if number
    )
    return f"{folder}: skipped {quantity(skipped.total(), 'file')}: {', '.join(reasons)}"
