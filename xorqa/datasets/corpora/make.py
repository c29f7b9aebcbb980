"""Files of any layout to a corpus of passages, in bounded memory, going on where it was killed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.lang import language
from ...core.processes import map_processes
from ...core.progress import Progress, silent
from .layouts import bare_name, pages
from .page import Page
from .resumable_writer import Counts, ResumableWriter
from .rows import HEADERS, PASSAGES, Lines, lines_of

VERSION = 2
"""Raised whenever the passages change, so that work begun by an older one is not continued."""

_BATCH = 1_000_000  # characters of text handed to a worker at once
_MANY = 2_000  # pages in a batch at most: redirects have no text


def make_corpus(
    files: Sequence[Path],
    out: Path,
    *,
    lang: str,
    size: int = 100,
    workers: int = 0,
    progress: Progress = silent,
) -> Counts:
    """Write `out` (JSONL), and beside it titles and redirects where the files have any.

    Until all is done the files grow in the folder `<out>.part`; called again after a kill, it
    goes on there. `progress` hears bytes read. The files do not depend on `workers`, the number
    of processes that clean and cut (0: this one).

    Raises:
        ConfigError: for an unknown language, if `out` is there already or is no .jsonl.
        DataError: if a file cannot be read to its end, or none has any text.
        XorqaError: if a worker was killed.
    """
    language(lang)
    if out.suffix != f".{PASSAGES}":
        raise ConfigError(f"--out {out}: passages are written as JSONL; its name must say .jsonl")
    if out.exists():
        raise ConfigError(f"{out} is there already; remove it, or give another --out")
    total = sum(map(_bytes, files))
    stamps = [(str(path.resolve()), _bytes(path), path.stat().st_mtime_ns) for path in files]
    growing = ResumableWriter(out, (VERSION, stamps, lang, size), HEADERS)
    with growing:
        found = _all_pages(files, lambda done: progress(done, total))
        work = partial(_work, lang=lang, size=size)
        batches = _batches(islice(found, growing.counts.pages, None))
        for counts, lines in map_processes(work, batches, workers=workers):
            growing.add(lines, counts)
    if not growing.counts.passages:
        raise DataError(f"{', '.join(map(str, files))}: no text in {growing.counts.pages} pages")
    growing.finish(main=PASSAGES)
    progress(total, total)
    return growing.counts


def _work(batch: Sequence[Page], *, lang: str, size: int) -> tuple[Counts, Lines]:
    lines = lines_of(batch, lang=lang, size=size)
    redirects = sum(bool(page.redirect) for page in batch)
    return Counts(len(batch), lines[PASSAGES].count("\n"), redirects), lines


def _all_pages(files: Sequence[Path], told: Callable[[int], None]) -> Iterator[Page]:
    before = 0
    for path in files:

        def here(done: int, before: int = before) -> None:
            told(before + done)

        prefix = f"{bare_name(path)}-" if len(files) > 1 else ""
        for page in pages(path, told=here):
            yield replace(page, page_id=prefix + page.page_id) if page.numbered else page
        before += _bytes(path)


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error


def _batches(some: Iterable[Page]) -> Iterator[list[Page]]:
    batch: list[Page] = []
    filled = 0
    for page in some:
        batch.append(page)
        filled += len(page.text)
        if filled >= _BATCH or len(batch) == _MANY:
            yield batch
            batch, filled = [], 0
    if batch:
        yield batch
