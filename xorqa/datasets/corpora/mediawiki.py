"""Read MediaWiki's XML dumps (`pages-articles`) page by page, and convert wikitext to plain text.

The parser is mwparserfromhell. Inline templates that carry text are rendered; others, tables and
notes are removed and counted. Markup without an end removes nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree.ElementTree import Element, ParseError, iterparse

from ...core.errors import DataError
from ...core.lang import code_of
from ...core.named import require
from ..documents.document import Skipped, raised
from .bounded import next_record
from .records import Page
from .wiki_templates import Call, bare_name, renderer

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_SILENT = {"6", "14"}  # the namespaces of files and of categories
_ENGLISH = frozenset({"file", "image", "media", "category"})  # valid in every language


_REDIRECT = re.compile(  # #REDIRECT [[Oulu#History|Oulu]] {{R from move}}
    r"\s*#([^\s\[#:]+)\s*:?\s*\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]"
    r"(?:\s|\{\{[^{}]*\}\}|\[\[[^\[\]]*\]\])*"
)


def read_dump(stream: BinaryIO, path: Path) -> Iterator[Page]:
    """Yield the articles and redirects of a dump, as wikitext of the last revision.

    Keeps two pages in memory. Those of other namespaces, such as talk, are skipped and counted.

    Raises:
        DataError: if it is not a dump or is truncated, or if a page lacks its id or title.
    """
    silent = _ENGLISH
    number = 0
    page: Page | None = None
    skipped = Skipped()
    try:
        events = iterparse(stream, ("start", "end"))
        _, root = next(events)
        if _name(root) != "mediawiki":
            raise DataError(f"{path} is not a MediaWiki dump: its root is <{_name(root)}>")
        lang = code_of(root.get(_LANG, ""))
        for event, element in events:
            if event != "end":
                continue
            if _name(element) == "siteinfo":
                silent |= {name.lower() for name in _names(element)}
            elif _name(element) == "page":
                number += 1
                if element.findtext("{*}ns", "0") == "0":
                    if page is not None:
                        yield page
                    page = replace(
                        _page(element, silent, path, f"page {number}"), default_lang=lang
                    )
                else:
                    skipped.add("page of another namespace")
                root.clear()
                next_record(stream)  # also after one that is no article
        if page is not None:  # the last one, after which everything skipped is known
            yield replace(page, skipped=skipped)
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
    text = (texts[-1].text or "") if texts else ""
    written = _REDIRECT.fullmatch(text)  # in dumps without <redirect>
    if written and written[1] == written[1].upper():
        return Page(number, "", title, "", where, page_title(written[2]), silent)
    return Page(number, text, title, "", where, "", silent)


def _names(siteinfo: Element) -> Iterator[str]:
    """This wiki's names of the namespaces whose links show no text."""
    for namespace in siteinfo.iterfind("{*}namespaces/{*}namespace"):
        if namespace.get("key") in _SILENT and namespace.text:
            yield namespace.text


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


_SILENT_TAGS = {
    **dict.fromkeys(("ref", "references"), "reference"),
    **dict.fromkeys(("syntaxhighlight", "source"), "program"),
    **dict.fromkeys(("timeline", "style", "gallery", "imagemap", "score"), "graphic"),
    "table": "table",
}
_BLOCKS = {"blockquote", "center", "div", "poem", "p", "pre"}
_FORMULAS = {"math", "chem", "ce"}
_SWITCH = re.compile(r"__[^\W\d_]+__")  # __NOTOC__ and the like
_HANGING = re.compile(r"(?<=[(（])[\s,;،؛、]+|[\s,;:،؛、]+(?=[)）])")  # beside such a template
_HOLLOW = re.compile(r"\s*[(（][\s,;:،؛、]*[)）]")  # the rest of "(born 1905)" without its template
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]+)*|simple")
_OPEN = re.compile(r"<!--|</?(?:ref|references|gallery|small|div|span|center|sup|sub)\b[^<>\n]*>")
_CONVERTED = {"sr", "zh"}  # Wikipedias in two scripts
_VARIANT = re.compile(r"-\{(?!\{)(?:([A-Za-z;-]*)\|)?([^{}]*)\}-")
_FORM = re.compile(r"(?:^|;)\s*((?:zh|sr)(?:-[a-z]+)?)\s*:\s*([^;]*)")
_TABLE = re.compile(r"^[ :]*\{\|", re.MULTILINE)
_TABLE_LINE = re.compile(r"^[ :]*(?:\{\||[|!]).*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """`title` is the path of headings, "History / Middle Ages"; empty before the first heading."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Article:
    """An article's text and links.

    `links` are its interlanguage links, by Wikipedia language code; `pages` are those to other
    pages, a title and the text that shows it, in their order. `templates` counts those that were
    removed, by name.
    """

    sections: list[Section]
    links: dict[str, str] = field(default_factory=dict)
    pages: list[tuple[str, str]] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)
    templates: Counter[str] = field(default_factory=Counter)


def clean(text: str, silent: frozenset[str], *, lang: str = "en") -> Article:
    """Render an article's inline templates, and remove other templates, tables, references,
    comments, files and categories.

    `silent` are the lower-case names of the namespaces whose links show no text; `lang` is the
    language of dates and numbers.

    Raises:
        MissingExtraError: if mwparserfromhell is not installed.
    """
    parser = require("mwparserfromhell", extra="wiki")
    if lang in _CONVERTED:
        text = _VARIANT.sub(_variant, text)
    shown = _Shown(silent, lang)
    path: list[tuple[int, str]] = []
    headed: list[tuple[str, list[str]]] = [("", [])]
    for node in _closed(parser.parse(text), parser):
        if type(node).__name__ == "Heading":
            title = " ".join(shown.code(node.title).split())
            path = [(level, name) for level, name in path if level < node.level]
            path.append((node.level, title))
            headed.append((" / ".join(name for _, name in path), []))
        else:
            headed[-1][1].append(shown.node(node))
    sections = [
        Section(title, _HANGING.sub("", _HOLLOW.sub("", _SWITCH.sub("", "".join(pieces)))))
        for title, pieces in headed
    ]
    return Article(sections, shown.links, list(shown.pages), shown.skipped, shown.templates)


def _variant(match: re.Match[str]) -> str:
    """The simplified form of -{zh-hans:计算机;zh-hant:電腦}-, the first form, or the only text."""
    flags, rules = match.groups()
    if flags and {"H", "T"} & {*flags}:  # a rule for other places, or for the title
        return ""
    forms = dict(_FORM.findall(rules))
    return next((forms[code] for code in ("zh-hans", "zh-cn") if code in forms), "") or str(
        next(iter(forms.values()), rules)
    )


def _closed(code: Any, parser: Any) -> Iterator[Any]:
    """The nodes of an article; those in a table, reference or comment that lacks its end as well.

    One that lacks its end contains a heading, or another comment's beginning.
    """
    for node in code.nodes:
        kind = type(node).__name__
        if kind == "Comment" and "<!--" in str(node.contents):
            yield from _closed(parser.parse(str(node.contents).partition("<!--")[0]), parser)
        elif kind == "Tag" and node.contents is not None and _is_open(node):
            yield from _closed(node.contents, parser)
        else:
            yield node


def _is_open(tag: Any) -> bool:
    silent = str(tag.tag).strip().lower() in _SILENT_TAGS
    return silent and any(type(node).__name__ == "Heading" for node in tag.contents.nodes)


@dataclass(frozen=True, slots=True)
class _Shown:
    """The text of parsed nodes; collects links, and counts what is removed."""

    silent: frozenset[str]
    lang: str
    links: dict[str, str] = field(default_factory=dict)
    pages: dict[tuple[str, str], None] = field(default_factory=dict)
    skipped: Skipped = field(default_factory=Skipped)
    templates: Counter[str] = field(default_factory=Counter)

    def code(self, code: Any) -> str:
        return "".join(map(self.node, code.nodes)) if code is not None else ""

    def node(self, node: Any) -> str:
        kind = type(node).__name__
        if kind == "Text":
            text = str(node.value)
            if _TABLE.search(text):
                text = _TABLE_LINE.sub("", text)
            return _OPEN.sub("", text)
        if kind == "Wikilink":
            return self._link(node)
        if kind == "ExternalLink":
            return self.code(node.title if node.brackets else node.url)
        if kind == "HTMLEntity":
            return str(node.normalize())
        if kind == "Template":
            return self._template(node)
        return self._tag(node) if kind == "Tag" else ""  # no comment or parameter

    def _template(self, node: Any) -> str:
        name = str(node.name).strip()
        text = ""
        if render := renderer(name):
            cells = {str(p.name).strip(): self.code(p.value).strip() for p in node.params}
            text = render(Call(cells, self.lang))
        if not text:
            self.templates[bare_name(name)] += 1
        return text

    def _tag(self, node: Any) -> str:
        from mwparserfromhell.definitions import is_visible

        name = str(node.tag).strip().lower()
        if name == "br":
            return "\n"
        kind = _SILENT_TAGS.get(name, "")
        if name in _FORMULAS:  # of TeX, only what reads as text
            text = str(node.contents or "")
            if not {*"\\{}"} & {*text}:
                return text
            kind = "formula"
        if kind or not is_visible(name):
            text = str(node.contents or "")
            if kind and text.strip():
                self.skipped.add(kind, " ".join(text.split()))
            return ""
        text = self.code(node.contents)
        if name == "sup":
            return raised(text)
        return f"\n{text}\n" if name in _BLOCKS else text

    def _link(self, node: Any) -> str:
        target = self.code(node.title).strip()
        space, colon, rest = target.partition(":")
        space = space.strip().replace("_", " ")
        if colon and space.lower() in self.silent:
            if node.text is not None and "|" in str(node.text):
                self.skipped.add("picture with a caption", str(node.text).rpartition("|")[2])
            return ""
        if colon and node.text is None and _LANGUAGE.fullmatch(space):
            self.links.setdefault(space, rest.strip())
            return ""
        text = "" if node.text is None else self.code(node.text)
        text = text or target.removeprefix(":")
        self.pages[page_title(target), " ".join(text.split())] = None
        return text


def page_title(target: str) -> str:
    """The title of the page that a link names: without its section, the first letter upper-case."""
    title = " ".join(target.removeprefix(":").partition("#")[0].replace("_", " ").split())
    return title[:1].upper() + title[1:]
