"""A pool small enough to count by hand."""

from __future__ import annotations

import pytest

from xorqa.lab.lareqa.pool import Pool, PoolQuestion, PoolSentence

LANGS = ("de", "en", "zh")


@pytest.fixture
def pool() -> Pool:
    """Four articles with a question each, its answer and another sentence, in three languages."""
    questions, sentences = [], []
    for lang in LANGS:
        for number in range(4):
            answer, other = f"Nile{number} {lang} flows.", f"Amazon{number} {lang} rises."
            context = f"{answer} {other}"
            questions.append(PoolQuestion(f"q{number}", lang, f"Nile{number} {lang}?", number))
            sentences.append(PoolSentence(lang, answer, context, frozenset({f"q{number}"}), number))
            sentences.append(PoolSentence(lang, other, context, frozenset(), number))
    return Pool("rivers", tuple(questions), tuple(sentences))
