"""The checks of lesson 7b accept right answers, however written, and reject the usual mistakes."""

from functools import partial

import numpy as np
import pytest
from lessons import is_it_better as lesson
from lessons import is_it_better_exercises as exercises
from lessons import two_systems
from scipy import stats

from xorqa.metrics.report import Score
from xorqa.metrics.resampling import bonferroni, holm

HELD = (0, 100, 50, 0, 100, 0, 25, 100, 0, 100)  # F1 of ten made-up questions, in percent


def scipy_p(d, alternative="two-sided"):
    """The exact p by scipy, which flips the sign of each difference."""
    test = stats.permutation_test(
        (np.asarray(d, float),),
        np.sum,
        permutation_type="samples",
        n_resamples=np.inf,
        alternative=alternative,
    )
    return test.pvalue


def without_ties(d):
    sums = exercises.itertools.product((-1, 1), repeat=len(d))
    return np.mean([abs(np.dot(signs, d)) > abs(sum(d)) + 1e-9 for signs in sums])


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (scipy_p, "Right."),
        (partial(scipy_p, alternative="greater"), "Not yet. For the differences"),
        (lambda d: scipy_p(d) / 2, "Not yet. For the differences"),
        (without_ties, "Not yet. For the differences [1, 1, 1"),
        (lambda d: 1 / 0, "Not yet. Your function raises ZeroDivisionError"),
        (lambda d: ..., "Not yet. Replace the `...`"),
    ],
)
def test_every_swap(answer, text):
    assert repr(lesson.check_1(answer)).startswith(text)


def test_one_direction_and_ties_have_their_hints():
    assert "one direction" in repr(lesson.check_1(lambda d: exercises._exact(d, two_sided=False)))
    assert "comes exactly as far" in repr(lesson.check_1(without_ties))


def in_order(ps):
    return np.sort(holm(np.array(ps)))


def without_maximum(ps):
    order = np.argsort(ps)
    return np.minimum(np.array(ps)[order] * np.arange(len(ps), 0, -1), 1)[np.argsort(order)]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda ps: list(holm(np.array(ps))), "Right."),
        (lambda ps: bonferroni(np.array(ps)), "(Bonferroni)"),
        (in_order, "in the order in which they came"),
        (without_maximum, "never falls below"),
        (lambda ps: ps, "p stays as it was"),
        (lambda ps: [0.0] * len(ps), "Sort the p"),
        (lambda ps: ps[:1], "Sort the p"),
        (lambda ps: ..., "Replace the `...`"),
    ],
)
def test_holm(answer, text):
    verdict = repr(lesson.check_2(answer))
    assert text in verdict
    assert verdict.startswith("Right." if text == "Right." else "Not yet.")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (8.69, "Right. About 8.7: of the 40 questions that flip, 29 must be won and 11 lost."),
        (8.7, "Right."),
        (0.0869, "Not yet. Almost: in points"),
        (8.85, "Not yet. Close, but the variance is f - g²"),
        (6.1, "Not yet. 1.96 alone"),
        (0.754, "Not yet. This is the square"),
        (17.4, "Not yet. This is the number of questions"),
        (86.9, "Not yet. 20 % is a share"),
        (9, "Not yet. Put f = 0.2"),
        (..., "Not yet. Replace the `...`"),
    ],
)
def test_a_planned_experiment(answer, text):
    assert repr(lesson.check_3(answer)).startswith(text)


@pytest.fixture
def made_up(monkeypatch):
    """Two languages of ten questions; `translated` wins six in each, the third system loses one."""
    values = {
        ("asked", "xor-engspan"): [0] * 10,
        ("translated", "xor-engspan"): [100] * 6 + [0] * 4,
        ("translated", "xor-full"): HELD,
        ("one passage", "xor-full"): (*HELD[:9], 0),
    }
    scores = {
        key: tuple(
            Score(f"{lang}-{at}", lang, {"f1": value / 100})
            for lang in ("fi", "ko")
            for at, value in enumerate(row)
        )
        for key, row in values.items()
    }
    scores |= {("asked", "xor-full"): scores["translated", "xor-full"]}
    scores |= {("one passage", "xor-engspan"): scores["translated", "xor-engspan"]}
    monkeypatch.setattr(two_systems, "scores", lambda name, task: scores[name, task])
    for cached in (exercises._comparisons, exercises._widths):
        cached.cache_clear()
    yield scores
    for cached in (exercises._comparisons, exercises._widths):
        cached.cache_clear()


def test_without_pairs(made_up):
    before, after = (
        np.array([100 * one.values["f1"] for one in made_up[name, "xor-full"]])
        for name in ("translated", "one passage")
    )
    paired = (after - before).std()
    independent = np.sqrt(before.var() + after.var())  # of means of independent draws
    assert lesson.check_4(independent / paired)
    assert "the other way round" in lesson.check_4(paired / independent).reason
    assert "both were drawn in pairs" in lesson.check_4(1.0).reason
    assert "the standard deviations" in lesson.check_4((independent / paired) ** 2).reason
    assert "never negative" in lesson.check_4(paired - independent).reason
    assert "high - low" in lesson.check_4(20.0).reason
    assert not any(map(lesson.check_4, (paired / independent, 1.0, 20.0, -1.0, ...)))


@pytest.mark.parametrize(
    ("letter", "text"),
    [
        ("a", "Not yet. It is the largest of 2, picked after looking"),
        ("b", "Not yet. The interval goes from -"),
        ("c", "Right. It is the comparison that was announced"),
        ("d", "Not yet. With 10 questions per language"),
        ("e", "Not yet. Answer with one of the letters a, b, c, d."),
        (..., "Not yet. Replace the `...`"),
    ],
)
def test_the_sentence_to_publish(made_up, letter, text):
    assert repr(lesson.check_5(letter)).startswith(text)
