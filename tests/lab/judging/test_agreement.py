import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.judging.agreement import Agreement, agreement

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def columns(pairs: list[tuple[bool, bool]]) -> tuple[list[bool], list[bool]]:
    return [first for first, _ in pairs], [second for _, second in pairs]


def test_cohens_kappa() -> None:
    """20 both right, 5 and 10 of one side only, 15 both wrong: 0.7 observed, 0.5 by chance."""
    counts = {(True, True): 20, (True, False): 5, (False, True): 10, (False, False): 15}
    pairs = [pair for pair, count in counts.items() for _ in range(count)]
    assert agreement(*columns(pairs)) == Agreement(50, 0.7, pytest.approx(0.4))


@given(PAIRS)
def test_both_figures_are_symmetric(pairs: list[tuple[bool, bool]]) -> None:
    first, second = columns(pairs)
    assert agreement(first, second) == agreement(second, first)


@given(st.lists(st.booleans(), max_size=60))
def test_equal_verdicts_of_two_classes_agree_perfectly(verdicts: list[bool]) -> None:
    both = [*verdicts, True, False]
    assert agreement(both, both) == Agreement(len(both), 1.0, 1.0)
    assert agreement(both, [not verdict for verdict in both]).accuracy == 0.0


@given(PAIRS)
def test_kappa_is_from_minus_one_to_one_and_at_most_the_accuracy(
    pairs: list[tuple[bool, bool]],
) -> None:
    measured = agreement(*columns(pairs))
    assert measured.accuracy is not None
    if measured.kappa is not None:
        assert -1 <= measured.kappa <= measured.accuracy


@given(st.lists(st.booleans(), min_size=1), st.booleans())
def test_kappa_is_missing_for_one_class(verdicts: list[bool], constant: bool) -> None:
    measured = agreement(verdicts, [constant] * len(verdicts))
    assert measured == Agreement(len(verdicts), verdicts.count(constant) / len(verdicts), None)


def test_no_verdicts() -> None:
    assert agreement([], []) == Agreement(0, None, None)
