"""The confidence of a trace's answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.answering.confidence.test_features import QUESTION, trace
from tests.candidates import candidate
from xorqa.answering.confidence.model import (
    FEATURES,
    ConfidenceModel,
    of_all,
    open_confidence,
    save_confidence,
    shipped_confidence,
    with_confidence,
)
from xorqa.core.errors import WeightsError
from xorqa.core.types import Answer, Trace

WEIGHTS = tuple(float(name == "relevance") for name in FEATURES)
MODEL = ConfidenceModel(FEATURES, WEIGHTS, 0.0, 0.4, {"search": ("retriever", "reader")})


def confident(of: Trace, *, least: float = MODEL.threshold) -> Trace:
    return with_confidence(of, MODEL, calibrated=True, min_confidence=least)


def relevant(p: float, text: str, docid: str = "a") -> Trace:
    """A trace with one answer from a passage of relevance `p`."""
    return trace(candidate(text, docid=docid, passage_score=float(np.log(p))))


def test_the_confidence_is_the_probability() -> None:
    rated = confident(relevant(0.7, "1871"))
    assert rated.answer is not None
    assert rated.answer.confidence == pytest.approx(0.7)
    assert rated.answer.calibrated
    assert rated.answers == (rated.answer,)
    assert rated.answer.score == relevant(0.7, "1871").answer.score  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("p", "least", "is_found"),
    [(0.7, 0.4, True), (0.3, 0.4, False), (0.3, 0.2, True), (0.01, 0.0, True), (0.99, 1, False)],
)
def test_an_answer_below_the_threshold_is_not_found(p: float, least: float, is_found: bool) -> None:
    assert confident(relevant(p, "1871"), least=least).found is is_found


def test_no_candidate_is_not_found() -> None:
    nothing = Trace(QUESTION, {}, (), Answer("", "en", float("-inf"), "none"))
    assert not confident(nothing, least=0.0).found
    assert not replace(nothing, answer=None).found
    assert not confident(replace(nothing, answer=None)).found


def test_experiments_answer_always() -> None:
    assert relevant(0.001, "1871").found


def test_the_others_follow_by_confidence_and_texts_are_merged() -> None:
    sources = [
        candidate(text, docid=str(position), passage_score=float(np.log(p)))
        for position, (text, p) in enumerate(
            [("b", 0.6), ("c", 0.2), ("a", 0.5), ("b", 0.1), ("c", 0.3)]
        )
    ]
    rated = confident(trace(*sources))
    assert [answer.text for answer in rated.answers] == ["b", "a", "c"]
    b, a, c = (answer.confidence for answer in rated.answers)
    assert b == pytest.approx(0.6)
    assert (a, c) == (pytest.approx(0.5 * 0.4), pytest.approx(0.3 * 0.4))


def test_a_model_of_other_stages_is_not_calibrated() -> None:
    rated = with_confidence(relevant(0.7, "1871"), MODEL, calibrated=False, min_confidence=0)
    assert [answer.calibrated for answer in rated.answers] == [False]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(0, 7))
def test_no_other_answer_is_more_probable_than_the_chosen_one(
    values: list[float], position: int
) -> None:
    chosen = position % len(values)
    p = of_all(np.array(values), chosen)
    assert p[chosen] == values[chosen]
    assert ((p >= 0) & (p <= p[chosen])).all()
    assert all(p[other] + p[chosen] <= 1 + 1e-9 for other in range(len(p)) if other != chosen)


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_the_shipped_confidence_grows_with_relevance_and_the_span(a: float, b: float) -> None:
    model = shipped_confidence()
    row = np.zeros((2, len(FEATURES)))
    for name in ("relevance", "span"):
        row[:, FEATURES.index(name)] = sorted([a, b])
        low, high = model.probability(row)
        assert 0 <= low <= high <= 1


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    save_confidence(tmp_path / "mine.json", MODEL)
    assert open_confidence(tmp_path / "mine.json") == MODEL


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[]", "does not hold a confidence model"),
        ('{"features": []}', "does not hold a confidence model: .* needs a setting 'weights'"),
        (
            '{"features": ["a"], "weights": [1], "intercept": 0, "threshold": 0.5, "stages": {}}',
            "was trained on other features; train again with: xorqa train confidence",
        ),
    ],
)
def test_damaged_weights_are_refused(tmp_path: Path, table: str, message: str) -> None:
    (tmp_path / "mine.json").write_text(table)
    with pytest.raises(WeightsError, match=message):
        open_confidence(tmp_path / "mine.json")


def test_the_shipped_scores_keep_the_promises() -> None:
    """The bounds of the confidence: calibration, refusals, and right answers that remain."""
    measured = shipped_confidence().card["measures"]["all"]
    assert measured["error"] < 0.08
    assert measured["answered"] <= 0.25
    assert measured["kept"] >= 0.75
