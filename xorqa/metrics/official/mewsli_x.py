"""Mewsli-X: MAP@20 of the entities that are retrieved for a mention, as XTREME-R's script counts.

Ruder et al. 2021. The script is `evaluate` in `third_party/utils_mewslix.py` of
google-research/xtreme. A mention has one gold entity, so MAP@20 is the reciprocal of its rank.
"""

from collections.abc import Iterable, Mapping, Sequence

from ..report import Reference, Score

TOP = 20
"""The number of entities that count."""


def score_mewsli_x(
    references: Iterable[Reference], predictions: Mapping[str, Sequence[str]]
) -> list[Score]:
    """`map@20` of each mention: 1 / rank of the gold entity, 0 if it is not among the first 20.

    Only the first gold entity counts. A mention without a prediction scores 0. An entity that is
    predicted twice takes two ranks.
    """
    return [
        Score(row.qid, row.lang, {"map@20": _reciprocal_rank(row, predictions.get(row.qid, ()))})
        for row in references
    ]


def _reciprocal_rank(reference: Reference, entities: Sequence[str]) -> float:
    gold = reference.answers[0].strip()
    ranks = (rank for rank, entity in enumerate(entities[:TOP], 1) if entity == gold)
    return next((1 / rank for rank in ranks), 0.0)
