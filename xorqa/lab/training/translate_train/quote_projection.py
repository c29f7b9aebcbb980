"""Answer projection: put the answer in quotation marks, translate, and find the marks again."""

import re

from ....core.lang import language
from ....core.types import Span

MARKS = ('""', "“”", "«»", "「」")
"""Tried in this order: the first pair of which the text has neither mark."""
QUOTES = frozenset('"“”„‟«»‹›「」『』〝〞〟＂')
"""Marks in translators' output; not single ones, which are also apostrophes."""
_STOPS = ",.;:،、，。 "

Projection = tuple[str, Span]
"""A translation and the span of the answer in it."""


def enclose(text: str, answer: Span) -> str | None:
    """The text with its answer in quotation marks; None if the text has marks of every kind."""
    marks = _marks(text)
    if marks is None:
        return None
    inside = f"{marks[0]}{text[answer.start : answer.end]}{marks[1]}"
    return text[: answer.start] + inside + text[answer.end :]


def unquote(translation: str, text: str, answer: Span) -> Projection | None:
    """The translation of `enclose(text, answer)` without the marks, and the span between them.

    The marks are reliable if the translation has exactly two more than `text`, counting marks of
    any kind, or of the inserted kind if the text had others. None if they are not reliable.
    """
    marks, others = _marks(text), sum(char in QUOTES for char in text)
    positions = [position for position, char in enumerate(translation) if char in QUOTES]
    if marks is None or len(positions) != others + 2:
        return None
    if others:
        positions = [position for position in positions if translation[position] in marks]
        if "".join(translation[position] for position in positions) != marks:
            return None
    first, last = positions
    inner = translation[first + 1 : last].strip()
    end = len(inner)
    if not text[: answer.end].endswith(inner[-1:]):  # American printers' "Paris,"
        end = len(inner.rstrip(_STOPS))
    if not end:
        return None
    return translation[:first] + inner + translation[last + 1 :], Span(first, first + end)


def locate(translation: str, answer: str, *, lang: str) -> Projection | None:
    """The answer's only occurrence in a translation, as whole words in any case; else None."""
    answer = answer.strip()
    pattern = re.escape(answer)
    if language(lang).spaced:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    matches = [*re.finditer(pattern, translation, re.IGNORECASE)] if answer else []
    return (translation, Span(*matches[0].span())) if len(matches) == 1 else None


def _marks(text: str) -> str | None:
    return next((marks for marks in MARKS if not {*marks} & {*text}), None)
