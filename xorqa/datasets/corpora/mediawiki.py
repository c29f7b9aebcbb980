"""Read MediaWiki's XML dumps (`pages-articles`) page by page, and convert wikitext to plain text.

Templates, tables and notes are removed with mwparserfromhell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree.ElementTree import Element, ParseError, iterparse

from ...core.errors import DataError
from ...core.lang import ISO_639_1
from ...core.named import require
from .bounded import next_record
from .records import Page

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_SILENT = {"6", "14"}  # the namespaces of files and of categories
_ENGLISH = frozenset({"file", "image", "media", "category"})  # valid in every language


def read_dump(stream: BinaryIO, path: Path) -> Iterator[Page]:
    """Yield the articles and redirects of a dump, as wikitext of the last revision.

    Keeps one page in memory.

    Raises:
        DataError: if it is not a dump or is truncated, or if a page lacks its id or title.
    """
    silent = _ENGLISH
    number = 0
    try:
        events = iterparse(stream, ("start", "end"))
        _, root = next(events)
        if _name(root) != "mediawiki":
            raise DataError(f"{path} is not a MediaWiki dump: its root is <{_name(root)}>")
        lang = root.get(_LANG, "")
        lang = lang if lang in ISO_639_1 else ""
        for event, element in events:
            if event != "end":
                continue
            if _name(element) == "siteinfo":
                silent |= {name.lower() for name in _names(element)}
            elif _name(element) == "page":
                number += 1
                if element.findtext("{*}ns", "0") == "0":
                    page = _page(element, silent, path, f"page {number}")
                    yield replace(page, default_lang=lang)
                root.clear()
                next_record(stream)  # also after one that is no article
    except ParseError as error:
        raise DataError(
            f"{path} is truncated or damaged XML ({error}); download it again"
        ) from error


def _page(element: Element, silent: frozenset[str], path: Path, where: str) -> Page:
    number, title = element.findtext("{*}id"), element.findtext("{*}title")
    if not number or not title:
        raise DataError(f"{path}, {where}: needs <id> and <title>")
    target = element.find("{*}redirect")
    if target is not None:
        return Page(number, "", title, "", where, target.get("title", ""), silent)
    texts = element.findall("{*}revision/{*}text")
    return Page(number, (texts[-1].text or "") if texts else "", title, "", where, "", silent)


def _names(siteinfo: Element) -> Iterator[str]:
    """This wiki's names of the namespaces whose links show no text."""
    for namespace in siteinfo.iterfind("{*}namespaces/{*}namespace"):
        if namespace.get("key") in _SILENT and namespace.text:
            yield namespace.text


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


_SILENT_TAGS = {"ref", "references", "table", "syntaxhighlight", "source", "timeline", "style"}
_SWITCH = re.compile(r"__[^\W\d_]+__")  # __NOTOC__ and the like
_HOLLOW = re.compile(r"\s*[(（][\s,;:،؛、]*[)）]")  # the rest of "(born 1905)" without its template
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]+)*|simple")


@dataclass(frozen=True, slots=True)
class Section:
    """`title` is the path of headings, "History / Middle Ages"; empty before the first heading."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Article:
    """An article's text and links.

    `links` are its interlanguage links, by Wikipedia language code; `pages` are those to other
    pages, a title and the text that shows it, in their order.
    """

    sections: list[Section]
    links: dict[str, str] = field(default_factory=dict)
    pages: list[tuple[str, str]] = field(default_factory=list)


def clean(text: str, silent: frozenset[str]) -> Article:
    """Remove an article's templates, tables, references, comments, files and categories.

    `silent` are the lower-case names of the namespaces whose links show no text.

    Raises:
        MissingExtraError: if mwparserfromhell is not installed.
    """
    parser = require("mwparserfromhell", extra="wiki")
    shown = _Shown(silent)
    path: list[tuple[int, str]] = []
    headed: list[tuple[str, list[str]]] = [("", [])]
    for node in parser.parse(text).nodes:
        if type(node).__name__ == "Heading":
            title = " ".join(shown.code(node.title).split())
            path = [(level, name) for level, name in path if level < node.level]
            path.append((node.level, title))
            headed.append((" / ".join(name for _, name in path), []))
        else:
            headed[-1][1].append(shown.node(node))
    sections = [
        Section(title, _HOLLOW.sub("", _SWITCH.sub("", "".join(pieces))))
        for title, pieces in headed
    ]
    return Article(sections, shown.links, list(shown.pages))


@dataclass(frozen=True, slots=True)
class _Shown:
    """The text of parsed nodes; collects links."""

    silent: frozenset[str]
    links: dict[str, str] = field(default_factory=dict)
    pages: dict[tuple[str, str], None] = field(default_factory=dict)

    def code(self, code: Any) -> str:
        return "".join(map(self.node, code.nodes)) if code is not None else ""

    def node(self, node: Any) -> str:
        kind = type(node).__name__
        if kind == "Text":
            return str(node.value)
        if kind == "Wikilink":
            return self._link(node)
        if kind == "ExternalLink":
            return self.code(node.title if node.brackets else node.url)
        if kind == "HTMLEntity":
            return str(node.normalize())
        return self._tag(node) if kind == "Tag" else ""  # no template, comment or parameter

    def _tag(self, node: Any) -> str:
        from mwparserfromhell.definitions import is_visible

        name = str(node.tag).strip().lower()
        if name == "br":
            return "\n"
        return "" if name in _SILENT_TAGS or not is_visible(name) else self.code(node.contents)

    def _link(self, node: Any) -> str:
        target = self.code(node.title).strip()
        space, colon, rest = target.partition(":")
        space = space.strip().replace("_", " ")
        if colon and space.lower() in self.silent:
            return ""
        if colon and node.text is None and _LANGUAGE.fullmatch(space):
            self.links.setdefault(space, rest.strip())
            return ""
        text = target.removeprefix(":") if node.text is None else self.code(node.text)
        self.pages[page_title(target), " ".join(text.split())] = None
        return text


def page_title(target: str) -> str:
    """The title of the page that a link names: without its section, the first letter upper-case."""
    title = " ".join(target.removeprefix(":").partition("#")[0].replace("_", " ").split())
    return title[:1].upper() + title[1:]
