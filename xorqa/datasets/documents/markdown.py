"""Markdown (CommonMark with tables): rendered as HTML, and read as that."""

import re
from pathlib import Path

from .document import Document, one_line
from .encoding import decode
from .html_text import document_of

_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)


def read(data: bytes, path: Path) -> Document:
    """Sections by heading; the title is that of the front matter, or the only top heading.

    Raises:
        DataError: if it is not text.
    """
    from markdown_it import MarkdownIt

    text = decode(data, path).replace("\r\n", "\n")
    front = _FRONT_MATTER.match(text)
    named = _TITLE.search(front[1]) if front else None
    html = MarkdownIt("commonmark").enable("table").render(text[front.end() if front else 0 :])
    return document_of(html, one_line(named[1]) if named else "")
