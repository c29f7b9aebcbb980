"""Turn a document into pages, and those into passages in the languages of their paragraphs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice
from pathlib import Path
from typing import BinaryIO

from ...core.lang import language
from ...core.text.detection import UNSURE, Detected, detect, detect_language, script_share
from ...core.text.normalize import readable
from ...core.types import Passage
from ..documents.document import DocumentReader, Section
from .records import Page
from .split import split_paragraphs

READER_VERSION = 6
"""Raised whenever the passages of the same files change."""

SIZE = 100
"""The default of the maximum tokens per passage."""

_SAMPLE = 5_000  # characters to detect a document's language from
_MIN_LETTERS = 20  # of a paragraph in another language than its document's
_SURE = 0.9
_OWN_SCRIPT = 0.5  # of the letters of a text in the language of its file
_AHEAD = 100  # pages that a file's language is detected from


def document_pages(
    read: DocumentReader, stream: BinaryIO, path: Path, *, name: str
) -> Iterator[Page]:
    """Yield a page per section: `handbook.pdf#p12`, or `notes.txt` without a reference.

    Raises:
        DataError: if the document cannot be read.
    """
    document = read(stream.read(), path)
    title = document.title or readable(path.name).partition(".")[0].replace("_", " ").strip()
    first, sections = _ahead(document.sections)
    detected = document_language(first)
    page: Page | None = None
    for section in sections:
        if not any(section.paragraphs):
            continue
        if page is not None:
            yield page
        page = Page(
            f"{name}#{section.ref}" if section.ref else name,
            "\n".join(section.paragraphs),
            _title(title, section.title),
            section.lang,
            section.ref or "the text",
            default_lang=detected.lang,
            sure=detected.probability >= UNSURE,
            document=True,
        )
    if page is not None:  # the last one, after which everything skipped is known
        yield replace(page, skipped=document.skipped)


def document_passages(page: Page, *, lang: str | None, size: int) -> list[Passage]:
    """The passages of a page: `handbook.pdf#p12.3`, or `notes.txt#3`; each in one language.

    A paragraph is in the language given, or in its own if it is detected with certainty, or in
    the document's.
    """
    lines = page.text.split("\n")
    given = page.lang or lang
    languages = (given or paragraph_language(line, page.default_lang) for line in lines)
    by_lang = groupby(zip(languages, lines, strict=True), key=lambda pair: pair[0])
    texts = [
        (code, text)
        for code, group in by_lang
        for text in split_paragraphs((line for _, line in group), lang=code, size=size)
    ]
    mark = "." if "#" in page.page_id else "#"
    return [
        Passage(f"{page.page_id}{mark}{number}", text, page.title, code)
        for number, (code, text) in enumerate(texts, 1)
    ]


def document_language(paragraphs: Sequence[str]) -> Detected:
    """The language of most letters, among paragraphs whose own is certain."""
    letters: Counter[str] = Counter()
    for paragraph in paragraphs:
        letters[paragraph_language(paragraph, "")] += sum(map(str.isalpha, paragraph))
    del letters[""]
    if not letters:
        return detect("\n".join(paragraphs)[:_SAMPLE])
    return Detected(max(letters, key=lambda lang: letters[lang]), 1.0)


def paragraph_language(text: str, default: str, *, sure: float = _SURE) -> str:
    """The detected language of a paragraph, or the default if it is short or uncertain."""
    if sum(map(str.isalpha, text)) < _MIN_LETTERS:
        return default
    detected = detect(text)
    return detected.lang if detected.probability >= sure else default


def page_language(page: Page, text: str, lang: str | None) -> str:
    """The language of a page that is no document: its own, the given, its dump's or detected.

    Where the text is short or uncertain, it is that of the other pages of its file, if that is
    written in the script of the text.
    """
    if page.markup is not None and not (page.lang or lang) and page.default_lang:
        return page.default_lang
    if known := page.lang or lang:
        return known
    likely = page.default_lang
    if not likely or script_share(text, language(likely).script) < _OWN_SCRIPT:
        return detect_language(text[:_SAMPLE])
    return paragraph_language(text[:_SAMPLE], likely, sure=UNSURE)


def with_default_language(pages: Iterable[Page]) -> Iterator[Page]:
    """Pages with the language of the first ones of their file, for those that are uncertain."""
    pages = iter(pages)
    ahead = list(islice(pages, _AHEAD))
    texts = [page.text[:_SAMPLE] for page in ahead if not (page.lang or page.default_lang)]
    detected = document_language(texts) if texts else Detected("", 1.0)
    lang, sure = detected.lang, detected.probability >= UNSURE
    for page in chain(ahead, pages):
        named = page.default_lang or not lang
        yield page if named else replace(page, default_lang=lang, sure=sure)


def file_id(name: str) -> str:
    """A file's name as part of docids: without white space, `#` and bytes that are not UTF-8."""
    return "_".join(readable(name).split()).replace("#", "%23")


def _ahead(sections: Iterator[Section]) -> tuple[list[str], Iterable[Section]]:
    """The first paragraphs, to detect the language from, and all sections."""
    read: list[Section] = []
    first: list[str] = []
    for section in sections:
        read.append(section)
        first += section.paragraphs
        if sum(map(len, first)) >= _SAMPLE:
            break
    return first, chain(read, sections)


def _title(document: str, section: str) -> str:
    """The titles of a document and of a section, which may begin with the document's."""
    if not section or section == document:
        return document
    return section if section.startswith(f"{document} / ") else f"{document} / {section}"
