import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.metrics.overlap import best, token_f1


@pytest.mark.parametrize(
    ("predicted", "gold", "f1"),
    [
        ("a b", "a b", 1.0),
        ("b a", "a b", 1.0),  # order does not count
        ("a b c", "a", 0.5),
        ("a a", "a b", 0.5),  # a token counts as often as both have it
        ("a b", "c", 0.0),
        ("", "a", 0.0),
        ("a", "", 0.0),
        ("", "", 0.0),
    ],
)
def test_f1_of_bags_of_tokens(predicted, gold, f1):
    assert token_f1(predicted.split(), gold.split()) == pytest.approx(f1)


bags = st.lists(st.sampled_from("abcd"))


@given(bags, bags)
def test_f1_is_symmetric_and_at_most_1(one, other):
    assert token_f1(one, other) == pytest.approx(token_f1(other, one))
    assert 0 <= token_f1(one, other) <= 1
    assert token_f1(one, one) == bool(one)


def test_best_is_over_the_golds_and_0_without_any():
    lengths = {"a": 0.2, "b": 0.7}
    assert best(lambda _, gold: lengths[gold], "x", ["a", "b"]) == 0.7
    assert best(lambda _, gold: lengths[gold], "x", []) == 0.0
    assert best(lambda prediction, gold: float(prediction == gold), "a", ["b", "a"]) == 1.0
