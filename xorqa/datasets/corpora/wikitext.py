"""Convert wikitext to plain text with mwparserfromhell, without templates, tables and notes."""

import re
from dataclasses import dataclass, field
from typing import Any

from ...core.lazy import require

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
    sections = [Section(title, _tidy("".join(pieces))) for title, pieces in headed]
    return Article(sections, shown.links, list(shown.pages))


def _tidy(text: str) -> str:
    return _HOLLOW.sub("", _SWITCH.sub("", text))


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
