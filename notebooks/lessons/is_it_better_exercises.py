"""The exercises of lesson 7b, graded."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from xorqa.metrics.resampling import bonferroni, holm
from xorqa.metrics.significance import Comparison, compare

from . import two_systems
from .grading import Verdict, graded, right, wrong

Floats = npt.NDArray[np.float64]

GAINS = ([1, 1, 1, 1, -1, 0, 0], [1, 0.5, -0.25, 0.5, 1], [0, 0, 0], [-1, -1, -1, 0, 1, -1, -1])
PS = ([0.01, 0.04, 0.03, 0.005], [0.04, 0.01, 0.9, 0.6], [0.02], [0.01, 0.011, 0.012])
NEAR = 1e-6
FLIPS, QUESTIONS = 0.2, 200  # of exercise 3
LETTERS = ("a", "b", "c", "d")  # of exercise 5
SETUP = "official scorer, human translations"


@graded
def check_1(exact_p: Callable[[Floats], float]) -> Verdict:
    """The p of all swaps of the signs of some differences."""
    for gains in map(np.array, GAINS):
        returned, p = float(exact_p(gains)), _exact(gains, two_sided=True)
        if math.isclose(returned, p, abs_tol=NEAR):
            continue
        shown = f"For the differences {gains.tolist()} it returns {returned:.4g}."
        if math.isclose(returned, _exact(gains, two_sided=False), abs_tol=NEAR):
            return wrong(f"{shown} You counted one direction; as far *from 0* means both.")
        if math.isclose(returned, _exact(gains, two_sided=True, ties=False), abs_tol=NEAR):
            return wrong(f"{shown} A swap that comes exactly as far counts, too.")
        return wrong(f"{shown} Of the 2 to the power of n sums, what share is as far from 0?")
    return right(
        "All swaps give the p that random ones only estimate, and never 0: the scores as observed "
        "are one of the swaps. With 84 questions there are 2 to the power of 84; so one draws."
    )


def _exact(gains: Floats, *, two_sided: bool, ties: bool = True) -> float:
    sums = np.array(list(itertools.product((-1, 1), repeat=len(gains)))) @ gains
    least = abs(gains.sum()) - (1e-9 if ties else -1e-9)
    if two_sided:
        return float(np.mean(np.abs(sums) >= least))
    return float(np.mean(sums * (1 if gains.sum() >= 0 else -1) >= least))


@graded
def check_2(corrected: Callable[[Sequence[float]], Sequence[float]]) -> Verdict:
    """Holm's correction, in the order of the given p."""
    for ps in PS:
        returned, expected = np.array(list(corrected(list(ps))), float), holm(np.array(ps))
        if returned.shape == expected.shape and np.allclose(returned, expected, atol=NEAR):
            continue
        return wrong(f"For {ps} it returns {np.round(returned, 4).tolist()}. {_hint(ps, returned)}")
    return right(
        "It agrees with `xorqa.metrics.resampling.holm`. The smallest p pays for all tests, the "
        "next for one less: never worse than multiplying every p by the number of tests."
    )


def _hint(ps: Sequence[float], returned: Floats) -> str:
    """What is wrong with corrected p's."""
    array = np.array(ps)
    order = np.argsort(array)
    steps = array[order] * np.arange(len(array), 0, -1)
    back = np.argsort(order)
    mistakes = {
        "This multiplies every p by the number of tests (Bonferroni).": bonferroni(array),
        "A corrected p never falls below that of a smaller p.": np.minimum(steps, 1)[back],
        "No p is above 1.": np.maximum.accumulate(steps)[back],
        "Return them in the order in which they came.": np.sort(holm(array)),
        "Without a correction, p stays as it was.": array,
    }
    for hint, values in mistakes.items():
        if returned.shape == values.shape and np.allclose(returned, values, atol=NEAR):
            return hint
    return "Sort the p; multiply the smallest by n, the next by n - 1, and so on."


@graded
def check_3(points: float) -> Verdict:
    """The net gain that a number of questions shows in four of five experiments."""
    gain = _shown(2.8)
    if abs(points - 100 * gain) <= 0.06:
        flipped, net = FLIPS * QUESTIONS, gain * QUESTIONS
        return right(
            f"About {100 * gain:.1f}: of the {flipped:.0f} questions that flip, "
            f"{(flipped + net) / 2:.0f} must be won and {(flipped - net) / 2:.0f} lost. Half such "
            "a gain would take four times the questions."
        )
    mistakes = {
        gain: "Almost: in points, not as a share.",
        100 * _shown(1.96): "1.96 alone leaves out 0 in one of two experiments.",
        100 * (2.8**2 * FLIPS / QUESTIONS) ** 0.5: "Close, but the variance is f - g², not f. "
        "Solve n g² = 2.8² (f - g²) for g.",
        100 * gain**2: "This is the square of the gain.",
        100 * (2.8**2 * 100 * FLIPS / (QUESTIONS + 2.8**2)) ** 0.5: "20 % is a share of 0.2.",
        gain * QUESTIONS: "This is the number of questions. Which share of the 200 is it?",
    }
    for value, mistake in mistakes.items():
        if abs(points - value) <= max(0.06, 0.005 * value):
            return wrong(mistake)
    return wrong("Put f = 0.2 and n = 200 into the formula above, and solve it for g.")


def _shown(errors: float) -> float:
    """The net gain that is so many standard errors from 0."""
    return math.sqrt(errors**2 * FLIPS / (QUESTIONS + errors**2))


@graded
def check_4(ratio: float) -> Verdict:
    """How many times wider the interval is without pairs."""
    if not ratio > 0:
        return wrong("A width is never negative: the wider divided by the narrower is above 1.")
    paired, independent = _widths()
    expected = independent / paired
    if abs(ratio - expected) <= 0.1 * expected:
        return right(
            f"About {expected:.1f} times. A question that is hard for one system is hard for the "
            "other; pairs remove that from the difference, independent draws do not."
        )
    if abs(ratio * expected - 1) <= 0.1:
        return wrong("This is the other way round: the wider divided by the narrower.")
    if abs(ratio - 1) <= 0.1:
        return wrong(
            "The widths are alike, so both were drawn in pairs. Draw the questions of the second "
            "system anew: two arrays of random positions."
        )
    if abs(ratio - expected**2) <= 0.1 * expected**2:
        return wrong("This compares variances; a width goes with the standard deviations.")
    return wrong("Take `high - low` of both bootstraps, and divide the wider by the narrower.")


@cache
def _widths() -> tuple[float, float]:
    """The widths of the intervals of the second comparison: with pairs, and without."""
    a, b = (
        np.array([100 * row.values["f1"] for row in two_systems.scores(name, "xor-full")])
        for name in ("translated", "one passage")
    )
    random = np.random.default_rng(2)
    sample, other_sample = (random.integers(len(a), size=(10_000, len(a))) for _ in range(2))
    paired, independent = (
        (b - a)[sample].mean(axis=1),
        b[other_sample].mean(axis=1) - a[sample].mean(axis=1),
    )
    low, high = np.quantile([paired, independent], [0.025, 0.975], axis=1)
    return float(high[0] - low[0]), float(high[1] - low[1])


@cache
def _comparisons() -> tuple[list[Comparison], Comparison]:
    """The announced comparison, language by language and macro, and the second one's macro."""
    as_asked, translated, one_passage = (
        {task: two_systems.scores(name, task) for task in ("xor-engspan", "xor-full")}
        for name in ("asked", "translated", "one passage")
    )
    first, second = (
        compare(a[task], {"B": b[task]}, metrics=["f1"])
        for a, b, task in (
            (as_asked, translated, "xor-engspan"),
            (translated, one_passage, "xor-full"),
        )
    )
    return first, second[-1]


def sentences() -> dict[str, str]:
    """Four sentences about the comparisons, of which one may be published."""
    (*langs, macro), second = _comparisons()
    most = max(langs, key=lambda row: row.difference)
    return {
        "a": f"English questions add {most.difference:.1f} points of F1 to XOR-EnglishSpan in "
        f"{most.lang} ({_figures(most)}), and no more in any other language.",
        "b": f"With one passage F1 of XOR-Full is as good as with two ({_figures(second)}).",
        "c": f"English questions add {macro.difference:.1f} points of F1 to XOR-EnglishSpan's "
        f"macro average ({_figures(macro)}).",
        "d": "In single languages English questions make no difference to F1 of XOR-EnglishSpan "
        f"(smallest corrected p {min(row.p_corrected for row in langs):.2g}, "
        f"n = {langs[0].n} each, {SETUP}).",
    }


def _figures(row: Comparison) -> str:
    return (
        f"95 % interval {row.low:+.1f} to {row.high:+.1f}, p = {row.p_randomisation:.2g}, "
        f"n = {row.n}, {SETUP}"
    )


def _supported() -> dict[str, tuple[bool, str]]:
    """Sentence to whether the comparisons support it, and why or why not."""
    (*langs, macro), second = _comparisons()
    most = max(langs, key=lambda row: row.difference)
    return {
        "a": (
            most.significant,
            f"It is the largest of {len(langs)}, picked after looking; corrected, its p is "
            f"{most.p_corrected:.2g}.",
        ),
        "b": (
            second.low > -1 and second.high < 1,
            f"The interval goes from {second.low:+.1f} to {second.high:+.1f} points: a large p "
            "does not show that two systems are alike.",
        ),
        "c": (
            macro.significant,
            "It is the comparison that was announced, with its interval, p, n, scorer and oracle; "
            "its p holds after the correction.",
        ),
        "d": (
            all(row.low > -1 and row.high < 1 for row in langs),
            f"With {langs[0].n} questions per language the intervals reach as far as "
            f"{max(row.high for row in langs):.0f} points: too few questions to say so.",
        ),
    }


@graded
def check_5(letter: str) -> Verdict:
    """The sentence that may be published."""
    if letter not in LETTERS:
        return wrong(f"Answer with one of the letters {', '.join(LETTERS)}.")
    holds, why = _supported()[letter]
    return right(why) if holds else wrong(why)
