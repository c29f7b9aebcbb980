"""Interleave the languages of a mixed pool, so that no language fills the first ranks."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.types import Hit, Query
from ..core.validation import Count
from .rerank import ScoringRanker


class Balance(ScoringRanker):
    """Take hits of each language in turn, languages in the order of their best hits.

    A turn takes one hit of a language, or as many as `quota` has for it ({"en": 2}); within a
    language the retriever's order stays. The first `depth` hits are interleaved.

    Example:
        >>> from xorqa import Balance, Hit, Passage, Query, Question
        >>> langs = {"a": "ko", "b": "ko", "c": "en"}
        >>> hits = [Hit(Passage(name, "...", lang=lang), 1.0) for name, lang in langs.items()]
        >>> query = Query(Question("q", "나일강은?", "ko"), "나일강은?", "ko")
        >>> [ranked] = Balance().rank([query], [hits])
        >>> [hit.passage.docid for hit in ranked]
        ['a', 'c', 'b']
    """

    version = 1

    def __init__(
        self,
        *,
        depth: Count = 100,
        keep: Count | None = None,
        quota: Mapping[str, Count] | None = None,
    ) -> None:
        self.depth, self.keep = depth, keep
        self.quota = dict(quota or {})

    def fingerprint(self) -> str:
        """A hash of the settings."""
        return self._digest(sorted(self.quota.items()))

    def scores(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[float]]:
        """The reciprocal of each hit's place after interleaving."""
        return [self._reciprocal_places(ranking) for ranking in hits]

    def _reciprocal_places(self, hits: Sequence[Hit]) -> list[float]:
        first: dict[str, int] = {}  # language to the rank of its best hit
        taken: dict[str, int] = {}
        keys: list[tuple[Any, ...]] = []
        for rank, hit in enumerate(hits):
            lang = hit.passage.lang
            turn = taken.get(lang, 0) // self.quota.get(lang, 1)
            keys.append((turn, first.setdefault(lang, rank), rank))
            taken[lang] = taken.get(lang, 0) + 1
        place = {key: number for number, key in enumerate(sorted(keys), 1)}
        return [1 / place[key] for key in keys]
