"""Lesson 11: the verdicts on its exercises."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Sequence
from typing import Any

from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.metrics.answer_measures import abstention
from xorqa.ranking.balance import Balance

from .grading import Verdict, graded, right, wrong
from .rerank_generate_cite_replies import cases, generate
from .rerank_generate_cite_world import answers

MOST = 0.1  # the hallucination rate that exercise 5 allows
SAMPLES = (
    (("a", "fi"), ("b", "fi"), ("c", "fi"), ("d", "en"), ("e", "en")),
    (("a", "en"), ("b", "fi"), ("c", "fi")),
    (("a", "ko"), ("b", "en"), ("c", "fi"), ("d", "fi"), ("e", "en"), ("f", "fi")),
    (),
)
Hits = Sequence[tuple[str, str]]


@graded
def check_1(interleave: Callable[[Hits], list[str]]) -> Verdict:
    """A function that takes hits of each language in turn."""
    for sample in SAMPLES:
        expected, returned = balanced(sample), list(interleave(list(sample)))
        if returned == expected:
            continue
        if sorted(returned) != sorted(expected):
            return wrong(f"Every docid should come back once: {list(sample)} gave {returned}.")
        if sample and returned == [docid for docid, _ in sample]:
            return wrong(f"This is the order in which they came: {returned}.")
        if sample and returned[0] != expected[0]:
            return wrong(f"The first hit stays first, since its language begins: {list(sample)}.")
        return wrong(f"{list(sample)} should become {expected}, not {returned}.")
    return right("This is the ranker `balance`: a turn takes one hit of each language.")


def balanced(hits: Hits) -> list[str]:
    """The docids of hits (docid, language) as the ranker `balance` orders them."""
    passages = [
        Hit(Passage(docid, "", lang=lang), float(-rank)) for rank, (docid, lang) in enumerate(hits)
    ]
    [ranked] = Balance().rank([Query(Question("q", "?", "fi"), "?", "fi")], [passages])
    return [hit.passage.docid for hit in ranked]


@graded
def check_2(names: Collection[str]) -> Verdict:
    """The cases whose quotations are all supported and whose answer is wrong."""
    if isinstance(names, str) or not set(names) <= set(cases()):
        return wrong(f"Answer with a set of names, of {', '.join(cases())}.")
    if not names:
        return wrong("Look for answers that are wrong although no quotation is false.")
    fooled, chosen = supported_but_wrong(), set(names)
    if chosen == fooled:
        return right(
            "One quotes what does not answer the question, one quotes a passage that lies, and one "
            "answers in another language. The check only asks whether the words are in the "
            "passage."
        )
    if false := sorted(name for name in chosen if not _all_supported(name)):
        return wrong(f"Not every quotation of {false} is supported, or there is none.")
    if correct := sorted(chosen - fooled):
        return wrong(f"The answers of {correct} are right.")
    return wrong("One or more are missing.")


def supported_but_wrong() -> set[str]:
    """The cases that pass a check of quotations with a wrong answer."""
    return {name for name in cases() if _all_supported(name) and not generate(name).is_right}


def _all_supported(name: str) -> bool:
    supported, every = generate(name).quotations
    return 0 < every == supported


Threshold = Callable[[Sequence[float], Sequence[float], float], tuple[float, float]]


@graded
def check_3(at_threshold: Threshold) -> Verdict:
    """A function with the coverage and the risk at a threshold."""
    draw = random.Random(11)
    for _ in range(20):
        n = draw.randint(2, 9)
        confidences = [draw.choice((0.1, 0.4, 0.7, 0.9)) for _ in range(n)]
        errors = [draw.choice((0.0, 0.5, 1.0)) for _ in range(n)]
        threshold = draw.choice(confidences)
        returned = at_threshold(confidences, errors, threshold)
        coverage, risk = coverage_and_risk(confidences, errors, threshold)
        near = [_near(a, b) for a, b in zip(returned, (coverage, risk), strict=True)]
        if all(near):
            continue
        if _near(returned[0], risk) and _near(returned[1], coverage):
            return wrong("Return the coverage first, then the risk.")
        if near[0]:
            return wrong("The risk is the mean error of the answered questions only.")
        return wrong(
            "The coverage is the share of all questions whose confidence is at least the "
            f"threshold: for {confidences} and {threshold} it is {coverage:.3f}."
        )
    return right("A threshold is one point of the curve; all thresholds are the whole curve.")


def coverage_and_risk(
    confidences: Sequence[float], errors: Sequence[float], threshold: float
) -> tuple[float, float]:
    """The share of questions whose confidence is at least the threshold, and their mean error."""
    kept = [error for c, error in zip(confidences, errors, strict=True) if c >= threshold]
    return len(kept) / len(errors), sum(kept) / len(kept)


Rates = Callable[[Sequence[bool], Sequence[bool]], tuple[float, float]]


@graded
def check_4(rates: Rates) -> Verdict:
    """A function with NoMIRACL's two rates."""
    answered = [True, True, False, False, True, True, False]
    answerable = [True, False, True, False, False, True, True]
    computed = abstention(answered, answerable)
    expected = computed.hallucination_rate or 0.0, computed.error_rate or 0.0
    returned = rates(answered, answerable)
    near = [_near(a, b) for a, b in zip(returned, expected, strict=True)]
    if all(near):
        return right(
            "A system that answers everything has the rates 1 and 0, a silent one 0 and 1."
        )
    if _near(returned[0], expected[1]) and _near(returned[1], expected[0]):
        return wrong("Return the hallucination rate first.")
    if all(_near(a, 100 * b) for a, b in zip(returned, expected, strict=True)):
        return wrong("Almost: from 0 to 1, not in percent.")
    if _near(returned[0], 2 / 7):
        return wrong("Divide by the number of unanswerable questions, not of all.")
    if near[0]:
        return wrong("The error rate is the share of answerable questions without an answer.")
    return wrong("The hallucination rate is the share of unanswerable questions with an answer.")


@graded
def check_5(error_rate: float) -> Verdict:
    """The least error rate with a hallucination rate of at most `MOST`, in percent."""
    if not 0 <= float(error_rate) <= 100:
        return wrong("A percentage is from 0 to 100.")
    expected = least_error_rate()
    if abs(error_rate - expected) < 0.6:
        return right(
            f"To answer at most {MOST:.0%} of the unanswerable questions, the reader has to leave "
            f"{expected:.0f} % of the answerable ones unanswered."
        )
    if abs(error_rate - expected / 100) < 0.006:
        return wrong("Almost: the answer is a percentage.")
    return wrong(
        "Try every value in `confidences` as the threshold, keep those whose hallucination rate "
        f"is at most {MOST:.0%}, and take the lowest error rate of these."
    )


def least_error_rate() -> float:
    """The least error rate of all thresholds that keep the hallucination rate, in percent."""
    rows, error_rates = answers(), []
    for threshold in {row.confidence for row in rows}:
        answered = [row.confidence >= threshold for row in rows]
        rates = abstention(answered, [row.answerable for row in rows])
        if (rates.hallucination_rate or 0.0) <= MOST:
            error_rates.append(100 * (rates.error_rate or 0.0))
    return min(error_rates)


def _near(value: Any, expected: float) -> bool:
    return math.isclose(float(value), expected, abs_tol=1e-6)
