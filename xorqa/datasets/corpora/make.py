"""Split files and folders of any layout into a corpus of passages, in bounded memory; resumable."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.lang import LANGUAGES, language
from ...core.processes import map_processes
from ...core.progress import Progress, silent
from ...io.encodings import checked_encoding
from ...io.locks import lock_path, sweep_finished
from ..documents.document import Skipped
from .document_pages import READER_VERSION, SIZE, document_passages, page_language
from .mediawiki import Article, Section, clean
from .records import Page
from .resumable_writer import Counts, ResumableWriter, partial_folder
from .sources import Source, all_pages, file_size, find_sources
from .split import split_text

PASSAGES, TITLES, REDIRECTS, LINKS = "jsonl", "titles.tsv", "redirects.tsv", "links.tsv"
HEADERS = {
    PASSAGES: "",
    TITLES: "\t".join(LANGUAGES) + "\n",
    REDIRECTS: "title\ttarget\n",
    LINKS: "language\ttitle\ttarget\ttext\n",
}
"""The suffixes of the files, and the header line of each."""

Lines = dict[str, str]


def lines_of(
    pages: Sequence[Page],
    *,
    lang: str | None,
    size: int,
    report: Callable[[Article], None] = silent,
) -> Lines:
    """The lines of each file: passages `<page id>-<n>`, titles by language, redirects, links.

    A record with an id of its own that is a single passage keeps it.
    Without `lang`, a page is in its file's language or the detected one. Documents' passages are
    those of `document_passages`. `report` receives the articles of wikitext.

    Titles are a table of interlanguage links, as `answering.transliteration.name_table` reads it;
    pages without a link to the English Wikipedia are left out.
    """
    lines: dict[str, list[str]] = {kind: [] for kind in HEADERS}
    for page in pages:
        if page.redirect:
            lines[REDIRECTS].append(_row(page.title, page.redirect))
            continue
        if page.document:
            passages = document_passages(page, lang=lang, size=size)
            lines[PASSAGES] += [_line(asdict(passage)) for passage in passages]
            continue
        article = Article([Section("", page.text)])
        if page.markup is not None:
            wiki = page.lang or lang or page.default_lang or "en"
            article = clean(page.text, page.markup, lang=wiki)
            report(article)
        text = "\n".join(section.text for section in article.sections)
        page_lang = page_language(page, text, lang)
        lines[PASSAGES] += _passages(page, article.sections, page_lang, size)
        lines[LINKS] += [
            _row(page_lang, page.title, target, text)
            for target, text in article.pages
            if target and text and target != page.title
        ]
        names = {**article.links, page_lang: page.title}
        if article.links and "en" in names:
            lines[TITLES].append(_row(*(names.get(code, "") for code in LANGUAGES)))
    return {kind: "".join(added) for kind, added in lines.items()}


def _passages(page: Page, sections: Sequence[Section], lang: str, size: int) -> list[str]:
    """JSON lines; a passage lies within one section, whose title is its `section`."""
    passages = [
        (s.title, text) for s in sections for text in split_text(s.text, lang=lang, size=size)
    ]
    whole = len(passages) == 1 and page.keeps_id and page.markup is None
    rows = []
    for number, (section, text) in enumerate(passages, 1):
        docid = page.page_id if whole else f"{page.page_id}-{number}"
        row = {"docid": docid, "title": page.title, "text": text, "lang": lang}
        if section:
            row["section"] = section
        rows.append(_line(row))
    return rows


def _line(row: Mapping[str, str]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _row(*cells: str) -> str:
    return "\t".join(" ".join(cell.split()) for cell in cells) + "\n"


_IDS_VERSION = 2
"""Raised whenever the docids of the same files change, so that a killed call does not resume."""
_BATCH = 1_000_000  # characters of text per batch
_MAX_PAGES = 2_000  # per batch: redirects have no text


def make_corpus(
    files: Sequence[Path],
    out: Path,
    *,
    lang: str | None = None,
    size: int = SIZE,
    encoding: str = "",
    workers: int = 0,
    progress: Progress = silent,
) -> Counts:
    """Write passages to `out` (JSONL), and titles, redirects and links beside it if there are any.

    Without `lang`, it is that of a dump, or the detected one of each page or paragraph. `encoding`
    is that of the text files; by default it is their own (a byte order mark, UTF-8, what an HTML
    page declares) or guessed. A file of a folder that cannot be read is named in a `Notice` and
    skipped.

    Partial files are in the folder `<out>.part`, from which a killed call resumes. `progress`
    receives the bytes read. `workers` is the number of processes that clean and split (0: this
    process); the result does not depend on it.

    Raises:
        ConfigError: for an unknown language or encoding, or an `out` that exists or is not a
            .jsonl file.
        DataError: if a file cannot be read completely, or no file has any text.
        MissingExtraError: if a reader's package is not installed.
        LockedError: if another process writes `out`.
        XorqaError: if a worker was killed.
    """
    lang = lang and language(lang).code
    encoding = encoding and checked_encoding(encoding)
    if out.suffix != f".{PASSAGES}":
        raise ConfigError(
            f"--out {out}: passages are written as JSONL; its name must end in .jsonl"
        )
    if out.exists():
        if not (partial_folder(out) / PASSAGES).exists():  # killed after its last file
            sweep_finished(out, shards=partial_folder(out))
        raise ConfigError(f"{out} exists; remove it, or give another --out")
    skipped = Skipped()
    sources = find_sources(files, skipped=skipped)
    total = sum(file_size(source.path) for source in sources)
    with lock_path(out, "file"):
        versions = (READER_VERSION, _IDS_VERSION)
        content = (versions, _stamps(sources), lang, size, *([encoding] if encoding else []))
        writer = ResumableWriter(out, content, HEADERS)
        report = lambda done: progress(done, total)  # noqa: E731
        remaining = all_pages(sources, lang=lang, encoding=encoding, report=report, skipped=skipped)
        counts = _write(writer, sources, remaining, lang, size, workers)
    progress(total, total)
    return counts + Counts(skipped=skipped)


def _write(
    writer: ResumableWriter,
    sources: Sequence[Source],
    remaining: Iterator[Page],
    lang: str | None,
    size: int,
    workers: int,
) -> Counts:
    with writer:
        work = partial(_work, lang=lang, size=size)
        batches = _batches(islice(_distinct(remaining, sources), writer.counts.pages, None))
        for counts, lines in map_processes(work, batches, workers=workers):
            writer.add(lines, counts)
        if not writer.counts.passages:
            given = ", ".join(dict.fromkeys(str(each.folder or each.path) for each in sources))
            raise DataError(f"{given}: no text in {writer.counts.pages} pages")
    writer.finish(main=PASSAGES)
    return writer.counts


_NUMBERED = re.compile(r"-\d+\Z")


def _distinct(pages: Iterable[Page], sources: Sequence[Source]) -> Iterator[Page]:
    """The pages, whose ids must differ; hashes of ids that a file gives are kept in memory.

    An id `a-1` after `a`, whose first passage may have that docid, is numbered itself: `a-1-1`.
    """
    seen: set[int] = set()
    stems: set[int] = set()  # of ids that may be those of passages
    for page in pages:
        keeps_id = not page.numbered and not page.redirect
        if keeps_id:
            key, stem = hash(page.page_id), _NUMBERED.sub("", page.page_id)
            place = f"{sources[0].path}, " if len(sources) == 1 else ""
            if key in seen:
                raise DataError(f"{place}{page.where}: docid '{page.page_id}' occurs twice")
            if key in stems and page.markup is None:
                raise DataError(
                    f"{place}{page.where}: docid '{page.page_id}' follows '{page.page_id}-1' or "
                    "the like, which may be one of its passages; move it before that one"
                )
            seen.add(key)
            if stem != page.page_id:
                keeps_id = hash(stem) not in seen
                stems.add(hash(stem))
        yield replace(page, keeps_id=keeps_id)


def _work(batch: Sequence[Page], *, lang: str | None, size: int) -> tuple[Counts, Lines]:
    skipped = Skipped()
    templates: Counter[str] = Counter()

    def report(article: Article) -> None:
        skipped.update_by(article.skipped)
        templates.update(article.templates)

    lines = lines_of(batch, lang=lang, size=size, report=report)
    for page in batch:
        skipped.update_by(page.skipped)
    redirects = sum(bool(page.redirect) for page in batch)
    return Counts(len(batch), lines[PASSAGES].count("\n"), redirects, skipped, templates), lines


def _stamps(sources: Sequence[Source]) -> list[tuple[str, str, int, int]]:
    """What the passages depend on: each file's path, name, size and time of change."""
    stats = ((source, source.path.stat()) for source in sources)
    return [(str(s.path.resolve()), s.name, stat.st_size, stat.st_mtime_ns) for s, stat in stats]


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
