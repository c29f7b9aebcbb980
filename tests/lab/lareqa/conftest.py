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
        for at in range(4):
            answer, other = f"Nile{at} {lang} flows.", f"Amazon{at} {lang} rises."
            context = f"{answer} {other}"
            questions.append(PoolQuestion(f"q{at}", lang, f"Nile{at} {lang}?", at))
            sentences.append(PoolSentence(lang, answer, context, frozenset({f"q{at}"}), at))
            sentences.append(PoolSentence(lang, other, context, frozenset(), at))
    return Pool("rivers", tuple(questions), tuple(sentences))
