"""Sentences: split by the rules of sentencex (Wikimedia), in Thai at spaces; and joined."""

import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

from ..types import Span

_JOINED_SCRIPTS = {"Jpan", "Hans"}
_THAI_MIN_LENGTH = 100
_THAI_SPACE = re.compile(r"(?<=[\u0e01-\u0e45\u0e47-\u0e4e])\s+(?=[\u0e01-\u0e4e])")  # not after ๆ

_WIDE_SPACE = re.compile(r"[^\S\n\r]")


def split_sentences(text: str, lang: str) -> list[Span]:
    """The spans of a text's sentences, in order, without the white space between them.

    Thai has no full stop, and a space may also separate clauses, so a Thai "sentence" ends at the
    first space between Thai letters after 100 characters. `lang` is an ISO 639-1 code.
    """
    boundaries = _thai_boundaries(text) if lang == "th" else _boundaries(text, lang)
    spans = []
    for start, end in pairwise([0, *boundaries, len(text)]):
        sentence = text[start:end]
        indent = len(sentence) - len(sentence.lstrip())
        if indent < len(sentence):
            spans.append(Span(start + indent, start + len(sentence.rstrip())))
    return spans


def sentence_separator(script: str) -> str:
    """The separator of sentences in a script (ISO 15924): a space, or nothing."""
    return "" if script in _JOINED_SCRIPTS else " "


def _thai_boundaries(text: str) -> Iterator[int]:
    start = 0
    for space in _THAI_SPACE.finditer(text):
        if space.start() - start >= _THAI_MIN_LENGTH:
            start = space.end()
            yield start


def _boundaries(text: str, lang: str) -> Iterator[int]:
    from sentencex import segment

    try:
        pieces = segment(lang, text)
    except BaseException as error:  # sentencex cuts bytes of wide white space before initials
        if type(error).__name__ != "PanicException":
            raise
        pieces = segment(lang, _WIDE_SPACE.sub(" ", text))
    return accumulate(map(len, pieces))  # the pieces add up to the whole text
