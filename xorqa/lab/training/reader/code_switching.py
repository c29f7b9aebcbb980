"""Code switching: replace words of English questions and passages by those of other languages.

A reader trained in this way learns to find answers among words of languages that have no training
questions (Qin et al. 2020, "CoSDA-ML": random languages, random words, one pass over the data).
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from ....io.squad_xor import SquadQuestion
from ..bitext.lexicon import Lexicon
from ..bitext.word_replacement import replace_words, switch_words


def code_switch(
    questions: Sequence[SquadQuestion], lexicon: Lexicon, share: float, rng: random.Random
) -> list[SquadQuestion]:
    """English questions, a share of them code-switched.

    Words of one language are put into the passage and words of one into the question; the answer
    becomes the text now at its position.
    """
    langs = sorted(lexicon)
    return [
        _switch(question, lexicon[rng.choice(langs)], lexicon[rng.choice(langs)], rng)
        if langs and rng.random() < share
        else question
        for question in questions
    ]


def _switch(
    question: SquadQuestion,
    question_words: dict[str, str],
    context_words: dict[str, str],
    rng: random.Random,
) -> SquadQuestion:
    if question.span is None:
        return question
    text = switch_words(question.question, question_words, rng)
    context, span = replace_words(question.context, question.span, context_words, rng)
    answers = (context[span.start : span.end],)
    return replace(question, question=text, context=context, answers=answers, span=span)
