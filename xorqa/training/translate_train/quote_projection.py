"""An answer through a translator: put in quotation marks before, and found by them after."""

from __future__ import annotations

import re

from ...core.lang import language
from ...core.types import Span

MARKS = ('""', "“”", "«»", "「」")
"""Tried in this order: the first of which the text has neither sign."""
QUOTES = frozenset('"“”„‟«»‹›「」『』〝〞〟＂')
"""What translators make of them. Single ones are not among them: they are apostrophes too."""
_STOPS = ",.;:،、，。 "

Found = tuple[str, Span]
"""A translation and the place of the answer in it."""


def enclose(text: str, answer: Span) -> str | None:
    """The text with its answer in quotation marks; None where it has signs of every kind."""
    marks = _marks(text)
    if marks is None:
        return None
    inside = f"{marks[0]}{text[answer.start : answer.end]}{marks[1]}"
    return text[: answer.start] + inside + text[answer.end :]


def unquote(translation: str, text: str, answer: Span) -> Found | None:
    """What a translation of `enclose(text, answer)` has in those marks, which are taken out.

    They are trusted if it has just two quotation marks more than `text` had: all its marks,
    of whatever kind, or those of the kind put in where the text had others.
    """
    marks, others = _marks(text), sum(char in QUOTES for char in text)
    places = [at for at, char in enumerate(translation) if char in QUOTES]
    if marks is None or len(places) != others + 2:
        return None
    if others:
        places = [at for at in places if translation[at] in marks]
        if "".join(translation[at] for at in places) != marks:
            return None
    first, last = places
    inner = translation[first + 1 : last].strip()
    end = len(inner)
    if not text[: answer.end].endswith(inner[-1:]):  # American printers' "Paris,"
        end = len(inner.rstrip(_STOPS))
    if not end:
        return None
    return translation[:first] + inner + translation[last + 1 :], Span(first, first + end)


def locate(translation: str, answer: str, *, lang: str) -> Found | None:
    """The only place where a translation has the answer, as whole words, in any case."""
    answer = answer.strip()
    pattern = re.escape(answer)
    if language(lang).spaced:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    places = [*re.finditer(pattern, translation, re.IGNORECASE)] if answer else []
    return (translation, Span(*places[0].span())) if len(places) == 1 else None


def _marks(text: str) -> str | None:
    return next((marks for marks in MARKS if not {*marks} & {*text}), None)
