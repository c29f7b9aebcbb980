"""Exact match and token F1 of answers, normalised in the answers' own language.

The measures are SQuAD's (Rajpurkar et al. 2016, section 6.1); `answer_text` normalises and
tokenises.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from .answer_text import tokens
from .report import Reference, Score


def token_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """F1 (0 to 1) of two bags of tokens; 0.0 if they share none."""
    shared = sum((Counter(predicted) & Counter(gold)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(gold)
    return 2 * precision * recall / (precision + recall)


def best(measure: Callable[[str, str], float], prediction: str, golds: Sequence[str]) -> float:
    """A measure's maximum over the gold answers; 0.0 if there are none."""
    return max((measure(prediction, gold) for gold in golds), default=0.0)


def best_overlap(predicted: list[str], golds: Sequence[list[str]]) -> dict[str, float]:
    """`f1` and `em` of a prediction's tokens, the best over those of the gold answers."""
    f1 = max((token_f1(predicted, gold) for gold in golds), default=0.0)
    return {"f1": f1, "em": float(predicted in golds)}


def score_tokens(
    references: Iterable[Reference],
    predictions: Mapping[str, str],
    tokenize: Callable[[str, str], list[str]],
) -> list[Score]:
    """`f1` and `em` of every question, the best over its gold answers, from 0 to 1.

    `tokenize` maps a text and the question's language to the tokens that are compared. A question
    without a prediction scores 0.
    """
    scores = []
    for row in references:
        values = {"f1": 0.0, "em": 0.0}
        if (prediction := predictions.get(row.qid)) is not None:
            golds = [tokenize(gold, row.lang) for gold in row.answers]
            values = best_overlap(tokenize(prediction, row.lang), golds)
        scores.append(Score(row.qid, row.lang, values))
    return scores


def score_answers(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """As `score_tokens`, with answers in the question's language.

    Two answers without tokens, which are equal, have an F1 of 1.
    """
    return [
        Score(row.qid, row.lang, {**row.values, "f1": max(row.values.values())})
        for row in score_tokens(references, predictions, tokens)
    ]


def score_english_answers(
    references: Sequence[Reference], predictions: Mapping[str, str]
) -> list[Score]:
    """As `score_answers`, with English answers to questions in any language."""
    english = [replace(row, lang="en") for row in references]
    return [
        replace(score, lang=row.lang)
        for row, score in zip(references, score_answers(english, predictions), strict=True)
    ]
