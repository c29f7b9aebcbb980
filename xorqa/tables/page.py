"""Self-contained HTML pages in the style that all reports share."""

from html import escape
from pathlib import Path
from string import Template


def html_page(title: str, body: str, *, head: Path) -> str:
    """A page with a title; the file `head` has the rest of its style, in tags."""
    template = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))
    more = head.read_text(encoding="utf-8")
    return template.substitute(title=escape(title), head=more, body=body)
