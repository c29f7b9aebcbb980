"""Code-switching: words of English questions and passages said in other languages.

So a reader learns to find answers among words of languages that no question is in (Qin et al.
2020, "CoSDA-ML", section 3: random languages, random words, one pass over the data).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from ...core.types import Span
from ...datasets.segments import words
from ...io.squad_xor import SquadQuestion
from ..bitext.lexicon import Lexicon

WORDS = 0.5  # of those the lexicon has


def switched(
    questions: Sequence[SquadQuestion], lexicon: Lexicon, share: float, rng: random.Random
) -> list[SquadQuestion]:
    """The questions, a share of them with words of one language for the passage, of one for the
    question; the answer is what then stands where it stood.

    English ones should be given.
    """
    langs = sorted(lexicon)
    return [
        _switch(question, lexicon[rng.choice(langs)], lexicon[rng.choice(langs)], rng)
        if langs and rng.random() < share
        else question
        for question in questions
    ]


def _switch(
    question: SquadQuestion, asked: dict[str, str], told: dict[str, str], rng: random.Random
) -> SquadQuestion:
    text, _ = _said(question.question, Span(0, 0), asked, rng)
    context, span = _said(question.context, question.span, told, rng)
    answers = (context[span.start : span.end],)
    return replace(question, question=text, context=context, answers=answers, start=span.start)


def _said(text: str, answer: Span, lexicon: dict[str, str], rng: random.Random) -> tuple[str, Span]:
    """The text with some words replaced, and where the answer stands in it.

    A word that reaches over an end of the answer stays.
    """
    pieces: list[str] = []
    done, start, end = 0, answer.start, answer.end
    for word in words(text):
        said = lexicon.get(text[word.start : word.end].lower())
        cut = word.overlaps(answer) and not (answer.start <= word.start and word.end <= answer.end)
        if said is None or cut or rng.random() >= WORDS:
            continue
        if text[word.start].isupper():
            said = said[0].upper() + said[1:]
        pieces += [text[done : word.start], said]
        done = word.end
        longer = len(said) - (word.end - word.start)
        start += longer if word.end <= answer.start else 0
        end += longer if word.end <= answer.end else 0
    return "".join([*pieces, text[done:]]), Span(start, end)
