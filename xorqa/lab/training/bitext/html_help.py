"""Parallel paragraphs of help pages: a folder per language, with the same HTML files.

It reads LibreOffice's help, whose headings and paragraphs carry the same ids in every language:
`help/de/text/**/*.html` beside `help/en-US`. An untranslated paragraph is in English.
"""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from ....core.errors import DataError

ENGLISH = ("en-US", "en")
_TAGS = ("p", "h1", "h2", "h3", "h4", "h5", "h6")


def paragraphs(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Language, text and English text of each paragraph (two words or more) of both sides.

    The folder's name is the language, `de` or `zh-CN`.

    Raises:
        DataError: if there are no such pages, or no English ones beside them.
    """
    english = next((path for name in ENGLISH if (path := folder.with_name(name)).is_dir()), None)
    pages = sorted(folder.rglob("*.html"))
    if english is None or not pages:
        raise DataError(f"{folder} holds no HTML pages, or has no folder {ENGLISH[0]} beside it")
    lang = folder.name.partition("-")[0].lower()
    for page in pages:
        original = english / page.relative_to(folder)
        if original.is_file():
            english_texts = _texts(original)
            for name, text in _texts(page).items():
                if text and " " in english_texts.get(name, ""):
                    yield lang, text, english_texts[name]


def _texts(page: Path) -> dict[str, str]:
    """The text of every element of `_TAGS` that has an id."""
    reader = _Reader()
    reader.feed(page.read_text(encoding="utf-8", errors="replace"))
    return {name: " ".join("".join(parts).split()) for name, parts in reader.texts.items()}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, list[str]] = {}
        self._parts: list[str] = []  # of the open element; discarded if it has no id

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _TAGS:
            name = dict(attrs).get("id")
            self._parts = self.texts.setdefault(name, []) if name else []

    def handle_endtag(self, tag: str) -> None:
        if tag in _TAGS:
            self._parts = []

    def handle_data(self, data: str) -> None:
        self._parts.append(data)
