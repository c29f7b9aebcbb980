"""XOR-EnglishSpan's official metrics: SQuAD's F1 and exact match on English answers.

Asai et al. 2021, section 3.2. A question that was not answered scores 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..errors import DataError
from .report import Reference, Report, Score, average
from .squad import best, exact_match, f1


def score_engspan(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`f1` and `em` of every question, the best over its gold answers, from 0 to 1.

    Raises:
        DataError: if a question has no gold answer.
    """
    return [_score(reference, predictions.get(reference.qid)) for reference in references]


def evaluate_engspan(references: Iterable[Reference], predictions: Mapping[str, str]) -> Report:
    """The official report: macro average over the languages present.

    The official script passes over languages other than its seven; here they count.

    Raises:
        DataError: if there is no question, or one has no gold answer.
    """
    scores = score_engspan(references, predictions)
    return average(scores, task="xor-engspan", scorer="official")


def _score(reference: Reference, prediction: str | None) -> Score:
    if not reference.answers:
        raise DataError(f"xor-engspan: question '{reference.qid}' has no gold answer to score by")
    values = {"f1": 0.0, "em": 0.0}
    if prediction is not None:
        values["f1"] = best(f1, prediction, reference.answers)
        values["em"] = best(exact_match, prediction, reference.answers)
    return Score(reference.qid, reference.lang, values)
