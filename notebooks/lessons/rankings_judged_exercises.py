"""Checks of lesson 14: measures that disagree, nDCG, what a pool leaves open, and bpref."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .grading import Verdict, graded, right, wrong
from .hints import hint

RIGHT, WRONG = ("r1", "r2", "r3"), ("w1", "w2", "w3", "w4")
RANKING = ("d", "b", "x", "a", "c")
GRADES = {"a": 3, "b": 0, "c": 1, "e": 2}  # b was judged wrong, x and d were not judged
LONG = ("x", "a", "w", "d", "b", "v", "u", "c", "t")
POOL = {"a": 1, "w": 0, "b": 1, "v": 0, "u": 0, "t": 0, "c": 3, "e": 1}  # not x and d
Grades = Mapping[str, int]


@graded
def check_1(rankings: Mapping[str, Sequence[str]]) -> Verdict:
    """Two rankings between which reciprocal rank and nDCG@5 disagree."""
    names = ("RR prefers", "nDCG@5 prefers")
    first, second = (list(rankings[name]) for name in names)
    for name, ranking in zip(names, (first, second), strict=True):
        if sorted(ranking) != sorted(RIGHT + WRONG):
            return wrong(f"{name}: each of the seven documents once, please.")
    rr = [1 / _first_right(one) for one in (first, second)]
    ndcg = [dcg([docid in RIGHT for docid in one[:5]]) / dcg([1, 1, 1]) for one in (first, second)]
    shown = f"RR {rr[0]:.2f} and {rr[1]:.2f}, nDCG@5 {ndcg[0]:.2f} and {ndcg[1]:.2f}"
    if rr[0] > rr[1] and ndcg[0] < ndcg[1]:
        return right(
            f"{shown}. A right hit at the top decides RR; the other right hits decide nDCG."
        )
    return hint(
        (rr[0] < rr[1] and ndcg[0] > ndcg[1], f"{shown}: the other way round."),
        (
            math.isclose(rr[0], rr[1]),
            f"{shown}: RR sees no difference, since the first right hit has the same rank in both.",
        ),
        (rr[0] < rr[1], f"{shown}: RR prefers the second, whose first right hit comes earlier."),
        otherwise=f"{shown}: both prefer the first. Put what RR does not look at, the other right "
        "documents, below rank 5 in the first ranking, and high in the second.",
    )


def _first_right(ranking: Sequence[str]) -> int:
    return 1 + next(at for at, docid in enumerate(ranking) if docid in RIGHT)


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
def check_3(limits: Callable[[Sequence[str], Grades, int], tuple[float, float]]) -> Verdict:
    """The lowest and the highest P@k that judgements leave possible."""
    for k in (5, 8):
        low, high = map(float, limits(list(LONG), dict(POOL), k))
        expected = bounds(LONG, POOL, k)
        hits = LONG[:k]
        judged = [docid for docid in hits if docid in POOL]
        found = sum(POOL[docid] > 0 for docid in judged)
        if _near(low, expected[0]) and _near(high, expected[1]):
            continue
        return hint(
            (_near(low, expected[1]) and _near(high, expected[0]), "The lowest comes first."),
            (
                _near(low, found / len(judged)) or _near(high, found / len(judged)),
                "You divide by the judged hits. P@k divides by k, whoever was judged.",
            ),
            (
                _near(low, expected[0]) and _near(high, low),
                "The highest: what if all unjudged hits are right?",
            ),
            (
                _near(low, len(judged) / k),
                "Grade 0 is judged, and wrong. Being in `grades` is not enough.",
            ),
            (
                _near(low, expected[0]) and _near(high, 1),
                "What was judged wrong stays wrong: only unjudged hits are open.",
            ),
            (
                _near(low, sum(POOL.get(docid, 0) for docid in hits) / k),
                "A grade of 3 is one right document: count those above 0.",
            ),
            otherwise=f"At {k} it is {expected[0]:.2f} to {expected[1]:.2f} for "
            f"{', '.join(hits)}, of which x and d are not judged.",
        )
    return right(
        "The width is the share of unjudged hits. If the limits of two systems do not overlap, the "
        "pool decides between them; if they do, look at the unjudged hits that only one has."
    )


def bounds(ranking: Sequence[str], grades: Grades, k: int) -> tuple[float, float]:
    """P@k if all unjudged hits are wrong, and if all are right."""
    lowest = sum(grades.get(docid, 0) > 0 for docid in ranking[:k]) / k
    return lowest, lowest + sum(docid not in grades for docid in ranking[:k]) / k


@graded
def check_4(bpref: Callable[[Sequence[str], Grades], float]) -> Verdict:
    """Bpref as in trec_eval, where wrong documents outnumber right ones, and the reverse."""
    few = {"a": 1, "w": 0, "b": 1, "c": 1, "e": 1}
    many = {"a": 1, "w": 0, "v": 0, "u": 0, "b": 1, "t": 0, "c": 1}
    late = {"c": 1, "a": 0, "w": 0, "v": 0}
    for grades in (many, few, late, {"a": 1, "b": 1}):
        value = float(bpref(list(LONG), dict(grades)))
        found = [docid for docid in LONG if grades.get(docid, 0) > 0]
        if _near(value, preference(LONG, grades)):
            continue
        unread = dict.fromkeys(LONG, 0) | grades
        n = sum(grade > 0 for grade in grades.values())
        return hint(
            (
                _near(value, preference(LONG, unread)) or _near(value, _unread(grades)),
                "Unjudged hits are ignored: they are not wrong ones above.",
            ),
            (
                _near(value, preference(LONG, grades) * n / max(1, len(found))),
                "Divide by all right documents judged, also those that are not retrieved.",
            ),
            (
                _near(value, preference(LONG, grades) * n),
                "This is the sum; divide it by R.",
            ),
            (
                _near(value, _uncapped(grades)),
                "More than R wrong ones above count as R, or a value falls below 0.",
            ),
            (
                _near(value, len(found) / n),
                "This is recall: what does a judged wrong document above a right one cost?",
            ),
            otherwise=f"For {', '.join(LONG)} and {dict(grades)} it is "
            f"{preference(LONG, grades):.3f}, not {value:.3f}.",
        )
    return right(
        "It compares judged documents with judged ones only. So it says nothing about right "
        "documents that no system brought to the pool."
    )


def preference(ranking: Sequence[str], grades: Grades) -> float:
    """Bpref of a ranking."""
    n = sum(grade > 0 for grade in grades.values())
    return _preference(ranking, grades, limit=n, divisor=min(n, len(grades) - n))


def _unread(grades: Grades) -> float:
    """Bpref with the R and N of the judgements, if unjudged hits above count as wrong."""
    n = sum(grade > 0 for grade in grades.values())
    every = dict.fromkeys(LONG, 0) | dict(grades)
    return _preference(LONG, every, limit=n, divisor=min(n, len(grades) - n))


def _uncapped(grades: Grades) -> float:
    n = sum(grade > 0 for grade in grades.values())
    return _preference(LONG, grades, limit=len(LONG), divisor=min(n, len(grades) - n))


def _preference(ranking: Sequence[str], grades: Grades, *, limit: int, divisor: int) -> float:
    above, total = 0, 0.0
    for docid in ranking:
        if grades.get(docid, 0) > 0:
            total += 1 - (min(above, limit) / divisor if above else 0)
        elif docid in grades:
            above += 1
    return total / sum(grade > 0 for grade in grades.values())


def _near(value: Any, expected: float) -> bool:
    return math.isclose(float(value), expected, abs_tol=1e-6)
