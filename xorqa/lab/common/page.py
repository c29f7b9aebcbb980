"""HTML pages in the style of all reports: self-contained, or with files beside them."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template

INTERACTIVE = ("interactive.css", "interactive.js")
"""Colours and controls of interactive pages, with a light and a dark theme."""


def html_page(title: str, body: str, *, head: Path, interactive: bool = False) -> str:
    """An HTML page without other files; the file `head` has tags with more styles and scripts."""
    names = ("page.css", *(INTERACTIVE if interactive else ()))
    return _page(title, body, "".join(map(_inline, names)) + head.read_text(encoding="utf-8"))


def linked_page(title: str, body: str, *, styles: Sequence[str], scripts: Sequence[str]) -> str:
    """An HTML page that loads the styles and scripts beside it, and nothing else from anywhere.

    The page has no inline style and no inline script, and a policy that forbids them.
    """
    policy = "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'"
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        *(f'<link rel="stylesheet" href="{escape(name)}">\n' for name in styles),
        *(f'<script src="{escape(name)}" defer></script>\n' for name in scripts),
    ]
    return _page(title, body, "".join(head))


def shared_file(name: str) -> str:
    """The text of a style or a script of this folder, to write beside a page."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _inline(name: str) -> str:
    tag = "style" if name.endswith(".css") else "script"
    return f"<{tag}>\n{shared_file(name)}</{tag}>\n"


def _page(title: str, body: str, head: str) -> str:
    template = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))
    return template.substitute(title=escape(title), head=head, body=body)
