"""Exact match and token F1 of answers, normalised in the answers' own language.

The measures are SQuAD's (Rajpurkar et al. 2016, section 6.1); `answer_text` normalises and
tokenises.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

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


def score_answers(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`f1` and `em` of every question, the best over its gold answers, from 0 to 1.

    Answers are compared in the question's language. A question without a prediction scores 0.
    """
    return [_score(row, predictions.get(row.qid), row.lang) for row in references]


def score_english_answers(
    references: Iterable[Reference], predictions: Mapping[str, str]
) -> list[Score]:
    """As `score_answers`, with English answers to questions in any language."""
    return [_score(row, predictions.get(row.qid), "en") for row in references]


def _score(reference: Reference, prediction: str | None, lang: str) -> Score:
    values = {"f1": 0.0, "em": 0.0}
    if prediction is not None:
        predicted = tokens(prediction, lang)
        golds = [tokens(gold, lang) for gold in reference.answers]
        values["em"] = float(predicted in golds)
        values["f1"] = max([values["em"], *(token_f1(predicted, gold) for gold in golds)])
    return Score(reference.qid, reference.lang, values)
