"""MLQA's choice among answers, agreement and filter of copied questions."""

import pytest

from xorqa.lab.building.agreement import (
    agreement,
    copied_share,
    has_majority,
    representative,
)


def test_the_majority_or_else_the_most_similar_answer() -> None:
    assert representative([("b c", 2), ("x", 0), ("x", 0)], "en") == ("x", 0)
    assert representative([("q", 0), ("big red dam", 4), ("red dam", 8)], "en") == (
        "big red dam",
        4,
    )


def test_agreement_is_the_mean_of_all_pairs() -> None:
    assert agreement(["x"], "en") is None
    assert agreement(["red dam", "the red dam", "Cairo"], "en") == pytest.approx(1 / 3)
    assert has_majority(["x", "y", "x"]) and not has_majority(["x", "y"])


def test_copied_words_in_order() -> None:
    assert copied_share("Who built the dam?", "Nasser built a dam.", "en") == pytest.approx(2 / 3)
    assert copied_share("dam built", "built dam", "en") == 0.5
    assert copied_share("?", "built dam", "en") == 0.0
