"""Checks of lesson 14: reciprocal rank, nDCG, a pool, and lists without unjudged hits."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from .grading import Verdict, graded, right, wrong
from .hints import hint

RANKING = ("d", "b", "x", "a", "c")
GRADES = {"a": 3, "b": 0, "c": 1, "e": 2}  # b was judged wrong, x and d were not judged
RUNS = (("a", "b", "c", "d"), ("c", "a", "e", "f"), ("g",))
Grades = Mapping[str, int]


@graded
def check_1(reciprocal_rank: Callable[[Sequence[str], Grades, int], float]) -> Verdict:
    """RR@k."""
    value, cut = (float(reciprocal_rank(list(RANKING), dict(GRADES), k)) for k in (10, 3))
    if not _near(value, 1 / 4):
        return hint(
            (_near(value, 1 / 2), "b is in the qrels with grade 0: it was judged, and is wrong."),
            (_near(value, 1 / 3), "Ranks begin at 1."),
            (_near(value, 4), "This is the rank; how large is its reciprocal?"),
            (
                _near(value, (1 / 4 + 1 / 5) / 2),
                "Only the first right hit counts: you average over all.",
            ),
            otherwise=f"The first right hit of {', '.join(RANKING)} is a, at rank 4.",
        )
    if not _near(cut, 0):
        return wrong("With a cutoff of 3 nothing right is left, so the value is 0.")
    nothing = float(reciprocal_rank(["x", "y"], dict(GRADES), 10))
    if not _near(nothing, 0):
        return wrong(f"Without a right hit the value is 0, not {nothing}.")
    return right(
        "It rewards the first right hit and ignores all others: suited to a reader who stops there."
    )


@graded
def check_2(ndcg: Callable[[Sequence[str], Grades, int], float]) -> Verdict:
    """nDCG@k with linear gains."""
    gains = [GRADES.get(docid, 0) for docid in RANKING]
    ideal = sorted(GRADES.values(), reverse=True)
    value = float(ndcg(list(RANKING), dict(GRADES), 10))
    if not _near(value, dcg(gains) / dcg(ideal)):
        powers, best = ([2**gain - 1 for gain in one] for one in (gains, ideal))
        return hint(
            (_near(value, dcg(gains)), "This is DCG: divide by that of the ideal order."),
            (
                _near(value, dcg(gains) / dcg(sorted(gains, reverse=True))),
                "Your ideal order has retrieved docids only; e, of grade 2, was missed.",
            ),
            (
                _near(value, dcg(powers) / dcg(best)),
                "Your gain is 2^grade - 1, another definition. trec_eval's is the grade itself.",
            ),
            (
                _near(value, sum(gains) / sum(ideal)),
                "Where do ranks act? A gain at rank r is divided by log2(r + 1).",
            ),
            otherwise="Sum grade / log2(rank + 1) over the ranking, then over the grades of the "
            "qrels from the highest down; divide.",
        )
    cut = float(ndcg(list(RANKING), dict(GRADES), 2))
    if not _near(cut, 0):
        return wrong(f"At 2 nothing right is retrieved, so it is 0, not {cut:.2f}.")
    one = float(ndcg(["a", "x"], dict(GRADES), 1))
    if not _near(one, 1):
        return wrong(f"a is the best first hit, so nDCG@1 is 1, not {one:.2f}: cut the ideal, too.")
    return right("The ideal comes from the qrels, not from the run: what was missed costs.")


def dcg(gains: Sequence[float]) -> float:
    """The sum of gains, each divided by log2(rank + 1)."""
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


@graded
def check_3(to_judge: Callable[[Sequence[Sequence[str]], int], Collection[str]]) -> Verdict:
    """A pool of depth k."""
    returned = to_judge([list(run) for run in RUNS], 2)
    given, expected = set(returned), {"a", "b", "c", "g"}
    if given != expected:
        return hint(
            (given <= {"a"}, "Take what *any* run has among its first, not what all of them have."),
            (given == {"a", "b"}, "Only the first run is in your pool."),
            (given == {"a", "b", "c", "d", "e", "f", "g"}, "Where does the depth act?"),
            (given == {"a", "c"}, "The depth is per run: g is the first hit of a short one."),
            otherwise=f"The first two of each run are {sorted(expected)}, not {sorted(given)}.",
        )
    if len(list(returned)) != len(expected):
        return wrong("Nobody wants to judge a document twice: return each docid once.")
    return right("What no run has among its first is never judged, and counts as wrong ever after.")


@graded
def check_4(condensed: Callable[[Sequence[str], Grades], Sequence[str]]) -> Verdict:
    """A list without unjudged hits."""
    returned = list(condensed(list(RANKING), dict(GRADES)))
    if returned != ["b", "a", "c"]:
        return hint(
            (
                returned == ["a", "c"],
                "b was judged, and is wrong. It stays, or all lists are ideal.",
            ),
            (returned == ["d", "x"], "These are the unjudged ones; remove them."),
            (returned == list(RANKING), "d and x have no judgement. `grades` knows neither."),
            (sorted(returned) == ["a", "b", "c"], "Keep the order of the ranking."),
            (set(returned) > {"a", "b", "c"}, "Only what the ranking has: e was not retrieved."),
            otherwise=f"Of {', '.join(RANKING)}, b, a and c were judged; not {returned}.",
        )
    return right(
        "It does not punish a system for hits that nobody read, and so it flatters one whose "
        "unjudged hits are wrong."
    )


def _near(value: Any, expected: float) -> bool:
    return math.isclose(float(value), expected, abs_tol=1e-6)
