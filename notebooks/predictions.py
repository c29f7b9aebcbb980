"""A sheet with the predictions of all lessons and room to write: `make course` adds it to the zips.

The page is HTML, to be printed or kept beside the lessons; a guess that is not written down is
remembered as the result.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from versions import lessons, read

PREDICTION = re.compile(r"^\*\*Predict first\.\*\* (.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Predictions</title><style>
body {{ font: 11pt/1.4 sans-serif; max-width: 48em; margin: 2em auto; padding: 0 1em }}
h2 {{ font-size: 12pt; margin: 1.5em 0 .5em; break-after: avoid }}
li {{ margin-bottom: 1em; break-inside: avoid }}
.room {{ display: grid; grid-template-columns: 1fr 1fr; gap: 1em; color: #555; font-size: 9pt }}
.room span {{ border-bottom: 1px solid #888; height: 3em }}
</style></head><body><h1>Predictions</h1>
<p>Write each guess before you run the next cell, then the result, and in a word why they differ.
Wrong guesses cost nothing.</p>
{body}</body></html>
"""
ROOM = '<div class="room"><span>guess</span><span>result, and why it differs</span></div>'


def predictions(book: Any) -> Iterator[str]:
    """What a lesson asks its readers to predict, in order."""
    for cell in book.cells:
        if cell.cell_type == "markdown":
            yield from (" ".join(found.split()) for found in PREDICTION.findall(cell.source))


def sheet() -> str:
    """The page of all lessons."""
    body = []
    for book in (read(script, "student") for script in lessons()):
        title = book.cells[0].source.splitlines()[0].lstrip("# ")
        asked = "".join(f"<li>{_shown(text)}{ROOM}</li>\n" for text in predictions(book))
        body.append(f"<h2>{html.escape(title)}</h2>\n<ol>\n{asked}</ol>\n")
    return PAGE.format(body="".join(body))


def _shown(text: str) -> str:
    """Markdown of a sentence as HTML: code and emphasis."""
    shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", shown)
