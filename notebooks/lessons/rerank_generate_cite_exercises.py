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
from .hints import hint
from .intervals import exact_interval
from .rerank_generate_cite_replies import cases, generate
from .rerank_generate_cite_world import Answered, answers

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
    return wrong("One or more are missing. Is each answer in the language of its question?")


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
        given = sum(c > threshold for c in confidences)
        if _near(returned[0], given / n):
            return wrong("An answer with the confidence at the threshold itself is given, too.")
        if _near(returned[0], coverage * n):
            return wrong("The coverage is a share, not a number of questions.")
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
    answered = [True, True, False, False, True, True, True, True, False]
    answerable = [True, False, True, False, False, True, True, False, True]
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
    return hint(
        (
            _near(returned[0], 3 / 6),
            "The share of the unanswerable questions, please. Not of the answers.",
        ),
        (
            _near(returned[0], 3 / 9),
            "Divide by the number of unanswerable questions, not of all.",
        ),
        (
            near[0] and _near(returned[1], 1 - expected[1]),
            "This is the share of answerable questions that are answered. The error is silence.",
        ),
        (near[0], "The error rate is the share of answerable questions without an answer."),
        otherwise="The hallucination rate is the share of unanswerable questions with an answer.",
    )


@graded
def check_5(answer: tuple[float, float]) -> Verdict:
    """The two rates on half of the questions, at a threshold that the other half chose."""
    hallucinated, silent = map(float, answer)
    if not (0 <= hallucinated <= 100 and 0 <= silent <= 100):
        return wrong("Percentages are from 0 to 100.")
    given, rows = (hallucinated, silent), answers()
    chosen, others = rows[::2], rows[1::2]
    threshold = strictest(chosen)
    kept = _percent(others, threshold)
    if _alike(given, kept):
        (invented, without), (_, _) = counts = _counts(others, threshold)
        low, high, exchanged = *exact_interval(invented, without), strictest(others)
        return right(
            f"{_in_words(_counts(chosen, threshold))} on the questions that chose the threshold, "
            f"{_in_words(counts)} on the others. Report the second pair: nothing in it was chosen "
            f"to look good. But {invented} of {without} allows for {low:.0f} to {high:.0f} % "
            "(exact 95 % interval): to promise 10 % takes more questions than this. With the "
            f"halves exchanged, {_rate(others, exchanged)} are answered where the threshold was "
            f"chosen and {_rate(chosen, exchanged)} elsewhere: one split shows little."
        )
    mistakes = [
        (_percent(chosen, threshold), "These questions chose the threshold."),
        (kept[::-1], "Give the hallucination rate first."),
        (
            _percent(others, strictest(rows)),
            "All questions chose this threshold, not half of them.",
        ),
        (
            _percent(others, strictest(others)),
            "The questions that you report chose this threshold.",
        ),
    ]
    for pair, reason in mistakes:
        if _alike(given, pair):
            return wrong(reason)
    if _alike(given, (kept[0] / 100, kept[1] / 100), least=0.006):
        return wrong("Almost: the answers are percentages.")
    return wrong(
        "Try the confidence of each question at an even position as the threshold, keep those with "
        f"a hallucination rate of at most {MOST:.0%} there, and of these the one with the lowest "
        "error rate. Then apply it to the others."
    )


def strictest(rows: Sequence[Answered]) -> float:
    """The threshold with the lowest error rate that keeps the hallucination rate, or infinity."""
    return min(
        (row.confidence for row in rows if _percent(rows, row.confidence)[0] <= 100 * MOST),
        key=lambda threshold: _percent(rows, threshold)[1],
        default=math.inf,
    )


Counts = tuple[tuple[int, int], tuple[int, int]]
"""Of the unanswerable questions how many are answered, of the answerable ones how many are not."""


def _counts(rows: Sequence[Answered], threshold: float) -> Counts:
    invented = [row.confidence >= threshold for row in rows if not row.answerable]
    silent = [row.confidence < threshold for row in rows if row.answerable]
    return (sum(invented), len(invented)), (sum(silent), len(silent))


def _in_words(counts: Counts) -> str:
    (invented, without), (silent, answerable) = counts
    return f"{invented} of {without} are answered and {silent} of {answerable} are not"


def _rate(rows: Sequence[Answered], threshold: float) -> str:
    (invented, without), _ = _counts(rows, threshold)
    return f"{invented} of {without}"


def _percent(rows: Sequence[Answered], threshold: float) -> tuple[float, float]:
    """The hallucination and the error rate of answers at a threshold, in percent."""
    (invented, without), (silent, answerable) = _counts(rows, threshold)
    return 100 * invented / max(without, 1), 100 * silent / max(answerable, 1)


def _alike(given: Sequence[float], other: Sequence[float], *, least: float = 0.6) -> bool:
    return all(abs(a - b) < least for a, b in zip(given, other, strict=True))


def _near(value: Any, expected: float) -> bool:
    return math.isclose(float(value), expected, abs_tol=1e-6)
