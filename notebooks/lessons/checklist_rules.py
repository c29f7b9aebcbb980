"""Rules that answer without reading: by the position of a word, or by its sentence's words."""

from __future__ import annotations

from collections.abc import Callable

Rule = Callable[[str, str], str]
"""A question and its context to an answer."""


def first_word(_: str, context: str) -> str:
    """The first word of the context."""
    return context.split(maxsplit=1)[0]


def overlap(question: str, context: str) -> str:
    """The first word of the sentence that shares most words with the question."""
    asked = set(question.lower().strip("?").split())
    sentences = context.rstrip(".").split(". ")
    return max(sentences, key=lambda one: len(asked & set(one.lower().split()))).split()[0]


def by_less(question: str, context: str) -> str:
    """The last word where "less" is asked, else the first."""
    return context.split()[-1 if "less" in question else 0]


def mirrored(question: str, context: str) -> str:
    """The first word where "less" is asked, else the last."""
    return context.split()[0 if "less" in question else -1]
