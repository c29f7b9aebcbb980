"""Lesson 12: its scores are the library's, and verdicts on typical answers."""

import numpy as np
import pytest
from lessons import late_interaction as lesson
from lessons import late_interaction_exercises as exercises
from lessons.intervals import difference


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda q, p: (q @ p.T).max(axis=1).sum(), "Right."),
        (lambda q, p: (q @ p.T).max(axis=0).sum(), "Not yet. You sum over the passage's tokens"),
        (lambda q, p: (q @ p.T).max(), "Not yet. This is the single best pair"),
        (lambda q, p: (q @ p.T).max(axis=1).mean(), "Not yet. This is the mean of the maxima"),
        (lambda q, p: (q @ p.T).sum(), "Not yet. You add all pairs up"),
        (lambda q, p: (q @ p.T).max(axis=1), "Not yet. The score is one number"),
        (lambda q, p: q.mean(axis=0) @ p.mean(axis=0), "Not yet. Take the table"),
        (lambda q, p: ..., "Not yet. Replace"),
    ],
)
def test_maxsim(answer, text):
    assert repr(lesson.check_1(answer)).startswith(text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ((2.0, 2.1, 0.26), "Right."),
        ((2, 2.1, 3.1 / 12), "Right."),
        ((2.1, 2.0, 0.26), "Not yet. Rows are the question's tokens"),
        ((0.67, 2.1, 0.26), "Not yet. For MaxSim, add the maxima up"),
        ((0.9, 2.1, 0.26), "Not yet. MaxSim: the highest value of each"),
        ((2.0, 2.0, 0.26), "Not yet. From the passage"),
        ((2.0, 2.1, 3.1), "Not yet. The inner product of two means"),
        ((2.0, 2.1, 0.67), "Not yet. One vector per text sees no maxima"),
        ((2.0, 2.1, 0.9), "Not yet. (a + b)/2"),
    ],
)
def test_a_table_by_hand(answer, text):
    named = dict(zip(("MaxSim", "from the passage", "mean vectors"), answer, strict=True))
    assert repr(lesson.check_2(named)).startswith(text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda q, p, real: (q @ p[real].T).max(axis=1).sum(), "Right."),
        (lambda q, p, real: np.where(real, q @ p.T, -np.inf).max(axis=1).sum(), "Right."),
        (lambda q, p, real: (q @ p.T).max(axis=1).sum(), "Not yet. You get 0.8, not "),
        (lambda q, p, real: (q @ p.T * real).max(axis=1).sum(), "Not yet. You get 0.8, not "),
        (
            lambda q, p, real: np.where(real, q @ p.T, -np.inf).min(axis=1).sum(),
            "Not yet. -inf at every token?",
        ),
        (lambda q, p, real: (q @ p[real].T).max(axis=0).sum(), "Not yet. For a question of 3"),
        (
            lambda q, p, real: (q @ p[p.any(axis=1)][:2].T).max(axis=1).sum(),
            "Not yet. Without padding every token counts",
        ),
    ],
)
def test_padding(answer, text):
    assert repr(lesson.check_3(answer)).startswith(text)


EXACT = [[1, 0], [0, 1]]
BETWEEN = [[0.6, 0.8], [0.8, 0.6]]
AWAY = [[-1, 0], [0, -1]]


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        (EXACT + AWAY, BETWEEN, "Right. MaxSim 2.00 and 1.60, means 0.00 and 0.70. MaxSim ignores"),
        ([[1, 0], [0, 1], [-0.6, -0.8]], [[0.707, 0.707]], "Right."),
        (
            EXACT,
            [[0.7071, 0.7071]],
            "Right. MaxSim 2.00 and 1.41, means 0.50 and 0.71. MaxSim takes",
        ),
        (
            BETWEEN,
            EXACT + AWAY,
            "Not yet. MaxSim 1.60 and 2.00, means 0.70 and 0.00: the other way",
        ),
        (EXACT, EXACT, "Not yet. MaxSim 2.00 and 2.00, means 0.50 and 0.50: neither"),
        (EXACT, AWAY, "Not yet. MaxSim 2.00 and 0.00, means 0.50 and -0.50: MaxSim is right"),
        (AWAY, BETWEEN, "Not yet. MaxSim 0.00 and 1.60, means -0.50 and 0.70: the means are"),
        (BETWEEN, EXACT, "Not yet. MaxSim 1.60 and 2.00, means 0.70 and 0.50: the other way"),
        ([[2, 0]], BETWEEN, "Not yet. MaxSim prefers: each token has length 1"),
        (EXACT, [0.6, 0.8], "Not yet. means prefer: a list of tokens"),
    ],
)
def test_two_passages(first, second, text):
    answer = {"MaxSim prefers": first, "means prefer": second}
    assert repr(lesson.check_4(answer)).startswith(text)


def test_only_the_first_are_reordered():
    scores = np.array([[9.0, 8, 7, 6, 5, 4, 3]])
    other = np.array([[0.0, 1, 5, 2, 3, 99, 99]])
    order = np.argsort(-lesson.reordered(scores, other)[0]).tolist()
    assert order == [2, 4, 3, 1, 0, 5, 6]


def test_padding_changes_the_example_of_the_exercise():
    assert exercises.check_3(lambda q, p, real: (q @ p.T).max(axis=1).sum()).right is False


def test_translations_of_a_question_are_drawn_together():
    before, after = np.zeros(400), np.tile([1.0, 0.0], 200)
    alone = difference(before, after)
    together = difference(before, after, groups=[at % 20 for at in range(400)])
    assert (alone.n, together.n) == (400, 20)
    assert alone.mean == pytest.approx(together.mean) == 50
    assert together.high - together.low > 2 * (alone.high - alone.low)
    assert alone.excludes_zero and not difference(after, after).excludes_zero
    assert str(difference(after, after)) == "+0.0 [+0.0, +0.0]"
