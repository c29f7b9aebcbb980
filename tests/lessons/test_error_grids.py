"""Lesson 6b: its counts, and what its exercises accept and reject."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from lessons import checklist_cases
from lessons import error_grids as lesson
from lessons.checklist_rules import by_less, first_word
from lessons.error_grids_exercises import MADE_UP

from xorqa.lab.checklist.results import Failure, Outcome


@pytest.fixture(autouse=True)
def copier(monkeypatch):
    """In place of the reader: right in the context's language, but for the ids that end in 0."""

    def answers(cases, reader, *, cache):
        return {
            qid: "nothing" if qid.endswith("/0") else (example.in_context or example.answers)[0]
            for case in cases
            for qid, example in zip(case.qids(), case.examples, strict=True)
        }

    monkeypatch.setattr(checklist_cases, "by_reader", answers)
    lesson.crossed.cache_clear()
    yield
    lesson.crossed.cache_clear()


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (lambda f, n: 100 * (1 - f / 100) ** (1 / n), "Right. A reader that fails 60 %"),
        (
            lambda f, n: (1 - f / 100) ** (1 / n),
            "Not yet. For 60 % of cases of four examples it returns 0.7953. Almost",
        ),
        (
            lambda f, n: 100 - f,
            "Not yet. For 60 % of cases of four examples it returns 40. That many *cases* pass",
        ),
        (
            lambda f, n: 100 * (1 - f / 100) ** n,
            "Not yet. For 60 % of cases of four examples it returns 2.56. The share of cases",
        ),
        (
            lambda f, n: 100 * (1 - (f / 100) ** (1 / n)),
            "Not yet. For 60 % of cases of four examples it returns 11.99. For a case to fail",
        ),
        (
            lambda f, n: 100 - f / n,
            "Not yet. For 60 % of cases of four examples it returns 85. This holds if",
        ),
        (
            lambda f, n: 90,
            "Not yet. For 60 % of cases of four examples it returns 90. If an example is right",
        ),
        (lambda f, n: ..., "Not yet. Replace"),
    ],
)
def test_right_examples(formula, text):
    assert repr(lesson.check_1(formula)).startswith(text)


def cell(score, *, reverse=False):
    """A function that finds the cell with the greatest score."""

    def find(errors):
        langs, tests = list(errors), list(next(iter(errors.values())))
        matrix = np.array([list(row.values()) for row in errors.values()], float)
        at = score(matrix, matrix.mean(1, keepdims=True), matrix.mean(0)).argmax()
        found = langs[at // len(tests)], tests[at % len(tests)]
        return found[::-1] if reverse else found

    return find


def residual(errors, rows, columns):
    return abs(errors - rows - columns + errors.mean())


@pytest.mark.parametrize(
    ("find", "text"),
    [
        (cell(residual), "In the lesson's grid it is"),
        (cell(residual, reverse=True), "The language comes first"),
        (cell(lambda e, r, c: -e), "The smallest or greatest figure is not odd"),
        (cell(lambda e, r, c: e), "The smallest or greatest figure is not odd"),
        (cell(lambda e, r, c: abs(e - r)), "You compare with the row alone"),
        (cell(lambda e, r, c: abs(e - c)), "You compare with the column alone"),
        (cell(lambda e, r, c: abs(e - e.mean())), "You compare with the mean of the grid"),
        (cell(lambda e, r, c: e - r - c), "You look above what is expected"),
        (cell(lambda e, r, c: r + c - e), "You look below what is expected"),
        (cell(lambda e, r, c: abs(e - r - c)), "has the mean of the grid twice"),
        (cell(lambda e, r, c: abs(e - (r + c) / 2)), "You expect the average of row and column"),
        (cell(lambda e, r, c: abs(e - r * c / e.mean())), "You multiply"),
        (lambda errors: ("sw", "A"), "Expected is row mean + column mean"),
    ],
)
def test_the_odd_cell(find, text):
    verdict = lesson.check_2(find)
    assert verdict.right == (text == "In the lesson's grid it is")
    assert text in repr(verdict), "Not yet"


def test_each_made_up_grid_has_one_odd_cell():
    for errors in MADE_UP:
        matrix = np.array([list(row.values()) for row in errors.values()], float)
        rest = residual(matrix, matrix.mean(1, keepdims=True), matrix.mean(0))
        assert (rest > rest.max() - 1).sum() == 1


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (15, "Right. In 15 cases the two differ on 6"),
        (15.0, "Right."),
        (6, "Not yet. Six cases must *differ*"),
        (10, "Not yet. The table has ten"),
        (13, "Not yet. With five that differ, p is 0.062"),
        (12.5, "Not yet. With five that differ"),
        (14, "Not yet. Two fifths of that"),
        (18, "Not yet. That is enough, but not the fewest"),
        (200, "Not yet. That is enough"),
        (3, "Not yet. How many cases must differ"),
        (..., "Not yet. Replace"),
    ],
)
def test_how_many_cases(count, text):
    assert repr(lesson.check_3(count)).startswith(text)


@pytest.mark.parametrize(
    ("letters", "text"),
    [
        ({"a", "d", "g"}, "Right. The others compare"),
        ("adg", "Right."),
        ({"a", "b", "d", "g"}, "Not yet. b: A case of `comparisons` has fewer examples"),
        ({"a", "c", "d", "g"}, "Not yet. c: Whose cases"),
        ({"a", "d", "e", "g"}, "Not yet. e: 80 % beside 60 %"),
        ({"a", "d", "f"}, "Not yet. f: Its training had questions"),
        ({"d", "g"}, "Not yet. One is missing that the figures allow. a: One suite"),
        ({"a", "g"}, "Not yet. One is missing that the figures allow. d: The two differ"),
        ({"a", "d"}, "Not yet. One is missing that the figures allow. g: It names"),
        (set(), "Not yet. One is missing that the figures allow. a: One suite"),
        ({"a", "z"}, "Not yet. The sentences are a to g, not 'z'"),
    ],
)
def test_sentences_that_the_figures_allow(letters, text):
    assert repr(lesson.check_4(letters)).startswith(text)


def stays(failure):
    return not failure.foreign


def share(values):
    values = list(map(bool, values))
    return 100 * sum(values) / len(values)


def answers(outcomes):
    return [failure for one in outcomes for failure in one.failures]


def still_failing(outcomes):
    return share(any(map(stays, one.failures)) for one in outcomes)


@pytest.mark.parametrize(
    ("after", "text"),
    [
        (still_failing, "From 100 %"),
        (lambda o: still_failing(o) / 100, "Almost: the answer is a percentage"),
        (lambda o: share(map(stays, answers(o))), "That is the share of *answers*"),
        (lambda o: share(f.foreign for f in answers(o)), "So many wrong answers are repaired"),
        (lambda o: still_failing([one for one in o if one.failures]), "Divide by all cases"),
        (lambda o: share(all(map(stays, one.failures)) for one in o), "as in ffw"),
        (lambda o: share(one.failures and stays(one.failures[-1]) for one in o), "wf and fw fail"),
        (lambda o: share(one.failures and stays(one.failures[0]) for one in o), "wf and fw fail"),
        (
            lambda o: share(any(f.foreign for f in one.failures) for one in o),
            "These have an answer that is repaired",
        ),
        (lambda o: 100 - still_failing(o), "These cases pass"),
        (lambda o: share(bool(one.failures) for one in o), "the error rate without the localiser"),
        (lambda o: 0, "Which cases have a wrong answer"),
        (lambda o: 37, "Which cases have a wrong answer"),
    ],
)
def test_what_a_localiser_leaves(after, text):
    verdict = lesson.check_5(after)
    assert verdict.right == (after is still_failing)
    assert text in repr(verdict), "Not yet"


def test_the_published_figures_are_those_of_the_results():
    results = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
    for name, figures in lesson.PUBLISHED.items():
        assert f"| {name} (XTREME-R) | {' | '.join(figures)} |" in results


def outcome(lang, test, *predictions):
    failures = tuple(Failure("a b c", "?", ("b",), said, foreign=False) for said in predictions)
    return Outcome(f"{lang}/{test}", lang, test, "x", "MFT", failures)


def test_rows_of_a_grid():
    outcomes = [outcome("en", "one", "a", "c"), outcome("en", "one"), outcome("fi", "two", "a b")]
    by_row = lesson.rows(lesson.error_grid(outcomes))
    assert by_row["en"] == {"one": 50, "two": None, "mean": 50}


def test_kinds_of_answers_by_test():
    english = [case for case in lesson.cases("en") if case.test == "comparisons"]
    outcomes = lesson.judged(english, first_word)
    counts = lesson.tally(english, outcomes, lambda answer, golds: "another", by="test")
    assert counts == {"comparisons": Counter(right=10, another=10)}
    assert lesson.draw_kinds({"one": counts, "other": counts}).axes[0].get_title() == "one"
    grid = lesson.draw_grid(lesson.error_grid(outcomes))
    assert [text.get_text() for text in grid.axes[0].texts] == ["100", "100"]


def test_two_systems_on_the_same_cases():
    english = [case for case in lesson.cases("en") if case.test == "comparisons"]
    worst = lesson.judged(english, lambda question, context: "")
    best = lesson.judged(english, by_less)
    ((test, base, score, p),) = lesson.compared(worst, best)
    assert (test, base, score) == ("comparisons", 100, 0) and p < 0.05
