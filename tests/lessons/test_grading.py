"""A verdict on every kind of answer, and never an error."""

import pytest
from lessons.grading import Verdict, graded, right, wrong


@graded
def check_half(answer):
    return right("Half of 12.") if answer + 0 == 6 else wrong("Half of 12 is less.")


@graded
def check_double(double):
    return right("Twice.") if double(3) == 6 else wrong("3 should become 6.")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (6, "Right. Half of 12."),
        (7, "Not yet. Half of 12 is less."),
        (..., "Not yet. Replace the `...` in the cell above with your answer."),
        (None, "Not yet. This is not the kind of answer asked for (TypeError: unsupported "),
    ],
)
def test_a_value(answer, text):
    verdict = check_half(answer)
    assert repr(verdict).startswith(text)
    assert bool(verdict) is text.startswith("Right")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda number: 2 * number, "Right. Twice."),
        (lambda number: number, "Not yet. 3 should become 6."),
        (lambda number: ..., "Not yet. Replace the `...`"),
        (lambda number: number / 0, "Not yet. Your function raises ZeroDivisionError: division"),
        (lambda: 6, "Not yet. Your function raises TypeError"),
        (6, "Not yet. This is not the kind of answer asked for"),
    ],
)
def test_a_function(answer, text):
    assert repr(check_double(answer)).startswith(text)


def test_a_verdict_is_marked_with_words_and_not_with_colour_alone():
    assert Verdict(True, "So.")._repr_markdown_() == "✅ **Right.** So."
    assert Verdict(False, "No.")._repr_markdown_() == "⬜ **Not yet.** No."
