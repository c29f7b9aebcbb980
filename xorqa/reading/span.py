"""The extractive reader as a stage: candidates for each query from its retrieved passages."""

import math
from collections.abc import Sequence

from ..core.stages import BaseReader, Configured
from ..core.types import Candidate, CandidateScores, Hit, Query, SearchText, rank_key
from ..core.validation import Count, NonNegative
from ..io.files import digest
from ..models.device import Dtype
from .by_name import reader_name, shared
from .features import STRIDE
from .pairs import DEFAULT_READER, PairSettings, Reading


class SpanReader(Configured, BaseReader):
    """Read the first `passages` hits of every query.

    One encoding of (question, passage) gives start and end scores of every token and, at the
    first token, the passage's relevance, as in the reader of Karpukhin et al. 2020 (DPR),
    section 6.1; there relevance is a softmax over passages, here a probability of each, so that
    scores are comparable across passages and routes. `ranking` times how far a hit's score is below
    the best one is taken off the log odds of that probability: the reader judges each passage
    alone, a ranker compares them. `text` is the reader's input: the "query"
    (translated, if there is a translator) or the original "question".

    `adapter` is a reader trained with xorqa. `model` is in its place any question-answering model
    of transformers, or a reader of DPR, by hub name or folder (`./folder`); it reads as it was
    trained: see `xorqa.reading.released`, also for its scores and for `no_answer`. `max_tokens`, of
    a window, is by default 256, and for a `model` its own limit or, if that is 512, 384;
    neighbouring windows share `stride` tokens; a span has at most `longest` tokens. Code that comes
    with a `model` runs only with `trust_remote_code`.

    Example:
        >>> from xorqa import Hit, Passage, Query, Question, SpanReader
        >>> question = Question("q", "나일강은 어느 대륙에 있나요?", "ko")
        >>> hits = [Hit(Passage("nile", "The Nile is a river in Africa."), 1.0)]
        >>> query = Query(question, "Which continent is the Nile in?", "en")
        >>> [candidates] = SpanReader(passages=1).read([query], [hits])
        >>> candidates[0].text
        'Africa'
    """

    version = 5

    def __init__(
        self,
        *,
        adapter: str = DEFAULT_READER,
        model: str | None = None,
        passages: Count = 5,
        ranking: NonNegative = 0.0,
        max_tokens: Count | None = None,
        stride: Count = STRIDE,
        longest: Count = 30,
        no_answer: bool = True,
        text: SearchText = "query",
        trust_remote_code: bool = False,
        dtype: Dtype = "auto",
        batch_tokens: Count | None = None,
    ) -> None:
        self.passages, self.ranking = passages, ranking
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
        lengths = max_tokens, self.pairs.settings.longest
        ranking = [self.ranking] if self.ranking else []
        return digest(weights, self.passages, *lengths, self.text, *ranking, *stride)

    @property
    def by_title(self) -> bool:
        """Whether titles are read, too, as by the readers of DPR."""
        return self.pairs.by_title

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        """One candidate per passage with a span, best score first (ties by docid)."""
        first_hits = [list(ranking)[: self.passages] for ranking in hits]
        by_query = self.pairs.read_hits(queries, first_hits, self.text)
        results = []
        for ranking, readings in zip(first_hits, by_query, strict=True):
            candidates = [
                _candidate(hit, rank, reading, self.ranking * (ranking[0].score - hit.score))
                for rank, (hit, reading) in enumerate(zip(ranking, readings, strict=True))
                if reading.spans
            ]
            results.append(sorted(candidates, key=lambda c: rank_key(c.score, c.docid)))
        return results


def _candidate(hit: Hit, rank: int, reading: Reading, log_odds: float) -> Candidate:
    """The best span of one passage, whose log odds to answer are reduced by `log_odds`."""
    best, *others = reading.spans
    margin = best.score - others[0].score if others else None
    scores = CandidateScores(best.score, _reduced(reading.passage_score, log_odds), margin)
    return Candidate(hit, rank, best.span, scores)


def _reduced(log_probability: float, log_odds: float) -> float:
    """The log of a probability after its log odds are reduced, by 0 or more."""
    if not log_odds:
        return log_probability
    log_p = min(log_probability, -1e-12)  # log odds are infinite at 0
    return log_p - log_odds - math.log1p(math.exp(log_p) * math.expm1(-log_odds))
