"""Rank passages by the span reader's relevance."""

from collections.abc import Sequence

from ..core.types import Hit, Query, SearchText
from ..core.validation import Count, NonNegative
from ..models.device import Dtype
from ..reading.by_name import reader_name, shared
from ..reading.features import STRIDE
from ..reading.pairs import DEFAULT_READER, PairSettings
from .rerank import ScoringRanker


class ReaderRanker(ScoringRanker):
    """Rank the first `depth` hits by log P(passage answers), as the span reader estimates it.

    The settings are those of `SpanReader`, `model` among them. If both have the same, the passages
    that the reader reads after ranking are not read a second time.

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
        model: str | None = None,
        depth: Count = 20,
        keep: Count | None = None,
        retrieval: NonNegative = 0.0,
        max_tokens: Count | None = None,
        stride: Count = STRIDE,
        longest: Count = 30,
        no_answer: bool = True,
        text: SearchText = "query",
        trust_remote_code: bool = False,
        dtype: Dtype = "auto",
        batch_tokens: Count | None = None,
    ) -> None:
        self.depth, self.keep, self.retrieval = depth, keep, retrieval
        self.text = text
        name = reader_name(adapter, model)
        self.pairs = shared(
            PairSettings(
                name, max_tokens, longest, dtype, stride, no_answer, trust_remote_code, batch_tokens
            )
        )

    def fingerprint(self) -> str:
        """A hash of the weights and the settings."""
        weights, max_tokens, *stride = self.pairs.identity()
        return self._digest(*weights, max_tokens, self.text, *stride)

    def scores(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[float]]:
        """log P(passage answers) of each hit."""
        by_query = self.pairs.read_hits(queries, hits, self.text)
        return [[reading.passage_score for reading in readings] for readings in by_query]
