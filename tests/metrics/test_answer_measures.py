import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.metrics.answer_measures import (
    CONSISTENCY,
    LANGUAGE,
    RECALL,
    Abstention,
    abstention,
    char3_recall,
    risk_coverage,
    risk_coverage_area,
    score_consistency,
    score_language,
    score_recall,
)
from xorqa.metrics.report import Reference

TEXTS = st.text(st.sampled_from("abc дом1. "), max_size=12)


@pytest.mark.parametrize(
    ("prediction", "gold", "recall"),
    [
        ("The Nile", "Nile", 1.0),  # ni-l, il-e; a longer answer is not punished
        ("Nila", "Nile", 0.5),
        ("Tolstoi", "Tolstoy", 4 / 5),
        ("it is 42", "42", 1.0),  # a short word is one gram
        ("Leo Tolstoy", "Lev Tolstoy", 5 / 6),
        ("Nile", "", 0.0),
        ("", "Nile", 0.0),
        ("nil", "nil nil", 0.5),  # counted as often as it occurs
    ],
)
def test_character_recall(prediction: str, gold: str, recall: float) -> None:
    assert char3_recall(prediction, gold) == pytest.approx(recall)


@given(TEXTS, TEXTS, TEXTS)
def test_more_text_never_lowers_the_recall(one: str, more: str, gold: str) -> None:
    recall = char3_recall(one, gold)
    assert 0 <= recall <= char3_recall(f"{one} {more}", gold) <= 1
    assert char3_recall(gold, gold) in (0.0, 1.0)


def test_the_best_gold_answer_counts() -> None:
    references = [Reference("q", "fi", ("Reini", "Niili")), Reference("r", "fi", ("Reini",))]
    rows = score_recall(references, {"q": "Niili"})
    assert [row.values for row in rows] == [{RECALL: 1.0}, {RECALL: 0.0}]


def test_short_answers_have_no_language() -> None:
    langs = dict.fromkeys(["long", "wrong", "short", "number"], "fi")
    answers = {
        "long": "se on hyvin pitkä joki Afrikan mantereella",
        "wrong": "it is a very long river in the east of Africa",
        "short": "a river",
        "number": "1234567890123456789012345",
    }
    rows = score_language(langs, answers)
    assert [(row.qid, row.lang, row.values) for row in rows] == [
        ("long", "fi", {LANGUAGE: 1.0}),
        ("wrong", "fi", {LANGUAGE: 0.0}),
    ]


def test_consistency_is_the_mean_over_the_other_languages() -> None:
    questions = [("1", "fi", "a"), ("2", "ko", "a"), ("3", "ru", "a"), ("4", "fi", "b")]
    predictions = {"1": "the Nile", "2": "Nile", "3": "river Nile", "4": "Inari"}
    rows = {row.qid: row.values[CONSISTENCY] for row in score_consistency(questions, predictions)}
    assert rows == pytest.approx({"1": (1 + 2 / 3) / 2, "2": (1 + 2 / 3) / 2, "3": 2 / 3})


@given(st.lists(TEXTS, min_size=2, max_size=4), st.permutations(range(4)))
def test_consistency_is_symmetric(texts: list[str], order: list[int]) -> None:
    questions = [(str(at), f"l{at}", "a") for at in range(len(texts))]
    predictions = {str(at): text for at, text in enumerate(texts)}
    rows = {r.qid: r.values[CONSISTENCY] for r in score_consistency(questions, predictions)}
    again = [questions[at] for at in order if at < len(texts)]
    assert {r.qid: r.values[CONSISTENCY] for r in score_consistency(again, predictions)} == (
        pytest.approx(rows)
    )
    same = score_consistency(questions, dict.fromkeys(predictions, texts[0]))
    assert all(row.values[CONSISTENCY] == 1.0 for row in same)


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
