"""Neighbours and margins equal the formulas of Artetxe and Schwenk 2019, written out plainly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.lab.mining.margins import MARGINS, Margin, best_by_margin, margin_scores, nearest
from xorqa.lab.mining.xsim import score_xsim

SEEDS = st.integers(0, 10_000)


def sides(seed: int, n: int = 23, *, copies: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Random vectors of two sides; `copies` repeats rows of the second, which makes ties."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, n, 7)).astype(np.float32)
    y += x
    if copies:
        y[n // 2 :] = y[: n - n // 2]
    return x, y


def plain(x: np.ndarray, y: np.ndarray, margin: str, k: int) -> tuple[list[int], list[float]]:
    """The best row of `y` for each row of `x`, as in LASER's xsim.py, with 64 bits."""

    def cosines(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        a, b = a.astype(np.float64), b.astype(np.float64)
        return np.array([[u @ v / np.sqrt((u @ u) * (v @ v)) for v in b] for u in a])

    def ranked(row: np.ndarray) -> list[int]:
        return sorted(range(len(row)), key=lambda column: (-row[column], column))[:k]

    x_to_y, y_to_x = cosines(x, y), cosines(y, x)
    mean_x = [np.mean([row[column] for column in ranked(row)]) for row in x_to_y]
    mean_y = [np.mean([row[column] for column in ranked(row)]) for row in y_to_x]
    best, scores = [], []
    for i, row in enumerate(x_to_y):
        values = []
        for j in ranked(row):
            a, b = row[j], (mean_x[i] + mean_y[j]) / 2
            values.append({"absolute": a, "distance": a - b, "ratio": a / b}[margin])
        best_rank = int(np.argmax(values))
        best.append(ranked(row)[best_rank])
        scores.append(values[best_rank])
    return best, scores


@pytest.mark.parametrize("margin", MARGINS)
@settings(max_examples=25)
@given(SEEDS, st.integers(1, 30))
def test_margins_equal_the_formula(margin: Margin, seed: int, k: int) -> None:
    x, y = sides(seed)
    neighbours, other = nearest(x, y, k=k), nearest(y, x, k=k)
    rows, scores = best_by_margin(neighbours, other, margin)
    best, expected = plain(x, y, margin, k)
    assert rows.tolist() == best
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("copies", [False, True])
@settings(max_examples=30)
@given(SEEDS)
def test_xsim_equals_laser(margin: Margin, copies: bool, seed: int) -> None:
    x, y = sides(seed, 11, copies=copies)
    best, _ = plain(x, y, margin, 4)
    wrong = sum(partner != row for row, partner in enumerate(best))
    scores = score_xsim(x, y, lang="fi", margin=margin)
    assert sum(score.values["xsim"] for score in scores) == wrong


def test_copies_have_equal_scores_and_the_first_is_the_nearest() -> None:
    x, y = sides(1, 8, copies=True)
    neighbours = nearest(x, y, k=8)
    for rows, cosines in zip(neighbours.rows.tolist(), neighbours.cosines.tolist(), strict=True):
        for row in range(4):
            first, second = rows.index(row), rows.index(row + 4)
            assert cosines[first] == cosines[second] and first < second


def test_the_length_of_vectors_does_not_matter_and_blocks_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y = sides(2, 50)
    whole = nearest(x, y)
    monkeypatch.setattr("xorqa.lab.mining.margins.BLOCK", 7)
    scaled = nearest(3 * x, y / 5)
    assert (whole.rows == scaled.rows).all()
    np.testing.assert_allclose(whole.cosines, scaled.cosines, atol=1e-6)


def test_zero_vectors_and_a_small_side() -> None:
    x, y = np.zeros((2, 3)), np.eye(3)[:1]
    neighbours, other = nearest(x, y), nearest(y, x)
    assert neighbours.rows.tolist() == [[0], [0]] and other.rows.tolist() == [[0, 1]]
    assert margin_scores(neighbours, other).tolist() == [[0], [0]]
