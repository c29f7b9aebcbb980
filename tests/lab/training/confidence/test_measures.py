"""What a confidence model is worth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Example, Question
from xorqa.lab.training.confidence.cases import Case
from xorqa.lab.training.confidence.measures import WHOLE, measure, others_error, reliability_table
from xorqa.lab.training.confidence.rows import ConfidenceRows

EVERY = np.ones(6, dtype=bool)


def rows(answerable: list[bool], right: list[float], chosen: list[bool]) -> ConfidenceRows:
    """A row per question, the first half of them in English over all passages."""
    half = len(right) // 2
    cases = tuple(
        Case(
            Example(Question(str(at), "?", "en"), ()),
            frozenset(),
            0 if at < half else 10,
            "en" if at < half else "fi",
            answerable[at],
            True,
        )
        for at in range(len(right))
    )
    mask = np.array
    return ConfidenceRows(
        cases,
        np.zeros((len(right), 0)),
        np.array(right),
        np.arange(len(right)),
        mask(chosen),
        mask(answerable),
        np.ones(len(right), dtype=bool),
    )


SIX = rows([True, True, False, True, True, False], [1.0, 0, 0, 1, 1, 0], [True] * 6)
P = np.array([0.9, 0.8, 0.2, 0.4, 0.7, 0.6])


def test_measures_by_hand() -> None:
    tables = measure(SIX, P, 0.5, EVERY)
    assert list(tables) == ["all", "en", "fi", WHOLE, "10 passages"]
    assert tables["all"] == pytest.approx(
        {
            "questions": 6,
            "right": 3 / 4,
            "error": (0.1 + 0.8 + 0.2 + 0.6 + 0.3 + 0.6) / 6,
            "answered": 1 / 2,
            "kept": 2 / 3,
        }
    )
    assert (tables["en"]["answered"], tables["en"]["kept"]) == (0, 1)
    assert tables[WHOLE] == tables["en"]


def test_only_measured_and_chosen_answers_count() -> None:
    part = rows([True] * 6, [1.0, 0, 0, 1, 1, 0], [True] * 3 + [False] * 3)
    measured = np.array([True, True, False, True, True, True])
    assert measure(part, P, 0.5, measured)["all"]["questions"] == 2
    assert "fi" not in measure(part, P, 0.5, measured)
    assert others_error(part, P, measured) == pytest.approx((0.6 + 0.3 + 0.6) / 3)
    assert sum(one["answers"] for one in reliability_table(part, P, measured)) == 2


def test_a_part_without_unanswerable_questions_has_no_share_of_them() -> None:
    tables = measure(rows([True] * 6, [1.0] * 6, [True] * 6), P, 0.5, EVERY)
    assert tables["all"]["answered"] is None


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.booleans()), min_size=2, max_size=30),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_a_higher_threshold_answers_fewer(
    drawn: list[tuple[float, bool, bool]], a: float, b: float
) -> None:
    p = np.array([one for one, *_ in drawn])
    of = rows([x for _, x, _ in drawn], [float(x and y) for _, x, y in drawn], [True] * len(drawn))
    low, high = (measure(of, p, t, of.chosen)["all"] for t in sorted([a, b]))
    assert low["error"] == high["error"] and 0 <= (low["error"] or 0) <= 1
    for name in ("answered", "kept"):
        if low[name] is not None:
            assert 0 <= (high[name] or 0) <= (low[name] or 0) <= 1
