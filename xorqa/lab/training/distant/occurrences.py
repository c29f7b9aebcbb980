"""Occurrences of an answer in a passage: words compared as in SQuAD's scorer, as spans."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ....core.text.search_tokens import ENGLISH_STOP_WORDS
from ....core.types import Span
from ....metrics.tasks.squad import normalize

Word = tuple[str, Span]
"""A normalised word and its span in the text."""


def occurrences(text: str, answer: str, question: str) -> list[Span]:
    """Where `text` contains `answer` as whole words, nearest to the question's words first.

    The distance is the sum, over the question's words in the text, of the words to their nearest
    occurrence; stop words and the answer's words do not count.
    """
    words, answer_words = _words(text), normalize(answer).split()
    length = len(answer_words)
    if not length:
        return []
    starts = [
        start
        for start in range(len(words) - length + 1)
        if [word for word, _ in words[start : start + length]] == answer_words
    ]
    context = set(normalize(question).split()) - ENGLISH_STOP_WORDS - set(answer_words)
    positions: dict[str, list[int]] = {}
    for position, (word, _) in enumerate(words):
        if word in context:
            positions.setdefault(word, []).append(position)
    ranked = sorted(starts, key=lambda start: (_distance(start, length, positions), start))
    return [_answer_span(text, words[start : start + length], answer) for start in ranked]


@lru_cache(maxsize=4096)
def _words(text: str) -> list[Word]:
    return [
        (word, Span(*match.span()))
        for match in re.finditer(r"\S+", text)
        for word in normalize(match[0]).split()
    ]


def _distance(start: int, length: int, positions: Mapping[str, Sequence[int]]) -> int:
    last = start + length - 1
    return sum(
        min(max(start - position, position - last) for position in of_word)
        for of_word in positions.values()
    )


def _answer_span(text: str, words: Sequence[Word], answer: str) -> Span:
    """The span of the answer as given, or else of the words without surrounding punctuation."""
    start, end = words[0][1].start, words[-1][1].end
    pattern = rf"{re.escape(answer)}|[^\W_](?:.*[^\W_])?"
    match = re.search(pattern, text[start:end], re.IGNORECASE | re.DOTALL)
    # characters that the scorer keeps, such as a dash, belong to the answer
    if match is None or normalize(match[0]) != normalize(answer):
        return Span(start, end)
    return Span(start + match.start(), start + match.end())
