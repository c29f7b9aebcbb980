"""Where a passage says an answer: words compared as SQuAD's scorer does, characters returned."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from ...core.types import Span
from ...metrics.official.squad import normalize
from ...retrieval.analysis import ENGLISH_STOP_WORDS

Word = tuple[str, Span]
"""A normalised word and the characters it was made of."""


def occurrences(text: str, answer: str, question: str) -> list[Span]:
    """The places where `text` says `answer` in whole words, those near the question's first.

    Nearness is the sum, over the question's words that stand in the text, of the distance in
    words to the nearest of them; stop words and the answer's own do not count.
    """
    wanted = normalize(answer).split()
    words = _words(text)
    found = (
        [
            at
            for at in range(len(words) - len(wanted) + 1)
            if all(words[at + more][0] == word for more, word in enumerate(wanted))
        ]
        if wanted
        else []
    )
    asked = set(normalize(question).split()) - ENGLISH_STOP_WORDS - set(wanted)
    places = _places(words, asked)
    ranked = sorted(found, key=lambda at: (_distance(at, len(wanted), places), at))
    return [_bare(text, words[at : at + len(wanted)], answer) for at in ranked]


@lru_cache(maxsize=4096)
def _words(text: str) -> list[Word]:
    return [
        (word, Span(*match.span()))
        for match in re.finditer(r"\S+", text)
        for word in normalize(match[0]).split()
    ]


def _places(words: Sequence[Word], asked: Collection[str]) -> list[list[int]]:
    """The positions of each word asked for that is there at all."""
    places: dict[str, list[int]] = {}
    for at, (word, _) in enumerate(words):
        if word in asked:
            places.setdefault(word, []).append(at)
    return list(places.values())


def _distance(at: int, length: int, places: Sequence[Sequence[int]]) -> int:
    last = at + length - 1
    return sum(min(max(at - place, place - last) for place in some) for some in places)


def _bare(text: str, words: Sequence[Word], answer: str) -> Span:
    """The answer as it was given, if it stands there so; else without punctuation around it."""
    start, end = words[0][1].start, words[-1][1].end
    pattern = rf"{re.escape(answer)}|[^\W_](?:.*[^\W_])?"
    match = re.search(pattern, text[start:end], re.IGNORECASE | re.DOTALL)
    # what the scorer does not take for punctuation, as a dash, belongs to the answer
    if match is None or normalize(match[0]) != normalize(answer):
        return Span(start, end)
    return Span(start + match.start(), start + match.end())
