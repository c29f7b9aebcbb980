"""The word spans of a text, and joining sentences into a text."""

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
    """The words of a text; single characters in scripts without spaces.

    Each sign that is neither letter nor number is a word.
    """
    return [Span(*match.span()) for match in _words().finditer(text)]


def overlapping(spans: Sequence[Span], span: Span) -> list[int]:
    """The indices of the spans that share a character with `span`."""
    return [at for at, s in enumerate(spans) if s.overlaps(span)]


def join(sentences: Sequence[str], *, lang: str) -> tuple[str, list[Span]]:
    """Join sentences, with spaces if the language uses them, and return the sentences' spans.

    Raises:
        ConfigError: if the language is unknown.
    """
    space = " " if language(lang).spaced or lang == "th" else ""  # Thai has spaces at sentences
    spans, start = [], 0
    for sentence in sentences:
        spans.append(Span(start, start + len(sentence)))
        start += len(sentence) + len(space)
    return space.join(sentences), spans


@cache
def _words() -> Any:
    regex = import_module("regex")
    return regex.compile(_WORD, regex.VERBOSE | regex.VERSION1)
