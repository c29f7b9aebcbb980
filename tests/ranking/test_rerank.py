from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Hit, Passage
from xorqa.ranking.rerank import reranked
from xorqa.ranking.unchanged import NoRanking

HITS = [Hit(Passage(name, "..."), 9.0 - at) for at, name in enumerate("abcdef")]
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


def test_no_ranker_returns_the_hits() -> None:
    assert NoRanking().rank([], []) == []
    assert NoRanking().rank([None], [tuple(HITS)]) == [HITS]  # type: ignore[list-item]
