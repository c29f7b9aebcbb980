from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.xor_retrieve import XOR_RETRIEVE, scored_passages

PIECES = ("Oulu ", "w " * 300, "don't. " * 200, "", " ", "a-b, c;" * 300, "w " * 1799 + "Oulu")


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=9))
def test_scores_are_those_of_all_passages(passages: Sequence[str]) -> None:
    references = [Reference("q", "fi", ("Oulu",))]
    kept = scored_passages(passages)
    assert kept == tuple(passages[: len(kept)])
    for scorer in XOR_RETRIEVE.scorers:
        scores = [
            XOR_RETRIEVE.score(references, {"q": texts}, scorer=scorer)
            for texts in (passages, kept)
        ]
        assert scores[0] == scores[1]
        assert list(scores[0][0].values) == ["R@2kt", "R@5kt"]


@pytest.mark.parametrize(("tokens", "count"), [(2500, 2), (2499, 3), (5000, 1), (1000, 5)])
def test_the_passage_that_reaches_the_budget_is_the_last(tokens: int, count: int) -> None:
    assert len(scored_passages(["w " * tokens] * 9)) == count
