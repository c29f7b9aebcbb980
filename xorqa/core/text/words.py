"""The spans of a text's words."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from ..lang import language
from ..types import Span

_WORD = r"""
    [\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}] \p{M}*
    | [[\p{L}\p{N}\p{M}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+
    | \S
"""


def word_spans(text: str) -> list[Span]:
    """The words of a text; single characters in scripts written without spaces.

    Each symbol and punctuation mark is a word of its own.
    """
    return [Span(*match.span()) for match in _words().finditer(text)]


def word_count(text: str, lang: str) -> int:
    """The number of words as MLQA counts its tokens (Lewis et al. 2020, Table 8).

    Words are separated by spaces. In languages written without spaces (in MLQA: Chinese), each
    character of such a script, each symbol and each punctuation mark counts as a word.
    """
    return len(text.split()) if language(lang).spaced else len(word_spans(text))


def overlapping(spans: Sequence[Span], span: Span) -> list[int]:
    """The indices of the spans that share a character with `span`."""
    return [at for at, s in enumerate(spans) if s.overlaps(span)]


@cache
def _words() -> Any:
    regex = import_module("regex")
    return regex.compile(_WORD, regex.VERBOSE | regex.VERSION1)
