"""Read MediaWiki's XML dumps (`pages-articles`) page by page."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import Element, ParseError, iterparse

from ...core.errors import DataError
from ...core.lang import ISO_639_1
from .page import Page

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_SILENT = {"6", "14"}  # the namespaces of files and of categories
_ENGLISH = frozenset({"file", "image", "media", "category"})  # valid in every language


def read(stream: BinaryIO, path: Path) -> Iterator[Page]:
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
