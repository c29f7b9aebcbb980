"""Split files and folders of any layout into a corpus of passages, in bounded memory; resumable."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.lang import language
from ...core.processes import map_processes
from ...core.progress import Progress, silent
from ...io.locks import lock_path
from .document_pages import SIZE
from .page import Page
from .resumable_writer import Counts, ResumableWriter
from .rows import HEADERS, PASSAGES, Lines, lines_of
from .sources import Source, all_pages, file_size, find_sources

VERSION = 3
"""Raised whenever the passages change, so that older partial work is not resumed."""

_BATCH = 1_000_000  # characters of text per batch
_MAX_PAGES = 2_000  # per batch: redirects have no text


def make_corpus(
    files: Sequence[Path],
    out: Path,
    *,
    lang: str | None = None,
    size: int = SIZE,
    workers: int = 0,
    progress: Progress = silent,
) -> Counts:
    """Write passages to `out` (JSONL), and titles, redirects and links beside it if there are any.

    Without `lang`, it is that of a dump, or the detected one of each page or paragraph. A file of
    a folder that cannot be read is named in a `Notice` and skipped.

    Partial files are in the folder `<out>.part`, from which a killed call resumes. `progress`
    receives the bytes read. `workers` is the number of processes that clean and split (0: this
    process); the result does not depend on it.

    Raises:
        ConfigError: for an unknown language, or if `out` exists or is not a .jsonl file.
        DataError: if a file cannot be read completely, or no file has any text.
        MissingExtraError: if a reader's package is not installed.
        LockedError: if another process writes `out`.
        XorqaError: if a worker was killed.
    """
    if lang is not None:
        language(lang)
    if out.suffix != f".{PASSAGES}":
        raise ConfigError(
            f"--out {out}: passages are written as JSONL; its name must end in .jsonl"
        )
    if out.exists():
        raise ConfigError(f"{out} exists; remove it, or give another --out")
    sources = find_sources(files)
    total = sum(file_size(source.path) for source in sources)
    with lock_path(out, "file"):
        writer = ResumableWriter(out, (VERSION, _stamps(sources), lang, size), HEADERS)
        counts = _write(writer, sources, lang, size, workers, lambda done: progress(done, total))
    progress(total, total)
    return counts


def _write(
    writer: ResumableWriter,
    sources: Sequence[Source],
    lang: str | None,
    size: int,
    workers: int,
    report: Callable[[int], None],
) -> Counts:
    with writer:
        remaining = all_pages(sources, report=report)
        work = partial(_work, lang=lang, size=size)
        batches = _batches(islice(remaining, writer.counts.pages, None))
        for counts, lines in map_processes(work, batches, workers=workers):
            writer.add(lines, counts)
    if not writer.counts.passages:
        raise DataError(f"{_named(sources)}: no text in {writer.counts.pages} pages")
    writer.finish(main=PASSAGES)
    return writer.counts


def _work(batch: Sequence[Page], *, lang: str | None, size: int) -> tuple[Counts, Lines]:
    lines = lines_of(batch, lang=lang, size=size)
    redirects = sum(bool(page.redirect) for page in batch)
    return Counts(len(batch), lines[PASSAGES].count("\n"), redirects), lines


def _stamps(sources: Sequence[Source]) -> list[tuple[str, str, int, int]]:
    """What the passages depend on: each file's path, name, size and time of change."""
    stats = ((source, source.path.stat()) for source in sources)
    return [(str(s.path.resolve()), s.name, stat.st_size, stat.st_mtime_ns) for s, stat in stats]


def _named(sources: Sequence[Source]) -> str:
    """The files and folders, as they were given."""
    return ", ".join(dict.fromkeys(str(source.folder or source.path) for source in sources))


def _batches(pages: Iterable[Page]) -> Iterator[list[Page]]:
    batch: list[Page] = []
    filled = 0
    for page in pages:
        batch.append(page)
        filled += len(page.text)
        if filled >= _BATCH or len(batch) == _MAX_PAGES:
            yield batch
            batch, filled = [], 0
    if batch:
        yield batch
