"""Mewsli-X by the paper's definition, MAP@20, for files that its script does not foresee."""

from collections.abc import Iterable, Mapping, Sequence

from ..official.mewsli_x import TOP
from ..report import Reference, Score


def score_mewsli_x(
    references: Iterable[Reference], predictions: Mapping[str, Sequence[str]]
) -> list[Score]:
    """`map@20` of each mention: 1 / rank of its best gold entity within the first 20, else 0.

    Every gold entity counts, an entity that is predicted twice takes only its first rank, and
    white space around ids does not matter.
    """
    return [
        Score(row.qid, row.lang, {"map@20": _reciprocal_rank(row, predictions.get(row.qid, ()))})
        for row in references
    ]


def _reciprocal_rank(reference: Reference, entities: Sequence[str]) -> float:
    gold = {answer.strip() for answer in reference.answers}
    ranked = [*dict.fromkeys(entity.strip() for entity in entities)][:TOP]
    return next((1 / rank for rank, entity in enumerate(ranked, 1) if entity in gold), 0.0)
