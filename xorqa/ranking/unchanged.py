"""No ranker: hits stay as they were retrieved."""

from collections.abc import Sequence

from ..core.stages import BaseRanker, Configured
from ..core.types import Hit, Query


class NoRanking(Configured, BaseRanker):
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
