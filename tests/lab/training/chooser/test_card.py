"""Calibration, as cards tell it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.training.chooser.card import calibration_error, reliability

P = np.array([0.1, 0.12, 0.9, 0.95])
ONES = np.ones(4)


def test_bins() -> None:
    low, high = reliability(P, np.array([0.0, 0.0, 1.0, 0.0]), ONES)
    assert low == pytest.approx({"answers": 2, "share": 0.5, "p": 0.11, "right": 0})
    assert high == pytest.approx({"answers": 2, "share": 0.5, "p": 0.925, "right": 0.5})


def test_weights_count() -> None:
    [row] = reliability(np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.array([3.0, 1.0]))
    assert row == pytest.approx({"answers": 2, "share": 1, "p": 0.5, "right": 0.75})


def test_error_by_hand() -> None:
    error = calibration_error(P, np.array([0.0, 0.0, 1.0, 0.0]), ONES)
    assert error == pytest.approx(0.5 * 0.11 + 0.5 * 0.425)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_probability_that_is_always_right_has_no_error(values: list[float]) -> None:
    p = np.array(values)
    assert calibration_error(p, p, np.ones(len(p))) == pytest.approx(0)
    assert 0 <= calibration_error(p, 1 - p, np.ones(len(p))) <= 1
