"""Checks of lesson 6b: scales, the odd cell, how many cases, what a table allows, a localiser."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.checklist.results import Failure, Outcome, error_grid

from .checklist_cases import LANGS, cases, crossed, judged, rate
from .grading import Verdict, graded, right, wrong
from .hints import hint

Errors = Mapping[str, Mapping[str, float]]
"""Languages to tests to percentages."""
Matrix = NDArray[np.float64]

NEAR = 0.01  # answers may be rounded to two decimals
FEWEST = 6  # cases that differ, all in one direction, for p < 0.05
MADE_UP: tuple[Errors, ...] = (
    {
        "sw": {"A": 10, "B": 70, "C": 60},
        "th": {"A": 0, "B": 60, "C": 0},
        "tr": {"A": 30, "B": 60, "C": 20},
    },
    {
        "sw": {"A": 60, "B": 20, "C": 50},
        "th": {"A": 60, "B": 70, "C": 70},
        "tr": {"A": 80, "B": 60, "C": 20},
    },
    {
        "sw": {"A": 0, "B": 10, "C": 10},
        "th": {"A": 90, "B": 80, "C": 20},
        "tr": {"A": 70, "B": 60, "C": 0},
    },
)
MADE_UP_CASES = ("fff", "ffw", "fw", "-", "w", "ffff", "f", "wf", "wff", "fwf")
"""The wrong answers of cases: right in the other language (f) or not (w)."""
ALLOWED = {"a", "d", "g"}
SENTENCES = {
    "a": "a: One suite, one test, two readers.",
    "b": "b: A case of `comparisons` has fewer examples than one of `intensifiers`.",
    "c": "c: Whose cases did XLM-R Large get, and whose did `reader-multi` get?",
    "d": "d: The two differ in all ten cases of `job and nationality`. Look at p.",
    "e": "e: 80 % beside 60 %, of ten cases: on how many do the two differ? Could that be chance?",
    "f": "f: Its training had questions of this kind. Does it gain on the tests that had none?",
    "g": "g: It names what was measured, and the training.",
}


@graded
def check_1(right_examples: Callable[[float, int], float]) -> Verdict:
    """The percentage of right examples, if a case fails unless all its examples are right."""
    given = ((60.0, 4), (75.0, 2), (91.0, 12), (0.0, 8))
    returned = [float(right_examples(*one)) for one in given]
    shown = f"For 60 % of cases of four examples it returns {returned[0]:.4g}."

    def is_like(formula: Callable[[float, int], float]) -> bool:
        return np.allclose(returned, [formula(failed / 100, n) for failed, n in given], atol=NEAR)

    if is_like(lambda failed, n: 100 * (1 - failed) ** (1 / n)):
        slip = 100 - 100 * 0.4 ** (12 / 4)
        return right(
            f"A reader that fails 60 % of the cases of four examples would fail {slip:.0f} % of "
            "those of twelve. Its examples are not independent, so this is a scale and not a model."
        )
    return hint(
        (
            is_like(lambda failed, n: (1 - failed) ** (1 / n)),
            f"{shown} Almost: the answer is a percentage.",
        ),
        (
            is_like(lambda failed, n: 100 * (1 - failed)),
            f"{shown} That many *cases* pass. A case passes if all of its examples are right.",
        ),
        (
            is_like(lambda failed, n: 100 * (1 - failed) ** n),
            f"{shown} The share of cases that pass is that power of the share of right examples, "
            "not the reverse.",
        ),
        (
            is_like(lambda failed, n: 100 * (1 - failed ** (1 / n))),
            f"{shown} For a case to fail, one wrong example suffices; not all have to be wrong.",
        ),
        (
            is_like(lambda failed, n: 100 * (1 - failed / n)),
            f"{shown} This holds if a case that fails has exactly one wrong example. Independent "
            "answers multiply.",
        ),
        otherwise=f"{shown} If an example is right with probability p, with which probability are "
        "all examples of a case right?",
    )


@graded
def check_2(odd_cell: Callable[[Errors], tuple[str, str]]) -> Verdict:
    """The cell that its row and its column explain least."""
    grids = (*MADE_UP, _grid())
    returned = [tuple(odd_cell({lang: {**row} for lang, row in one.items()})) for one in grids]

    def is_like(score: Callable[[Matrix], Matrix]) -> bool:
        return returned == [_greatest(score, one) for one in grids]

    def unexplained(errors: Matrix) -> Matrix:
        rest: Matrix = errors - _rows(errors) - _columns(errors) + errors.mean()
        return rest

    shown = f"For {dict(MADE_UP[0])} it returns {returned[0]}."
    if is_like(lambda errors: abs(unexplained(errors))):
        lang, test = returned[-1]
        return right(
            f"In the lesson's grid it is '{test}' in '{lang}': {grids[-1][lang][test]:.0f} %, and "
            f"{_expected(grids[-1], lang, test):.0f} % was to be expected. This is where to read "
            "answers and the file's templates first; it does not say why."
        )
    reverse = [_greatest(lambda errors: abs(unexplained(errors)), one)[::-1] for one in grids]
    return hint(
        (returned == reverse, f"{shown} The language comes first, then the test."),
        (
            is_like(lambda errors: -errors) or is_like(lambda errors: errors),
            f"{shown} The smallest or greatest figure is not odd where row and column are alike.",
        ),
        (
            is_like(lambda errors: abs(errors - _rows(errors))),
            f"{shown} You compare with the row alone: then an easy test is odd in each language.",
        ),
        (
            is_like(lambda errors: abs(errors - _columns(errors))),
            f"{shown} You compare with the column alone: then a hard language is odd in each test.",
        ),
        (
            is_like(lambda errors: abs(errors - errors.mean())),
            f"{shown} You compare with the mean of the grid: what do row and column add to it?",
        ),
        (
            is_like(lambda errors: abs(errors - (_rows(errors) + _columns(errors)) / 2)),
            f"{shown} You expect the average of row and column. If both are above the mean of the "
            "grid, expect more than either.",
        ),
        (
            is_like(lambda errors: abs(errors - _rows(errors) * _columns(errors) / errors.mean())),
            f"{shown} You multiply. What row and column differ by is to be added.",
        ),
        (
            is_like(unexplained),
            f"{shown} You look above what is expected; a cell below it may be odd, too.",
        ),
        (
            is_like(lambda errors: -unexplained(errors)),
            f"{shown} You look below what is expected; a cell above it may be odd, too. (Row mean "
            "plus column mean has the mean of the grid twice.)",
        ),
        otherwise=f"{shown} Expected is row mean + column mean - mean of the grid.",
    )


@graded
def check_3(count: float) -> Verdict:
    """How many cases until six differ, if two in five do."""
    fewest = round(FEWEST / 0.4)
    number = float(count)
    return (
        right(
            f"In {fewest} cases the two differ on {FEWEST}, all for the reader: p = "
            f"{2 * 0.5**FEWEST:.3f}. But chance moves the rates: {_power(fewest):.0f} % of such "
            f"tests have six or more that differ, and {_power(20):.0f} % of tests of 20 cases. "
            "Plan the number before: whoever adds cases until p is small gets it from chance, too."
        )
        if number == fewest
        else hint(
            (
                number == FEWEST,
                "Six cases must *differ*. The rule and the reader differ on two cases of five.",
            ),
            (
                number == 10,
                "The table has ten: they differ on four of them, which gives p = 0.121 there.",
            ),
            (
                12 <= number < 14,
                f"With five that differ, p is {2 * 0.5**5:.3f}: both directions count.",
            ),
            (
                14 <= number < fewest,
                "Two fifths of that are fewer than six cases.",
            ),
            (
                number > fewest,
                "That is enough, but not the fewest. How many cases have to differ?",
            ),
            otherwise="How many cases must differ for p < 0.05, and on what share do they differ?",
        )
    )


@graded
def check_4(letters: Collection[str]) -> Verdict:
    """The sentences that the lesson's tables allow."""
    answer = set(letters)
    if unknown := answer - SENTENCES.keys():
        return wrong(f"The sentences are a to g, not {min(map(str, unknown))!r}.")
    if extra := sorted(answer - ALLOWED):
        return wrong(SENTENCES[extra[0]])
    if missing := sorted(ALLOWED - answer):
        return wrong(f"One is missing that the figures allow. {SENTENCES[missing[0]]}")
    return right(
        "The others compare tests with different numbers of examples (b), two suites (c), a "
        "difference that could be chance (e), and scores with and without training for them (f)."
    )


@graded
def check_5(after: Callable[[Sequence[Outcome]], float]) -> Verdict:
    """The error rate if answers in the context's language are put into the question's."""
    outcomes = [_outcome(answers) for answers in MADE_UP_CASES]
    returned = float(after(outcomes))
    shown = (
        f"For cases with the wrong answers {', '.join(MADE_UP_CASES)} it returns {returned:.4g}."
    )
    shown += " (f: right in the other language, w: not; - is a case that passes.)"

    def is_near(value: float) -> bool:
        return math.isclose(returned, value, abs_tol=NEAR)

    if not is_near(100 * 6 / 10):
        return hint(
            (is_near(6 / 10), f"{shown} Almost: the answer is a percentage."),
            (
                is_near(100 * 6 / 22),
                f"{shown} That is the share of *answers* that stay wrong. An error rate counts "
                "cases, and one wrong answer fails a case.",
            ),
            (
                is_near(100 * 16 / 22),
                f"{shown} So many wrong answers are repaired. How many cases still fail?",
            ),
            (
                is_near(100 * 6 / 9),
                f"{shown} Divide by all cases: one of them passes from the beginning.",
            ),
            (
                is_near(100 * 3 / 10),
                f"{shown} Look at all the answers of a case: wf and fw fail both.",
            ),
            (
                any(map(is_near, (10, 20, 50))),
                f"{shown} A case fails if some of its answers stay wrong, as in ffw, or all.",
            ),
            (
                is_near(100 * 8 / 10),
                f"{shown} These have an answer that is repaired; in ffw another one stays wrong.",
            ),
            (is_near(100 * 4 / 10), f"{shown} These cases pass. An error rate counts the others."),
            (is_near(100 * 9 / 10), f"{shown} That is the error rate without the localiser."),
            otherwise=f"{shown} Which cases have a wrong answer that is not `foreign`?",
        )
    real, before = float(after(crossed())), rate(crossed())
    wrong_answers = [failure for one in crossed() for failure in one.failures]
    of_them = sum(failure.foreign for failure in wrong_answers)
    return right(
        f"From {before:.0f} % to {real:.0f} %. {of_them} of {len(wrong_answers)} answers are "
        "repaired, and the few others keep their cases failing. The error rate shows neither."
    )


def _power(cases: int) -> float:
    """In what percentage of tests enough cases differ, if two in five do on average."""
    few = (math.comb(cases, k) * 0.4**k * 0.6 ** (cases - k) for k in range(FEWEST))
    return 100 * (1 - sum(few))


def _grid() -> dict[str, dict[str, float]]:
    """The lesson's error grid, without its means."""
    *rows, _ = (line for group in error_grid(judged(cases(*LANGS))).rows for line in group)
    tests = list(dict.fromkeys(case.test for case in cases(*LANGS)))
    return {lang: dict(zip(tests, map(float, cells), strict=False)) for lang, *cells in rows}


def _greatest(score: Callable[[Matrix], Matrix], errors: Errors) -> tuple[str, str]:
    """The language and the test with the greatest score."""
    langs, tests = list(errors), list(next(iter(errors.values())))
    at = int(score(_matrix(errors)).argmax())
    return langs[at // len(tests)], tests[at % len(tests)]


def _expected(errors: Errors, lang: str, test: str) -> float:
    """What the row and the column of a cell lead to expect."""
    column = np.mean([row[test] for row in errors.values()])
    return float(np.mean(list(errors[lang].values())) + column - _matrix(errors).mean())


def _matrix(errors: Errors) -> Matrix:
    return np.array([list(row.values()) for row in errors.values()], dtype=float)


def _rows(errors: Matrix) -> Matrix:
    means: Matrix = errors.mean(axis=1, keepdims=True)
    return means


def _columns(errors: Matrix) -> Matrix:
    means: Matrix = errors.mean(axis=0, keepdims=True)
    return means


def _outcome(answers: str) -> Outcome:
    """A case of `MADE_UP_CASES`."""
    failures = tuple(
        Failure("Laura is a tailor.", "?", ("räätäli",), "tailor", foreign=one == "f")
        for one in answers.strip("-")
    )
    return Outcome("fi-en/jobs/000", "fi", "jobs", "taxonomy", "MFT", failures)
