"""Where sentences begin and end: by the rules of sentencex (Wikimedia), and at blanks in Thai."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

from ..core.types import Span

_THAI_LEAST = 100
_THAI_BLANK = re.compile(r"(?<=[\u0e01-\u0e45\u0e47-\u0e4e])\s+(?=[\u0e01-\u0e4e])")  # not after ๆ


def breaks(text: str, lang: str) -> list[Span]:
    """The sentences of a text, in order: no two overlap, and only white space lies between.

    Thai has no full stop, and a blank also parts clauses: there a "sentence" ends at the first
    blank between Thai letters after 100 characters.

    Args:
        text: may be empty, then there is none.
        lang: ISO 639-1 code.
    """
    cuts = _thai(text) if lang == "th" else _others(text, lang)
    spans = []
    for start, end in pairwise([0, *cuts, len(text)]):
        piece = text[start:end]
        blank = len(piece) - len(piece.lstrip())
        if blank < len(piece):
            spans.append(Span(start + blank, start + len(piece.rstrip())))
    return spans


def _thai(text: str) -> Iterator[int]:
    start = 0
    for blank in _THAI_BLANK.finditer(text):
        if blank.start() - start >= _THAI_LEAST:
            start = blank.end()
            yield start


def _others(text: str, lang: str) -> Iterator[int]:
    from sentencex import segment

    return accumulate(map(len, segment(lang, text)))  # the pieces are the whole text
