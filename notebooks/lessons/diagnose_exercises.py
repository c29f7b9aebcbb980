"""The exercises of lesson 8, graded."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product

import numpy as np

from xorqa.lab.diagnosis.diagnosis import Diagnosis, diagnose_data
from xorqa.lab.diagnosis.pairs import Difference

from .diagnose_systems import SYSTEMS, f1, load
from .grading import Verdict, graded, right, wrong

MADE_UP = (
    ([100, 0, 50, 0], ["a", "b", "a", "b"]),
    ([10, 20, 30, 60], ["x", "y", "y", "y"]),
    ([5], ["only"]),
)
BUCKET = "other"  # of exercise 2
NEAR = 1e-6
LANG = "fi"  # of exercises 3 and 4
HALVES = {"in-language": "target", "cross-lingual": "en"}
LETTERS = ("a", "b", "c", "d")


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
            "wrong. A better retriever cannot help these."
        )
    if abs(share - expected / 100) < 0.006:
        return wrong("Almost: the answer is a percentage.")
    if abs(share - 100 * first / len(of_answer_type(BUCKET))) < 0.6:
        return wrong("Divide by the number of wrong answers, not of all in the bucket.")
    return wrong("Among the questions of `lost`, count those whose `gold_rank` is 1.")


@graded
def check_3(p: float) -> Verdict:
    """The exact p of the difference in the smallest half of a language."""
    gains = [gain for gain in half_gains(LANG)["in-language"] if abs(gain) > NEAR]
    sums = np.array(list(product((-1, 1), repeat=len(gains)))) @ np.array(gains)
    expected = float(np.mean(np.abs(sums) >= abs(sum(gains)) - NEAR))
    if math.isclose(p, expected, abs_tol=1e-3):
        return right(
            f"{len(gains)} questions differ, so no p can be below {expected:.2g}: far too few, "
            "however large the difference looks."
        )
    if math.isclose(p, expected / 2, abs_tol=1e-3):
        return wrong("As far from 0 means both directions.")
    if math.isclose(p, 2 / 2**12, abs_tol=1e-5):
        return wrong("A question that both systems score alike changes no sum: leave it out.")
    return wrong(
        "Swap only the questions that differ: of 2 to the power of n sums, how many count?"
    )


@graded
def check_4(share: float) -> Verdict:
    """The percentage of in-language questions at which the two systems are equal."""
    inside, across = (float(np.mean(gains)) for gains in half_gains(LANG).values())
    expected = 100 * across / (across - inside)
    if abs(share - expected) < 0.6:
        return right(
            f"With {expected:.0f} % of such questions the averages are equal, with more "
            f"`{SYSTEMS[1]}` wins. Which system is better depends on what your users ask."
        )
    if abs(share - expected / 100) < 0.006:
        return wrong("Almost: the answer is a percentage.")
    if abs(share - (100 - expected)) < 0.6:
        return wrong("This is the share of the other questions.")
    return wrong("Solve s x (difference in-language) + (1 - s) x (difference cross-lingual) = 0.")


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
    return next(
        row
        for row in diagnosis().pairs[0].differences
        if (row.feature, row.bucket.name, row.metric) == ("answered-in", name, "f1")
    )


def sentences() -> dict[str, str]:
    """Four sentences about the two systems, of which one may be published."""
    overall = diagnosis().pairs[0].overall("f1")
    inside, across = map(_half, HALVES)
    finnish = -float(np.mean(half_gains(LANG)["in-language"]))
    a, b = SYSTEMS
    return {
        "a": f"`{a}` is better than `{b}` ({overall.difference:+.1f} points of F1), whatever the "
        "language and the Wikipedia.",
        "b": f"`{b}` is better than `{a}` for questions that the Finnish Wikipedia answers "
        f"({finnish:+.1f} points).",
        "c": f"`{a}` over human translations is better than `{b}` over questions as asked: on "
        f"average by {overall.difference:+.1f} points of F1 (XOR-Full, official scorer, corrected "
        f"p = {overall.p_corrected:.2g}, n = {overall.n}) and for cross-lingual questions "
        f"({across.difference:+.1f}, {across.p_corrected:.1g}, {across.n}); for in-language ones "
        f"the data cannot tell ({inside.difference:+.1f}).",
        "d": "With so many tests, nothing about the two systems can be said.",
    }


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
    gains = half_gains(LANG)["in-language"]
    differing = sum(abs(gain) > NEAR for gain in gains)
    return {
        "a": (
            min(gains) >= 0,
            f"For Finnish questions in-language it is worse, by {-np.mean(gains):.1f} points.",
        ),
        "b": (
            2 / 2**differing <= 1 - diagnosis().settings.confidence,
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
    }
