"""Rank passages by the span reader's relevance."""

from collections.abc import Sequence

from ..core.types import Hit, Query, SearchText
from ..core.validation import Count, NonNegative
from ..reading.features import WINDOW
from ..reading.pairs import DEFAULT_READER, PairSettings, shared
from .rerank import ScoringRanker


class ReaderRanker(ScoringRanker):
    """Rank the first `depth` hits by log P(passage answers), as the span reader estimates it.

    The settings are those of `SpanReader`. If both have the same, the passages that the reader
    reads after ranking are not read a second time.

    Example:
        >>> from xorqa import Hit, Passage, Query, Question, ReaderRanker
        >>> texts = {"rhine": "The Rhine is a river in Europe.", "nile": "The Nile is in Africa."}
        >>> hits = [Hit(Passage(name, text), 1.0) for name, text in texts.items()]
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [ranked] = ReaderRanker().rank([query], [hits])
        >>> ranked[0].passage.docid
        'nile'
    """

    version = 1

    def __init__(
        self,
        *,
        adapter: str = DEFAULT_READER,
        depth: Count = 20,
        keep: Count | None = None,
        retrieval: NonNegative = 0.0,
        max_tokens: Count = WINDOW,
        longest: Count = 30,
        text: SearchText = "query",
        dtype: str = "auto",
    ) -> None:
        self.depth, self.keep, self.retrieval = depth, keep, retrieval
        self.text = text
        self.pairs = shared(PairSettings(adapter, max_tokens, longest, dtype))

    def fingerprint(self) -> str:
        """A hash of the adapter, its base and the settings."""
        adapter = self.pairs.adapter
        return self._digest(
            adapter.sha, adapter.base.sha, self.pairs.settings.max_tokens, self.text
        )

    def scores(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[float]]:
        """log P(passage answers) of each hit."""
        by_query = self.pairs.read_hits(queries, hits, self.text)
        return [[reading.passage_score for reading in readings] for readings in by_query]
