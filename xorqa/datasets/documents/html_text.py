"""HTML: the text a reader sees, without scripts, navigation and footers, parsed as browsers do.

The parser is Lexbor, by selectolax. An element that the HTML standard does not name is inline.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ...io.encodings import declared_charset, decode
from .document import Block, Document, Skipped, infix, one_line, only_top_heading, raised, sections

_NOT_TEXT = {
    *("script", "style", "template", "meta", "link", "base"),
    *("annotation", "annotation-xml"),  # a formula again, as TeX
}
_BESIDE = {tag: f"<{tag}> element" for tag in ("nav", "footer", "aside")}
_NAVIGATION = "navigation"
_SKIPPED = {
    **_BESIDE,
    **dict.fromkeys(("select", "button", "textarea", "datalist"), "form control"),
    **dict.fromkeys(("object", "iframe", "audio", "video", "canvas", "noscript"), "fallback text"),
    **dict.fromkeys(("applet", "noembed", "noframes"), "fallback text"),
    **dict.fromkeys(("rt", "rp", "rtc"), "ruby annotation"),  # pronunciation inside a word
    "svg": "drawing",
}
_BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details"),
    *("dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "html", "legend", "li"),
    *("listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "plaintext", "pre"),
    *("search", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul", "xmp"),
}
_CONTENT = "h1, main, article"  # in an element without its end, they are not part of it
_NOTE = re.compile(r"doc-|note|admonition|topic|callout|tip\b", re.IGNORECASE)  # in <aside>
_NAVIGATION_NAMES = {
    *("breadcrumb", "breadcrumbs", "nav", "navbar", "navfooter", "navheader", "navigation"),
    *("footer", "page-footer", "site-footer"),
}  # in class, id and role
_LINK = "\0"
_MARKS = "|·•»›→←>"
_LINK_ROW = re.compile(rf"{_LINK}(?:(?:\s*[{_MARKS}][{_MARKS}\s]*)?{_LINK})+[{_MARKS}\s]*")
"""Links with nothing but such marks between them, or nothing at all: no sentence, and no list."""
_NO_DISPLAY = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_FORMULAS: dict[str, Sequence[str]] = {
    **{"mfrac": "/", "msup": "^", "msub": "_", "mover": "^", "munder": "_"},
    **{"msubsup": "_^", "munderover": "_^", "mtr": " ", "mtable": ["; "]},
}
_DEEPEST = 100  # formula within formula
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_VOID = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
_CLOSED = re.compile(rf"<(?!(?:{_VOID})\b)([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)/>", re.IGNORECASE)


def read_html(data: bytes, path: Path) -> Document:
    """Sections by heading; the title is `<title>`, or the only top heading.

    Raises:
        DataError: if it is not text.
    """
    return document_of(decode(data, path, declared=declared_charset(data)))


def document_of(html: str, title: str = "") -> Document:
    """The document of an HTML text; a given title replaces its own."""
    from selectolax.lexbor import LexborHTMLParser

    if html.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        html = _CLOSED.sub(r"<\1\2></\1>", _CDATA.sub(lambda text: escape(text[1]), html))
    page = _Page()
    html = _closed(html, page.skipped)
    page.read(LexborHTMLParser(html.encode(errors="replace").decode()).root)
    title = title or page.title or only_top_heading(page.blocks)
    return Document(title, sections(page.blocks), page.skipped)


_ENDS = {"!--": "--!?>", **{name: f"</{name}" for name in ("title", "textarea", "script", "style")}}
_OPEN = re.compile(r"<(!--|(?:title|textarea|script|style)\b)", re.IGNORECASE)


def _closed(html: str, skipped: Skipped) -> str:
    """The text with an end for what would hide the rest of the page; programs are counted.

    Comments without an end are text, and a title or form control ends at the next tag.
    """
    at = 0
    mended: set[str] = set()
    while opening := _OPEN.search(html, at):
        name = opening[1].lower()
        end = re.compile(_ENDS[name], re.IGNORECASE).search(html, opening.start() + 2)
        if end:
            at = end.end()
        elif name in {"script", "style"} or name in mended:
            skipped.add(f"<{name}> without its end", one_line(html[opening.end() :]))
            break
        elif name == "!--":
            at = opening.start()
            html = html[:at] + html[at:].replace("<!--", "")
        else:
            mended.add(name)
            at = html.find("<", html.find(">", opening.end()) + 1)
            at = len(html) if at < 0 else at
            html = f"{html[:at]}</{name}>{html[at:]}"
    return html


class _Page:
    """Collects the blocks of text, the title, and what is skipped."""

    def __init__(self) -> None:
        self.title = ""
        self.blocks: list[Block] = []
        self.skipped = Skipped()
        self._pieces: list[str] = []
        self._outline: list[str] = []  # the block's text, with a mark for each link
        self._in_link = False
        self._level = 0

    def read(self, root: Any) -> None:
        """Visit all nodes below `root`, which may be nested more deeply than Python's stack."""
        open_nodes: list[tuple[Any, Iterator[Any]]] = [(None, iter([root] if root else []))]
        while open_nodes:
            node = next(open_nodes[-1][1], None)
            if node is None:
                parent, _ = open_nodes.pop()
                if parent is not None:
                    self._leave(parent.tag)
            elif node.is_text_node:
                self._pieces.append(node.text_content or "")
                if not self._in_link:
                    self._outline.append(self._pieces[-1])
            elif node.is_element_node and self._enter(node):
                open_nodes.append((node, node.iter(include_text=True)))
        self._end_block()

    def _enter(self, node: Any) -> bool:
        """Begin an element; returns whether its content is to be read."""
        tag = node.tag
        if tag in _NOT_TEXT:
            return False
        if tag == "title":
            self.title = self.title or one_line(_text(node))
            return False
        kind = _reason(node)
        if kind and not (tag == "button" and self._level):  # a heading that opens its section
            self.skipped.add(kind, one_line(_text(node)))
            return False
        if tag == "math":
            self._pieces.append(_formula(node))
            return False
        if tag == "sup" and (number := raised(text := _text(node))) != text:
            self._pieces.append(number)
            return False
        if tag == "img" and (described := one_line(node.attrs.get("alt") or "")):
            self.skipped.add("picture with a description", described)
        if tag == "a":
            self._outline.append(_LINK)
            self._in_link = True
        elif tag in {"td", "th"}:
            self._pieces.append(" | " if any(map(str.strip, self._pieces)) else "")
            self._outline.append(tag)  # a table's row of links is text
        elif tag == "br":
            self._pieces.append("\n")
        elif tag in _BLOCKS:
            self._end_block()
            self._level = int(tag[1]) if re.fullmatch("h[1-6]", tag) else self._level
        return True

    def _leave(self, tag: str) -> None:
        if tag == "a":
            self._in_link = False
        elif tag in _BLOCKS:
            self._end_block()
            self._level = 0 if re.fullmatch("h[1-6]", tag) else self._level

    def _end_block(self) -> None:
        """Append the text since the last block, if there is any."""
        text = one_line("".join(self._pieces))
        if not self._level and _LINK_ROW.fullmatch("".join(self._outline).strip()):
            self.skipped.add("row of links", text)
        elif text:
            self.blocks.append(Block(text, self._level))
        self._pieces, self._outline = [], []


def _reason(node: Any) -> str:
    """The kind of an element that is not read, or ""."""
    attributes = node.attrs
    style = attributes.get("style") or ""
    if "hidden" in attributes or (style and _NO_DISPLAY.search(style)):
        return "hidden element"
    named = f"{attributes.get('role') or ''} {attributes.get('class') or ''}"
    names = f"{named} {attributes.get('id') or ''}".lower().split()
    kind = _SKIPPED.get(node.tag, "")
    if not kind and not _NAVIGATION_NAMES.isdisjoint(names):
        kind = _NAVIGATION
    beside = kind == _NAVIGATION or kind in _BESIDE.values()
    is_text = beside and (_NOTE.search(named) or node.css_first(_CONTENT) is not None)
    return "" if is_text else kind


def _text(node: Any) -> str:
    return str(node.text(separator=" ", strip=True))


def _formula(node: Any, depth: int = 0) -> str:
    """A formula of MathML in one line: `E=mc^2`, `(a+b)/2`."""
    if depth == _DEEPEST:
        return _text(node)
    if node.is_text_node:
        return one_line(node.text_content or "")
    if node.tag in _NOT_TEXT:
        return ""
    parts = [_formula(child, depth + 1) for child in node.iter(include_text=True)]
    parts = [part for part in parts if part]
    if node.tag == "msqrt":
        return infix("√", ["", "".join(parts)])
    if node.tag == "mroot":
        return infix("√", parts[::-1])
    return infix(_FORMULAS[node.tag], parts) if node.tag in _FORMULAS else "".join(parts)
