"""XOR-Retrieve's official metric R@kt: is an answer within the first k thousand tokens?

Asai et al. 2021, section 3.1, and the official script's habits: answers are looked for as
they are written, in NLTK's tokens joined by blanks; "yes" and "no" are no answers, and
a question with no others is not counted; nor is one that was not predicted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from ...core.errors import ConfigError
from ...text.nltk_words import nltk_words
from ..report import Reference, Score

DEFAULT_K = (2, 5)
"""The task's two budgets, in thousands of tokens."""

Tokenized = tuple[str, int]
"""Tokens joined by blanks, and how many they are; far smaller in memory than a list."""


def score_xor_retrieve(
    references: Iterable[Reference],
    predictions: Mapping[str, Sequence[str]],
    *,
    k: Sequence[int] = DEFAULT_K,
) -> list[Score]:
    """R@kt of every question that counts, 1.0 or 0.0, named `R@2kt`, `R@5kt`, ...

    Args:
        references: questions with English answers.
        predictions: qid to passages, best first.
        k: budgets in thousands of tokens.

    Raises:
        ConfigError: unless every budget is at least 1.
    """
    limits = budgets(k)
    tokenize = cache(tokenized)  # systems return the same passage for many questions
    scores = []
    for reference in references:
        golds = spans(reference)
        if not golds or reference.qid not in predictions:
            continue
        values = {}
        for budget in limits:
            parts = first_tokens(predictions[reference.qid], 1000 * budget, tokenize)
            text = " ".join(parts)
            values[f"R@{budget}kt"] = float(any(gold in text for gold in golds))
        scores.append(Score(reference.qid, reference.lang, values))
    return scores


def budgets(k: Sequence[int]) -> list[int]:
    """The budgets in rising order, each once.

    Raises:
        ConfigError: unless there is one and every one is at least 1.
    """
    found = sorted(set(k))
    if not found or found[0] < 1:
        raise ConfigError(f"k needs whole thousands of tokens from 1 on, not {list(k)}")
    return found


def spans(reference: Reference) -> list[str]:
    """The gold answers that a passage can hold: all but "yes" and "no"."""
    return [answer for answer in reference.answers if answer not in ("yes", "no")]


def tokenized(passage: str) -> Tokenized:
    """NLTK's tokens of a passage."""
    tokens = nltk_words(passage)
    return " ".join(tokens), len(tokens)


def first_tokens(
    passages: Iterable[str], limit: int, tokenize: Callable[[str], Tokenized]
) -> list[str]:
    """The first `limit` tokens: of each passage that has some its own, joined by blanks."""
    parts = []
    for passage in passages:
        text, count = tokenize(passage)
        if count >= limit:
            parts.append(" ".join(text.split(" ")[:limit]))
            break
        if count:  # an empty passage must not leave a second blank
            parts.append(text)
            limit -= count
    return parts
