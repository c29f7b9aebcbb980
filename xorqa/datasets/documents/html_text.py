"""HTML: the text a reader sees, without scripts, navigation and footers."""

import re
from html.parser import HTMLParser
from pathlib import Path

from .document import Block, Document, one_line, only_top_heading, sections
from .encoding import decode

_HIDDEN = {
    *("script", "style", "template", "noscript", "svg", "math", "object", "iframe"),
    *("nav", "footer", "aside", "select", "button", "textarea"),
}
_INLINE = {
    *("a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font"),
    *("i", "img", "ins", "kbd", "label", "mark", "q", "rb", "ruby", "s", "samp", "small", "span"),
    *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "meta", "link"),
}
_CELLS = {"td", "th"}
_RUBY = {"rt", "rp"}  # pronunciations between the characters of a word
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)


def read_html(data: bytes, path: Path) -> Document:
    """Sections by heading; the title is `<title>`, or the only top heading.

    Raises:
        DataError: if it is not text.
    """
    match = _CHARSET.search(data[:2048])
    return document_of(decode(data, path, declared=match[1].decode("ascii") if match else ""))


def document_of(html: str, title: str = "") -> Document:
    """The document of an HTML text; a given title replaces its own."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    parser.end_block()
    title = title or parser.title or only_top_heading(parser.blocks)
    return Document(title, sections(parser.blocks))


class _Parser(HTMLParser):
    """Collects blocks of text; inside a hidden element, only its own tags matter."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.blocks: list[Block] = []
        self._pieces: list[str] = []
        self._level = 0
        self._hidden = ""
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if self._hidden:
            self._depth += tag == self._hidden
        elif tag in _HIDDEN or tag in _RUBY:
            self._hidden, self._depth = tag, 1
        elif tag in _CELLS:
            self._pieces.append(" | " if "".join(self._pieces).strip() else "")
        elif tag == "br":
            self._pieces.append("\n")
        elif tag not in _INLINE:
            self.end_block()
            self._level = int(tag[1]) if re.fullmatch("h[1-6]", tag) else 0

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        if tag == "br":
            self._pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            self._depth -= tag == self._hidden
            if not self._depth:
                self._hidden = ""
        elif tag == "title" and not self.title:
            self.title = one_line("".join(self._pieces))
            self._pieces = []
        elif tag not in _INLINE and tag not in _CELLS:
            self.end_block()
            self._level = 0

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._pieces.append(data)

    def end_block(self) -> None:
        """Append the text since the last block, if there is any."""
        if text := one_line("".join(self._pieces)):
            self.blocks.append(Block(text, self._level))
        self._pieces = []
