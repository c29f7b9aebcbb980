from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.ranking.rerank import NoRanking, ScoringRanker, reranked

HITS = [Hit(Passage(name, "..."), 9.0 - at) for at, name in enumerate("abcdef")]
QUERIES = [Query(Question("q", "Which?", "en"), "Which?", "en")]
SCORES = st.lists(st.floats(-1e6, 1e6), max_size=len(HITS))


def docids(hits: list[Hit]) -> str:
    return "".join(hit.passage.docid for hit in hits)


def test_the_first_hits_are_sorted_and_the_others_follow() -> None:
    assert docids(reranked(HITS, [1.0, 3.0, 3.0])) == "bcadef"
    assert docids(reranked(HITS, [])) == "abcdef"
    assert reranked([], []) == []


@given(SCORES)
def test_scores_order_the_list_and_no_hit_is_lost(scores: list[float]) -> None:
    ranked = reranked(HITS, scores)
    assert sorted(docids(ranked)) == list("abcdef")
    keys = [(-hit.score, hit.passage.docid) for hit in ranked]
    assert keys == sorted(keys)
    assert docids(ranked[len(scores) :]) == docids(HITS[len(scores) :])


class LastName(ScoringRanker):
    """Prefers names at the end of the alphabet by a tenth each."""

    version, depth, keep = 1, 4, None

    def __init__(self, retrieval: float) -> None:
        self.retrieval = retrieval

    def fingerprint(self) -> str:
        return self._digest()

    def scores(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[float]]:
        return [[ord(hit.passage.docid) / 10 for hit in ranking] for ranking in hits]


def test_the_score_of_the_retriever_may_be_added() -> None:
    """HITS lose 1 from one to the next, so a weight above a tenth keeps their order."""
    orders = {w: docids(LastName(w).rank(QUERIES, [HITS])[0]) for w in (0.0, 0.05, 0.2)}
    assert orders == {0.0: "dcbaef", 0.05: "dcbaef", 0.2: "abcdef"}
    [ranked] = LastName(0.2).rank(QUERIES, [HITS])
    assert ranked[0].score == pytest.approx(ord("a") / 10 + 0.2 * 9.0)
    assert LastName(0.0).fingerprint() != LastName(0.2).fingerprint()


def test_no_ranker_returns_the_hits() -> None:
    assert NoRanking().rank([], []) == []
    assert NoRanking().rank([None], [tuple(HITS)]) == [HITS]  # type: ignore[list-item]
