import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.metrics.abstention import Abstention, abstention, risk_coverage, risk_coverage_area

PAIRS = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.floats(0, 1)), min_size=1, max_size=20
)


def columns(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [confidence for confidence, _ in pairs], [error for _, error in pairs]


def test_the_curve_and_its_area() -> None:
    confidences, errors = [0.9, 0.8, 0.3, 0.1], [0.0, 0.0, 1.0, 1.0]
    assert risk_coverage(confidences, errors) == [(0.25, 0), (0.5, 0), (0.75, 1 / 3), (1.0, 0.5)]
    assert risk_coverage_area(confidences, errors) == pytest.approx((1 / 3 + 1 / 2) / 4)
    assert risk_coverage([], []) == [] and math.isnan(risk_coverage_area([], []))


@given(PAIRS)
def test_the_last_point_has_all_questions(pairs: list[tuple[float, float]]) -> None:
    confidences, errors = columns(pairs)
    points = risk_coverage(confidences, errors)
    assert len(points) == len(set(confidences))
    assert [coverage for coverage, _ in points] == sorted({coverage for coverage, _ in points})
    assert points[-1] == (1.0, pytest.approx(sum(errors) / len(errors)))


@given(PAIRS, st.randoms())
def test_order_and_scale_do_not_matter(pairs: list[tuple[float, float]], rng: object) -> None:
    area = risk_coverage_area(*columns(pairs))
    shuffled = list(pairs)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert risk_coverage_area(*columns(shuffled)) == pytest.approx(area)
    logarithms = [(math.log(confidence), error) for confidence, error in pairs]
    assert risk_coverage_area(*columns(logarithms)) == pytest.approx(area)


@given(PAIRS)
def test_no_confidence_is_better_than_the_errors(pairs: list[tuple[float, float]]) -> None:
    confidences, errors = columns(pairs)
    best = risk_coverage_area([-error for error in errors], errors)
    worst = risk_coverage_area(errors, errors)
    assert best - 1e-9 <= risk_coverage_area(confidences, errors) <= worst + 1e-9


@given(st.lists(st.floats(0, 1), min_size=1))
def test_a_constant_confidence_has_the_mean_error(errors: list[float]) -> None:
    mean = sum(errors) / len(errors)
    assert risk_coverage_area([0.5] * len(errors), errors) == pytest.approx(mean)


def test_hallucination_is_of_unanswerable_questions_and_errors_of_the_others() -> None:
    answered = [True, True, False, False, True]
    answerable = [True, False, True, False, False]
    assert abstention(answered, answerable) == Abstention(2 / 3, 1 / 2)
    assert abstention([True], [True]) == Abstention(None, 0.0)
    assert abstention([], []) == Abstention(None, None)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_one_who_answers_nothing_never_hallucinates(pairs: list[tuple[bool, bool]]) -> None:
    answerable = [can for _, can in pairs]
    silent = abstention([False] * len(pairs), answerable)
    talkative = abstention([True] * len(pairs), answerable)
    assert silent.hallucination_rate in (None, 0.0) and silent.error_rate in (None, 1.0)
    assert talkative.hallucination_rate in (None, 1.0) and talkative.error_rate in (None, 0.0)
