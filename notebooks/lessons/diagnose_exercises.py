"""The exercises of lesson 8, graded."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from xorqa.lab.diagnosis.diagnosis import Diagnosis, diagnose_data
from xorqa.lab.diagnosis.pairs import Difference

from .diagnose_systems import SYSTEMS, f1, load
from .grading import Verdict, graded, right, wrong
from .intervals import middle

MADE_UP = (
    ([100, 0, 50, 0], ["a", "b", "a", "b"]),
    ([10, 20, 30, 60], ["x", "y", "y", "y"]),
    ([5], ["only"]),
)
BUCKET = "other"  # of exercise 2
NEAR = 1e-6
LANG = "fi"  # of exercise 4
HALVES = {"in-language": "target", "cross-lingual": "en"}
LETTERS = ("a", "b", "c", "d", "e")
ALPHA = 0.05
CROSSED = 14  # cells of the table of languages and halves


@cache
def diagnosis() -> Diagnosis:
    """The diagnosis of the two systems by all features."""
    return diagnose_data(load())


def of_answer_type(kind: str) -> list[int]:
    """The positions of the questions whose answer is of a type."""
    of_feature = diagnosis().buckets[SYSTEMS[0]]["answer-type"]
    return [
        index
        for index, bucket in enumerate(of_feature.of)
        if of_feature.buckets[bucket].name == kind
    ]


@graded
def check_1(by_bucket: Callable[..., Mapping[str, tuple[int, float]]]) -> Verdict:
    """The number of questions and the mean of each bucket."""
    for values, names in MADE_UP:
        returned = dict(by_bucket(np.array(values, float), list(names)))
        expected = {
            name: [value for value, other in zip(values, names, strict=True) if other == name]
            for name in names
        }
        shown = f"For the values {values} in the buckets {names} it returns {returned}."
        if returned.keys() != expected.keys():
            return wrong(f"{shown} Every bucket needs an entry, and nothing else does.")
        for name, inside in expected.items():
            n, mean = returned[name]
            if n != len(inside):
                return wrong(f"{shown} How many questions are in {name!r}?")
            if not math.isclose(mean, sum(inside) / n, abs_tol=NEAR):
                return wrong(f"{shown} The mean of {name!r} is over its own questions only.")
    return right(
        "Every question is in one bucket, so the means weighted by n give the mean of all: buckets "
        "take an average apart and lose nothing."
    )


@graded
def check_2(share: float) -> Verdict:
    """The percentage of wrong answers whose gold passage was retrieved first."""
    lost = [index for index in of_answer_type(BUCKET) if f1(SYSTEMS[0])[index] == 0]
    ranks = [load().systems[SYSTEMS[0]][index].gold_rank for index in lost]
    first = sum(rank == 1 for rank in ranks)
    expected = 100 * first / len(lost)
    if abs(share - expected) < 0.6:
        return right(
            f"{first} of {len(lost)}: the right passage came first, and the answer was still "
            "wrong. Ranking the gold passage earlier cannot help these; other passages beside it "
            "might (lesson 7a)."
        )
    if abs(share - expected / 100) < 0.006:
        return wrong("Almost: the answer is a percentage.")
    if abs(share - 100 * first / len(of_answer_type(BUCKET))) < 0.6:
        return wrong("Divide by the number of wrong answers, not of all in the bucket.")
    return wrong("Among the questions of `lost`, count those whose `gold_rank` is 1.")


@graded
def check_3(k: int) -> Verdict:
    """How many questions must differ, all in one direction, to be significant among all tests."""
    tests = len(_tests())
    expected = _fewest(2, tests)
    if k == expected:
        return right(
            f"2/2^{k} times {tests} is {tests * 2 / 2**k:.3f}; one question fewer gives "
            f"{tests * 2 / 2 ** (k - 1):.3f}. So all twelve would have to differ, and "
            f"{len(_won())} do. A bucket of a dozen questions hardly survives a search through "
            "sixty; and the crossed table was searched, too: with its cells, seven languages in "
            f"two halves, there are {tests + CROSSED} tests, and "
            f"{_fewest(2, tests + CROSSED)} questions would still do."
        )
    hints = {
        _fewest(2, 1): "That is enough for a single test. Holm multiplies the smallest p by all.",
        _fewest(1, tests): "As far from 0 means both directions: 2 of the 2^k swaps, not 1.",
        _fewest(1, 1): "Count both directions, and correct for all tests.",
        len(_won()): f"So many do differ, and p is {2 / 2**k:.2g} before any correction.",
    }
    if hint := hints.get(k):
        return wrong(hint)
    if not float(k).is_integer():
        return wrong("Count questions: the next whole number.")
    return wrong("Of 2^k swaps, two are as far from 0. Multiply that p by the number of tests.")


def _fewest(extreme: int, tests: int) -> int:
    """The smallest k with `extreme` of 2^k, times `tests`, at most 0.05."""
    return next(k for k in range(1, 100) if tests * extreme / 2**k <= ALPHA)


def _won() -> list[float]:
    return [gain for gain in half_gains(LANG)["in-language"] if abs(gain) > NEAR]


@graded
def check_4(share: float) -> Verdict:
    """The percentage of in-language questions at which the two systems are equal."""
    inside, across = (float(np.mean(gains)) for gains in half_gains(LANG).values())
    expected = 100 * across / (across - inside)
    if abs(share - expected) < 0.6:
        return right(
            f"By these questions it would be {expected:.0f} %, but three questions decide each "
            "half: the bootstrap interval of this percentage is "
            "{:.0f} to {:.0f} %. The formula is right, ".format(*_equal_between())
            + "and what goes into it is hardly known. Which system is better may depend on what "
            "your users ask."
        )
    if abs(share - expected / 100) < 0.006:
        return wrong("Almost: the answer is a percentage.")
    if abs(share - (100 - expected)) < 0.6:
        return wrong("This is the share of the other questions.")
    return wrong("Solve s x (difference in-language) + (1 - s) x (difference cross-lingual) = 0.")


def _equal_between() -> tuple[float, float]:
    """The 95 % interval of the percentage at which the systems are equal: 0 or 100 if never."""
    stream, means = np.random.default_rng(1), []
    for gains in half_gains(LANG).values():
        drawn = np.array(gains)[stream.integers(len(gains), size=(10_000, len(gains)))]
        means.append(drawn.mean(axis=1))
    inside, across = np.minimum(means[0], -NEAR), np.maximum(means[1], 0)
    return middle(100 * across / (across - inside))


def half_gains(lang: str) -> dict[str, list[float]]:
    """What each question of a language gains with the first system, by where it is answered."""
    gains = f1(SYSTEMS[0]) - f1(SYSTEMS[1])
    questions = load().questions
    return {
        half: [
            float(gain)
            for gain, question in zip(gains, questions, strict=True)
            if question.lang == lang and question.answered_in == answered_in
        ]
        for half, answered_in in HALVES.items()
    }


def _half(name: str) -> Difference:
    """The difference in one half of the questions."""
    return _bucket("answered-in", name)


def _bucket(feature: str, name: str) -> Difference:
    """The difference in one bucket."""
    return next(row for row in _tests() if (row.feature, row.bucket.name) == (feature, name))


def sentences() -> dict[str, str]:
    """Five sentences about the two systems, of which one may be published."""
    overall, dates = diagnosis().pairs[0].overall("f1"), _bucket("answer-type", "date")
    inside, across = map(_half, HALVES)
    finnish = half_gains(LANG)["in-language"]
    a, b = f"`{SYSTEMS[0]}` over human translations", f"`{SYSTEMS[1]}` over questions as asked"
    scorer = "F1 of XOR-Full, official scorer"
    return {
        "a": f"{a} is better than {b} (+{overall.difference:.1f} points of {scorer}, corrected "
        f"p = {overall.p_corrected:.2g}, n = {overall.n}), both for questions that their own "
        "Wikipedia answers and for cross-lingual ones.",
        "b": f"{b} is better than {a} for questions that the Finnish Wikipedia answers "
        f"({-np.mean(finnish):+.1f} points of {scorer}, n = {len(finnish)}).",
        "c": f"{a} is better than {b}: on average by {overall.difference:+.1f} points of {scorer} "
        f"(corrected p = {overall.p_corrected:.2g}, n = {overall.n}) and for cross-lingual "
        f"questions ({across.difference:+.1f}, {across.p_corrected:.1g}, {across.n}); for "
        f"in-language ones the data cannot tell ({inside.difference:+.1f}).",
        "d": "With so many tests, nothing can be said about the two systems: of "
        f"{len(_tests())} tests of {scorer}, three are significant on average if the systems do "
        "not differ, and buckets share questions.",
        "e": f"{a} is better than {b} where the answer is a date ({dates.difference:+.1f} points "
        f"of {scorer}, n = {dates.n}, 95 % interval {dates.low:.1f} to {dates.high:.1f}): of all "
        "types, dates have the largest difference.",
    }


def _tests() -> list[Difference]:
    return [row for row in diagnosis().pairs[0].differences if row.metric == "f1"]


@graded
def check_5(letter: str) -> Verdict:
    """The sentence that may be published."""
    if letter not in LETTERS:
        return wrong(f"Answer with one of the letters {', '.join(LETTERS)}.")
    holds, why = _supported()[letter]
    return right(why) if holds else wrong(why)


def _supported() -> dict[str, tuple[bool, str]]:
    """Sentence to whether the tests support it, and why or why not."""
    overall = diagnosis().pairs[0].overall("f1")
    inside, across = map(_half, HALVES)
    dates, differing = _bucket("answer-type", "date"), len(_won())
    return {
        "a": (
            overall.significant and inside.significant,
            "It holds on average; for questions that their own Wikipedia answers the interval is "
            f"{inside.low:.1f} to {inside.high:.1f}.",
        ),
        "b": (
            2 / 2**differing <= ALPHA,
            f"Only {differing} questions differ: p is {2 / 2**differing:.2g} at the least, and the "
            "bucket was found by looking.",
        ),
        "c": (
            overall.significant and across.significant and not inside.significant,
            "Both p hold after the correction over all buckets, and it claims nothing about the "
            "half whose p does not.",
        ),
        "d": (
            not any(row.significant for row in diagnosis().pairs[0].differences),
            f"The cross-lingual difference has a corrected p of {across.p_corrected:.1g}.",
        ),
        "e": (
            dates.significant,
            "The bucket was chosen among many because its difference is large: corrected, its p is "
            f"{dates.p_corrected:.2g}.",
        ),
    }
