"""XOR-Retrieve's official metric R@kt: is an answer within the first k thousand tokens?

Asai et al. 2021, section 3.1, as in the official script: answers are searched verbatim in NLTK's
tokens joined by spaces. A question is not counted if it has only the answers "yes" and "no", or
no prediction.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from ...core.errors import ConfigError
from ...core.text.nltk_words import nltk_words
from ..report import Reference, Score

DEFAULT_K = (2, 5)
"""The task's two token budgets, in thousands."""

Tokenized = tuple[str, int]
"""Tokens joined by spaces, and their number; takes far less memory than a list."""


def score_xor_retrieve(
    references: Iterable[Reference],
    predictions: Mapping[str, Sequence[str]],
    *,
    k: Sequence[int] = DEFAULT_K,
) -> list[Score]:
    """R@kt of every question that is counted, 1.0 or 0.0, named `R@2kt`, `R@5kt`, ...

    Args:
        references: questions with English answers.
        predictions: qid to passages, best first.
        k: budgets in thousands of tokens.

    Raises:
        ConfigError: if a budget is less than 1.
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
    """The budgets in ascending order, without duplicates.

    Raises:
        ConfigError: if there are none, or one is less than 1.
    """
    limits = sorted(set(k))
    if not limits or limits[0] < 1:
        raise ConfigError(f"k must be thousands of tokens, 1 or more, not {list(k)}")
    return limits


def spans(reference: Reference) -> list[str]:
    """The gold answers that can occur in a passage: all but "yes" and "no"."""
    return [answer for answer in reference.answers if answer not in ("yes", "no")]


def tokenized(passage: str) -> Tokenized:
    """NLTK's tokens of a passage."""
    tokens = nltk_words(passage)
    return " ".join(tokens), len(tokens)


def first_tokens(
    passages: Iterable[str], limit: int, tokenize: Callable[[str], Tokenized]
) -> list[str]:
    """The first `limit` tokens, as one text per passage; passages without tokens are left out."""
    parts = []
    for passage in passages:
        text, count = tokenize(passage)
        if count >= limit:
            parts.append(" ".join(text.split(" ")[:limit]))
            break
        if count:  # an empty passage must not leave a second space
            parts.append(text)
            limit -= count
    return parts
