"""Candidates for tests."""

from xorqa.core.types import Candidate, CandidateScores, Hit, Passage, Span


def candidate(
    text: str,
    lang: str = "en",
    *,
    docid: str = "d",
    route: str = "r",
    span_score: float = 0.0,
    passage_score: float = 0.0,
    margin: float | None = None,
    retrieval_score: float = 0.0,
    rank: int = 0,
) -> Candidate:
    """A candidate that is its whole passage."""
    hit = Hit(Passage(docid, text, lang=lang), retrieval_score)
    scores = CandidateScores(span_score, passage_score, margin)
    return Candidate(hit, rank, Span(0, len(text)), scores, route)
