"""The base of the rankers, which score the first hits of a list and sort them; and no ranker."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..core.stages import Configured
from ..core.types import Hit, Query, best_first
from ..io.files import digest


class ScoringRanker(Configured, ABC):
    """Ranks the first `depth` hits by a score of its own, and keeps `keep` hits (None: all).

    The retriever's score, times `retrieval`, is added to it (linear interpolation). Hits beyond
    `depth` follow in their order.
    """

    version: int
    depth: int
    keep: int | None
    retrieval: float = 0.0

    @abstractmethod
    def fingerprint(self) -> str:
        """A hash of the weights and the settings."""

    @abstractmethod
    def scores(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[float]]:
        """A score per hit; the hits are the first `depth` of each query."""

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """The hits of each query, best first, equal scores by docid."""
        first = [list(ranking)[: self.depth] for ranking in hits]
        scored = [
            [score + self.retrieval * hit.score for hit, score in zip(ranking, scores, strict=True)]
            for ranking, scores in zip(first, self.scores(queries, first), strict=True)
        ]
        return [
            reranked(ranking, scores)[: self.keep]
            for ranking, scores in zip(hits, scored, strict=True)
        ]

    def _digest(self, *parts: object) -> str:
        """A hash of the settings that all rankers have, and of `parts`."""
        return digest(self.depth, self.keep, self.retrieval, *parts)


def reranked(hits: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    """The first hits by their new scores, then the others in their order.

    The others are scored 1, 2, ... below the worst score, so that scores still order the list.
    """
    first, others = hits[: len(scores)], hits[len(scores) :]
    worst = min(scores, default=0.0)
    ranked = best_first(Hit(h.passage, score) for h, score in zip(first, scores, strict=True))
    return ranked + [Hit(hit.passage, worst - place) for place, hit in enumerate(others, 1)]


class NoRanking(Configured):
    """Keep the order and the scores of the retriever.

    Example:
        >>> from xorqa import Hit, NoRanking, Passage, Query, Question
        >>> query = Query(Question("q", "Where is the Nile?", "en"), "Where is the Nile?", "en")
        >>> hits = [Hit(Passage("rhine", "..."), 2.0), Hit(Passage("nile", "..."), 1.0)]
        >>> [ranked] = NoRanking().rank([query], [hits])
        >>> [hit.passage.docid for hit in ranked]
        ['rhine', 'nile']
    """

    version = 1

    def fingerprint(self) -> str:
        """A constant: there are no settings."""
        return "none"

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """The hits unchanged."""
        return [list(ranking) for ranking in hits]
