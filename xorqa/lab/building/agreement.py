"""Which of several annotators' answers counts, how well they agree, and copied questions.

As Lewis et al. 2020 (MLQA), section 2.2: the answer of the majority, or else the one with the
highest F1 with the others; the agreement is the mean token F1 of all pairs.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

from ...metrics.answers import token_f1
from ...metrics.tasks.mlqa import normalize

MIN_AGREEMENT = 0.3
"""Questions whose answers agree less are left out."""
MAX_COPIED = 0.5
"""Questions more of whose words are copied from the sentence are left out."""


def answer_f1(answer: str, other: str, lang: str) -> float:
    """Token F1 of two answers, from 0 to 1, by MLQA's normalisation; equal answers have 1."""
    first, second = normalize(answer, lang), normalize(other, lang)
    return 1.0 if first == second else token_f1(first.split(), second.split())


def agreement(answers: Sequence[str], lang: str) -> float | None:
    """The mean F1 of all pairs of answers; None with fewer than two."""
    pairs = [answer_f1(answer, other, lang) for answer, other in combinations(answers, 2)]
    return sum(pairs) / len(pairs) if pairs else None


def has_majority(answers: Sequence[Hashable]) -> bool:
    """Whether two or more answers are equal."""
    return max(Counter(answers).values(), default=0) > 1


def representative(answers: Sequence[tuple[str, int]], lang: str) -> tuple[str, int]:
    """The answer, a text and its offset, that stands for all of them.

    The most frequent one, if it occurs more than once; else the one with the highest F1 with all
    others. The first of equals counts.
    """
    texts = [text for text, _ in answers]
    counts = Counter(texts)
    if has_majority(texts):
        return max(answers, key=lambda answer: counts[answer[0]])
    return max(answers, key=lambda answer: sum(answer_f1(answer[0], text, lang) for text in texts))


def copied_share(question: str, sentence: str, lang: str) -> float:
    """The share of a question's words that are a subsequence of the sentence's, from 0 to 1."""
    words = normalize(question, lang).split()
    of_sentence = normalize(sentence, lang).split()
    row = [0] * (len(of_sentence) + 1)  # the longest common subsequence, a word at a time
    for word in words:
        before = row
        row = [0]
        for i, other in enumerate(of_sentence, 1):
            row.append(before[i - 1] + 1 if word == other else max(before[i], row[i - 1]))
    return row[-1] / len(words) if words else 0.0
