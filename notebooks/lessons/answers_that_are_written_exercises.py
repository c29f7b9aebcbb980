"""Checks of lesson 15: the language of answers, supported quotations, a judge, and its bias."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from xorqa.lab.judging.agreement import agreement

from .grading import Verdict, graded, right, wrong
from .hints import hint

ASKED = ("fi", "fi", "fi", "ja", "ja", "ja", "en")
DETECTED = ("en", "fi", None, "en", None, "en", "en")
QUOTED = ((True,), (), (False, False, True), (True, True), (), (False,), (True,))
SAID = (True,) * 6 + (False,) * 2
TRUE = (True,) * 3 + (False,) * 5
MIXED = (
    (True, True, True, True, True, False, True, False),
    (True, True, True, True, True, True, False, False),
)
WINNERS = (("A", "B"),) * 4 + (("B", "A"), ("A", "A"), ("B", "B"), ("B", "B"))

FORMULA = (
    "Agreement a, agreement by chance c = p q + (1 - p)(1 - q) with the shares of yes; kappa is "
    "(a - c) / (1 - c)."
)

Pair = tuple[float, float]


@graded
def check_1(right_language: Callable[[Sequence[str], Sequence[str | None]], Pair]) -> Verdict:
    """The share of answers in the question's language, and their number."""
    share, n = map(float, right_language(list(ASKED), list(DETECTED)))
    judged = [(a, d) for a, d in zip(ASKED, DETECTED, strict=True) if d is not None]
    same = sum(a == d for a, d in judged)
    every, short = len(ASKED), len(ASKED) - len(judged)
    if not (_near(share, same / len(judged)) and n == len(judged)):
        return hint(
            (_near(share, same / len(judged)), f"The share is right; n is {len(judged)}."),
            (_near(share, 100 * same / len(judged)), "A share from 0 to 1, not a percentage."),
            (
                _near(share, same / every),
                "You count answers that are too short to judge as wrong. Leave them out.",
            ),
            (
                _near(share, (same + short) / every),
                "You count answers that are too short to judge as right. Leave them out.",
            ),
            (_near(share, 1 - same / len(judged)), "This is the share in another language."),
            (
                _near(share, sum(d == "en" for _, d in judged) / len(judged)),
                "This is the share of English. Compare with the language of each question.",
            ),
            otherwise=f"{len(judged)} answers are judged, {same} are in the question's language.",
        )
    return right("What cannot be judged is left out, so n belongs beside the share.")


@graded
def check_2(supported: Callable[[Sequence[Sequence[bool]]], Pair]) -> Verdict:
    """The share of supported quotations, and of replies that are backed by all they quote."""
    quotations, replies = map(float, supported([list(row) for row in QUOTED]))
    flat = [one for row in QUOTED for one in row]
    precise, backed = sum(flat) / len(flat), sum(bool(row) and all(row) for row in QUOTED)
    n, cited = len(QUOTED), [row for row in QUOTED if row]
    if not _near(quotations, precise):
        return hint(
            (
                _near(quotations, sum(sum(row) / len(row) for row in cited) / len(cited)),
                "You average over replies; here every quotation counts once.",
            ),
            (
                _near(quotations, sum(sum(row) / len(row) for row in cited) / n),
                "A reply without a quotation has no quotation that could be false.",
            ),
            (_near(quotations, sum(flat) / n), "Divide by the quotations, not by the replies."),
            otherwise=f"{sum(flat)} of {len(flat)} quotations are supported.",
        )
    if not _near(replies, backed / n):
        return hint(
            (
                _near(replies, sum(all(row) for row in QUOTED) / n),
                "all([]) is True: a reply that quotes nothing is backed by nothing.",
            ),
            (
                _near(replies, backed / len(cited)),
                "Replies without a quotation count, too: divide by all replies.",
            ),
            (
                _near(replies, sum(map(any, QUOTED)) / n),
                "One false quotation suffices: all of a reply's have to be supported.",
            ),
            otherwise=f"{backed} of {n} replies quote something, and nothing false.",
        )
    return right("The first figure rewards a model that quotes rarely; the second one does not.")


@graded
def check_3(kappa: Callable[[Sequence[bool], Sequence[bool]], float]) -> Verdict:
    """Cohen's kappa."""
    value = float(kappa(list(SAID), list(TRUE)))
    n, equal = len(SAID), sum(a == b for a, b in zip(SAID, TRUE, strict=True)) / len(SAID)
    p, q = sum(SAID) / n, sum(TRUE) / n
    chance, expected = p * q + (1 - p) * (1 - q), agreement(SAID, TRUE).kappa
    if expected is None or not _near(value, expected):
        return hint(
            (_near(value, equal), "This is the agreement itself: what would chance give?"),
            (_near(value, equal - chance), "Divide by what is left above chance, 1 - chance."),
            (_near(value, chance), "This is the agreement by chance; go on from it."),
            (
                _near(value, (equal - 0.5) / 0.5),
                "Chance is 1/2 only for a coin. This judge says yes to six of eight.",
            ),
            (
                _near(value, (equal - p * q) / (1 - p * q)),
                "By chance both may say yes, and both may say no: add the two.",
            ),
            (
                _near(value, _correlation(SAID, TRUE)),
                "This is a correlation: it forgives a judge that says yes too often. Go by the "
                "formula.",
            ),
            (
                _near(value, _of_pooled(equal, (p + q) / 2)),
                "Each judge has a share of yes of its own: do not pool the two.",
            ),
            otherwise=FORMULA,
        )
    if not _near(float(kappa(*map(list, MIXED))), agreement(*MIXED).kappa or 0):
        return wrong(FORMULA)
    always = float(kappa([True] * 4, [True, True, True, False]))
    if not _near(always, 0):
        return wrong(f"A judge that always says yes has a kappa of 0, not {always:.2f}.")
    return right("It is 0 for a judge that always says the same, however often that is right.")


@graded
def check_4(position: Callable[[Sequence[tuple[str, str]]], Pair]) -> Verdict:
    """How often the answer shown first wins, and in how many pairs both orders agree."""
    first, stable = map(float, position(list(WINNERS)))
    n = len(WINNERS)
    wins = [sum(a == "A" for a, _ in WINNERS), sum(b == "B" for _, b in WINNERS)]
    same = sum(a == b for a, b in WINNERS)
    if not _near(first, sum(wins) / (2 * n)):
        named = sum(pair.count("A") for pair in WINNERS)
        return hint(
            (_near(first, wins[0] / n), "This is one order only; in the other, B is shown first."),
            (_near(first, named / (2 * n)), "This is how often A wins, wherever it is shown."),
            (
                _near(first, sum(pair == ("A", "B") for pair in WINNERS) / n),
                "You count pairs; count verdicts, of which each pair has two.",
            ),
            (_near(first, sum(wins) / n), "Each pair has two verdicts: divide by both."),
            otherwise=f"The answer shown first wins {sum(wins)} of {2 * n} verdicts.",
        )
    if not _near(stable, same / n):
        return hint(
            (
                _near(stable, 1 - same / n),
                "These are the pairs in which the winner changes with the order.",
            ),
            (
                _near(stable, sum(pair == ("A", "B") for pair in WINNERS) / n),
                "Here the first one shown wins both times, so the winner changes.",
            ),
            (
                _near(stable, sum(pair == ("A", "A") for pair in WINNERS) / n),
                "B may win in both orders, too.",
            ),
            otherwise=f"In {same} of {n} pairs both orders have the same winner.",
        )
    return right("A judge without a bias for a place has 1/2 and, if it knows the answer, 1.")


def _correlation(said: Sequence[bool], true: Sequence[bool]) -> float:
    p, q = sum(said) / len(said), sum(true) / len(true)
    both = sum(a and b for a, b in zip(said, true, strict=True)) / len(said)
    return (both - p * q) / math.sqrt(p * (1 - p) * q * (1 - q))


def _of_pooled(equal: float, yes: float) -> float:
    chance = yes**2 + (1 - yes) ** 2
    return (equal - chance) / (1 - chance)


def _near(value: Any, expected: float) -> bool:
    return math.isclose(float(value), expected, abs_tol=1e-6)
