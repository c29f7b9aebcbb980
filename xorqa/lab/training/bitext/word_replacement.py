"""Replacement of English words by their translations in a lexicon."""

import random

from ....core.text.words import word_spans
from ....core.types import Span

REPLACED = 0.5  # share of the words in the lexicon


def replace_words(
    text: str, answer: Span, lexicon: dict[str, str], rng: random.Random
) -> tuple[str, Span]:
    """The text with some words replaced, and the answer's new span.

    A word that crosses a boundary of the answer stays.
    """
    pieces: list[str] = []
    done, start, end = 0, answer.start, answer.end
    for word in word_spans(text):
        translation = lexicon.get(text[word.start : word.end].lower())
        inside = answer.start <= word.start and word.end <= answer.end
        crosses = word.overlaps(answer) and not inside
        if translation is None or crosses or rng.random() >= REPLACED:
            continue
        if text[word.start].isupper():
            translation = translation[0].upper() + translation[1:]
        pieces += [text[done : word.start], translation]
        done = word.end
        growth = len(translation) - (word.end - word.start)
        start += growth if word.end <= answer.start else 0
        end += growth if word.end <= answer.end else 0
    return "".join([*pieces, text[done:]]), Span(start, end)


def switch_words(text: str, lexicon: dict[str, str], rng: random.Random) -> str:
    """The text with some words replaced."""
    return replace_words(text, Span(0, 0), lexicon, rng)[0]
