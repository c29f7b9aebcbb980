"""Turn pages into the lines of a corpus's files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from ...core.lang import LANGUAGES
from ...core.text.detection import detect_language
from .document_pages import document_passages
from .page import Page
from .split import split_text
from .wikitext import Article, Section, clean

PASSAGES, TITLES, REDIRECTS, LINKS = "jsonl", "titles.tsv", "redirects.tsv", "links.tsv"
HEADERS = {
    PASSAGES: "",
    TITLES: "\t".join(LANGUAGES) + "\n",
    REDIRECTS: "title\ttarget\n",
    LINKS: "language\ttitle\ttarget\ttext\n",
}
"""The suffixes of the files, and the header line of each."""

Lines = dict[str, str]

_SAMPLE = 5_000  # characters to detect a page's language from


def lines_of(pages: Sequence[Page], *, lang: str | None, size: int) -> Lines:
    """The lines of each file: passages `<page id>-<n>`, titles by language, redirects, links.

    Without `lang`, a page is in its file's language or the detected one. Documents' passages are
    those of `document_passages`.

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
        article = _article(page)
        page_lang = page.lang or lang or page.default_lang or _detected(article)
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


def _article(page: Page) -> Article:
    if page.markup is None:
        return Article([Section("", page.text)])
    return clean(page.text, page.markup)


def _passages(page: Page, sections: Sequence[Section], lang: str, size: int) -> list[str]:
    """JSON lines; a passage lies within one section, whose title is its `section`."""
    passages = [
        (s.title, text) for s in sections for text in split_text(s.text, lang=lang, size=size)
    ]
    rows = []
    for number, (section, text) in enumerate(passages, 1):
        row = {"docid": f"{page.page_id}-{number}", "title": page.title, "text": text, "lang": lang}
        if section:
            row["section"] = section
        rows.append(_line(row))
    return rows


def _detected(article: Article) -> str:
    return detect_language("\n".join(section.text for section in article.sections)[:_SAMPLE])


def _line(row: Mapping[str, str]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _row(*cells: str) -> str:
    return "\t".join(" ".join(cell.split()) for cell in cells) + "\n"
