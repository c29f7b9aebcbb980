"""A text's words as places in it, and pieces into one text again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from ..core.lang import language
from ..core.types import Span

_WORD = r"""
    [\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}] \p{M}*
    | [[\p{L}\p{N}\p{M}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+
    | \S
"""


def words(text: str) -> list[Span]:
    """The words of a text, single characters where words are not divided by blanks.

    Each sign that is neither letter nor number is a word of its own.
    """
    return [Span(*match.span()) for match in _words().finditer(text)]


def overlapping(spans: Sequence[Span], span: Span) -> list[int]:
    """The positions of the spans that share a character with `span`."""
    return [at for at, s in enumerate(spans) if s.overlaps(span)]


def join(pieces: Sequence[str], *, lang: str) -> tuple[str, list[Span]]:
    """One text of several, with a blank between them if the language has any, and their places.

    Raises:
        ConfigError: if there is no such language.
    """
    blank = " " if language(lang).spaced or lang == "th" else ""  # Thai parts its sentences
    spans, start = [], 0
    for piece in pieces:
        spans.append(Span(start, start + len(piece)))
        start += len(piece) + len(blank)
    return blank.join(pieces), spans


@cache
def _words() -> Any:
    regex = import_module("regex")
    return regex.compile(_WORD, regex.VERBOSE | regex.VERSION1)
