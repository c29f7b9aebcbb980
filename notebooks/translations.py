"""Lessons in other languages: their prose as messages of gettext, a file per lesson and language.

    python notebooks/translations.py fi           # what is translated
    python notebooks/translations.py fi 01 02a    # writes or updates languages/fi/01_... .po

A message is a paragraph, a heading or a list of a lesson's prose. A translator fills in `msgstr`
with any tool for PO files. What is not translated, or whose English has changed since (`fuzzy`),
stays English. Code and what it prints stay English too.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from versions import HERE, lessons, read, select

FOLDER = HERE / "languages"
RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")
WIDTH = 0  # no line is broken: a paragraph is one line, as it is in the editors of translators
_BREAK = re.compile(r"\n\s*(?![-|>#$]|```|\d+\. |\s)")  # inside a paragraph or an item of a list


def main(arguments: Sequence[str] | None = None) -> int:
    """Update the files of a language, and print how much of each lesson is translated."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lang", help="a language, such as fi")
    parser.add_argument("lessons", nargs="*", help="01, or a whole name; the translated by default")
    given = parser.parse_args(arguments)
    scripts = select(given.lessons) if given.lessons else translated(given.lang)
    for script in scripts:
        catalog = updated(script, given.lang)
        path = po_file(script, given.lang)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encoded(catalog))
        done, total = counts(catalog)
        print(f"{path.relative_to(HERE)}: {done} of {total} messages")
    return 0


def languages() -> list[str]:
    """The languages with a translated lesson."""
    return sorted(path.name for path in FOLDER.glob("*") if path.is_dir())


def translated(lang: str) -> list[Path]:
    """The scripts of the lessons that have a file in a language."""
    return [script for script in lessons() if po_file(script, lang).is_file()]


def po_file(script: Path, lang: str) -> Path:
    """The path of a lesson's messages in a language."""
    return FOLDER / lang / f"{script.stem}.po"


def updated(script: Path, lang: str) -> Catalog:
    """The messages of a lesson, with the translations that there are."""
    path = po_file(script, lang)
    catalog = read_po(io.BytesIO(path.read_bytes()), lang) if path.is_file() else Catalog(lang)
    template = Catalog()
    for text in messages(read(script)) + messages(read(script, "instructor")):
        template.add(text)
    catalog.update(template, update_header_comment=False)
    catalog.obsolete.clear()
    return catalog


def messages(book: Any) -> list[str]:
    """The pieces of a lesson's prose, in order."""
    return [piece for cell in _prose(book) for piece in _pieces(cell.source)]


def counts(catalog: Catalog) -> tuple[int, int]:
    """How many messages are translated, and how many there are."""
    found = [message for message in catalog if message.id]
    return sum(bool(message.string) and not message.fuzzy for message in found), len(found)


def in_language(book: Any, script: Path, lang: str) -> Any:
    """The lesson with its prose in a language, as far as it is translated."""
    catalog = updated(script, lang)
    for cell in _prose(book):
        pieces = _pieces(cell.source)
        found = [catalog.get(piece) for piece in pieces]
        cell.source = "\n\n".join(
            message.string if message and message.string and not message.fuzzy else piece
            for piece, message in zip(pieces, found, strict=True)
        )
        if lang in RIGHT_TO_LEFT:
            cell.source = f'<div dir="rtl">\n\n{cell.source}\n\n</div>'
    return book


def _prose(book: Any) -> Iterator[Any]:
    return (cell for cell in book.cells if cell.cell_type == "markdown")


def _pieces(text: str) -> list[str]:
    """Paragraphs, headings and lists, each line of which is a whole one."""
    pieces = [piece for piece in text.split("\n\n") if piece.strip()]
    return [piece if "$$" in piece else _BREAK.sub(" ", piece) for piece in pieces]


def _encoded(catalog: Catalog) -> bytes:
    """A PO file without dates, which would change with every update."""
    out = io.BytesIO()
    write_po(out, catalog, width=WIDTH, omit_header=True)
    header = f'msgid ""\nmsgstr ""\n"Language: {catalog.locale_identifier}\\n"\n'
    header += '"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return header.encode() + out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
