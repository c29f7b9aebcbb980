"""Fusion of rankings: reciprocal ranks, and the order of languages in a mixed corpus."""

from collections.abc import Iterable, Iterator, Sequence

from ..core.types import Hit, Passage, best_first


def fuse(
    rankings: Sequence[Sequence[Hit]], *, weights: Sequence[float], constant: float
) -> list[Hit]:
    """The sum of weight / (constant + rank) over rankings, equal scores by docid."""
    scores: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for weight, ranking in zip(weights, rankings, strict=True):
        for rank, hit in enumerate(ranking, 1):
            docid = hit.passage.docid
            passages[docid] = hit.passage
            scores[docid] = scores.get(docid, 0.0) + weight / (constant + rank)
    return best_first(Hit(passages[docid], score) for docid, score in scores.items())


def in_language_order(ranking: Sequence[Hit], guide: Sequence[Hit]) -> list[Hit]:
    """The hits of `ranking` with their languages in the order of the guide's hits.

    Lexical ranks of different languages are not comparable: a question reaches the passages of
    its own language, relevant or not, and few others. So each place goes to the language of the
    guide's hit there: to the ranking's best hit left in that language or, if the ranking has none
    in it at all, to the guide's hit.
    """
    left = {hit.passage.lang: _in(hit.passage.lang, ranking) for hit in ranking}
    placed = [
        next(left[lang], None) if (lang := hit.passage.lang) in left else hit for hit in guide
    ]
    found = [hit for hit in placed if hit]
    docids = {hit.passage.docid for hit in found}
    return [*found, *(hit for hit in ranking if hit.passage.docid not in docids)]


def _in(lang: str, hits: Iterable[Hit]) -> Iterator[Hit]:
    return (hit for hit in hits if hit.passage.lang == lang)
