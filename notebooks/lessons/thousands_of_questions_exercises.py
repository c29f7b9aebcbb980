"""Checks of lesson 9: what small samples show, how many questions a claim needs, what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from .grading import Verdict, graded, right, wrong
from .hints import hint
from .intervals import Difference, difference, mean_interval
from .thousands_of_questions_data import TRANSLATED, Array, load

LETTERS = ("a", "b", "c", "d", "e")  # of exercise 5
LANG = "th"  # of exercise 3
TRUTH = 8.0  # the mean gain of the made-up questions of exercise 1


@graded
def check_1(exaggeration: Callable[[Array, float], float]) -> Verdict:
    """By how much the samples exaggerate whose interval leaves out 0."""
    drawn = np.random.default_rng(5).normal(TRUTH, 33, size=(400, 12))
    means, shown = drawn.mean(axis=1), _shows(drawn)
    value = float(exaggeration(drawn, TRUTH))
    expected = means[shown].mean() / TRUTH
    if not _near(value, expected):
        return hint(
            (
                _near(value, means.mean() / TRUTH),
                "These are all samples. Which of them does somebody publish who looks for an "
                "interval without 0?",
            ),
            (
                _near(value, shown.mean()),
                "This is how often an interval leaves out 0. How large is the mean difference of "
                "those samples?",
            ),
            (
                _near(value, np.where(shown, means, 0).mean() / TRUTH),
                "A sample whose interval includes 0 is left out, not counted as a difference of 0.",
            ),
            (_near(value, 1 / expected), "The other way round: the mean divided by the truth."),
            (_near(value, expected * TRUTH), "This is the mean difference: divide by the truth."),
            (
                _near(value, means[means > 0].mean() / TRUTH),
                "A difference above 0 is not yet an interval that leaves out 0.",
            ),
            otherwise="Take the rows with `shows(samples)`, the mean of all their values, and "
            "divide it by `truth`.",
        )
    return right(
        f"{value:.1f} times too large, for made-up gains. With few questions only a large "
        "difference can leave out 0, so those that do are the lucky ones. More questions make this "
        "factor 1."
    )


def _shows(drawn: Array) -> Array:
    half = 1.96 * drawn.std(axis=1, ddof=1) / np.sqrt(drawn.shape[1])
    shown: Array = np.abs(drawn.mean(axis=1)) > half
    return shown


@graded
def check_2(needed: Callable[[Array], float]) -> Verdict:
    """How many questions show a difference in four of five experiments."""
    for gains in _gains():
        mean, deviation = abs(gains.mean()), gains.std()
        value, expected = float(needed(gains)), (2.8 * deviation / mean) ** 2
        if _near(value, expected, 0.02):
            continue
        shown = f"For {len(gains)} gains of mean {mean:.1f} it is not {value:.4g}."
        return hint(
            (
                _near(value, (1.96 * deviation / mean) ** 2, 0.02),
                f"{shown} With 1.96 alone the interval leaves out 0 in one experiment of two.",
            ),
            (
                _near(value, 2.8 * deviation / mean, 0.02),
                f"{shown} The interval shrinks with the *root* of n: square the quotient.",
            ),
            (
                _near(value, expected / len(gains), 0.02),
                f"{shown} You took the standard error, which is already divided by the root of the "
                "number of gains. Take the deviation of single gains.",
            ),
            (
                _near(value, 1 / expected, 0.02),
                f"{shown} A small mean needs more questions: the mean is the divisor.",
            ),
            (
                _near(value, (2.8 / mean) ** 2 * deviation, 0.02),
                f"{shown} The deviation is squared, too.",
            ),
            otherwise=f"{shown} The square of 2.8 times the standard deviation over the mean.",
        )
    return right(
        "Twice the difference needs a quarter of the questions. What counts is the deviation of "
        "the paired gains, not that of the scores."
    )


def _gains() -> Iterator[Array]:
    stream = np.random.default_rng(6)
    for mean, size in ((8.0, 1000), (-3.0, 1190), (20.0, 500)):
        yield stream.normal(mean, 35, size)


@graded
def check_3(share: float) -> Verdict:
    """The percentage of a language's gap to English that the search loses."""
    search, reader = _parts()
    expected, others = 100 * search / (search + reader), _other_shares()
    if abs(share - expected) < 1:
        return right(
            f"Of {search + reader:.0f} points {reader:.0f} are left when the passages are the same "
            f"as in English. Both parts are estimates: the reader loses {reader:.0f} points with "
            "passages of BM25, and `dense` finds others."
        )
    return hint(
        (abs(share - expected / 100) < 0.01, "Almost: the answer is a percentage."),
        (
            abs(share - 100 * reader / (search + reader)) < 1,
            "This is the reader's part: with the same passages only the reader is left.",
        ),
        (abs(share - search) < 0.6, "These are the points. What share of the whole gap are they?"),
        (
            abs(share - others["gold read"]) < 1,
            "This is how many more gold passages English reads. A passage that is read is not yet "
            "an answer: compare F1.",
        ),
        (
            abs(share - others["of English"]) < 1,
            "You divided by the F1 of English. Divide by the gap of `dense`.",
        ),
        otherwise="1 minus the gap of `answers` divided by the gap of `dense`, in percent.",
    )


@cache
def _parts() -> tuple[float, float]:
    """What `dense` loses in one language against English, in points: by the search, the reader."""
    dense, same = (
        [100 * load().reading(system, lang).taken("f1").mean() for lang in ("en", LANG)]
        for system in ("dense", TRANSLATED)
    )
    reader = same[0] - same[1]
    return float(dense[0] - dense[1] - reader), float(reader)


@cache
def _other_shares() -> dict[str, float]:
    """Percentages that answer another question than exercise 3."""
    english, other = (load().reading("dense", lang) for lang in ("en", LANG))
    more = english.right.any(axis=1).mean() - other.right.any(axis=1).mean()
    return {"gold read": 100 * more, "of English": _parts()[0] / english.taken("f1").mean()}


@graded
def check_4(worth: float) -> Verdict:
    """How many independent questions the 13,090 are worth."""
    whole = _gaps().size
    if not worth > 1:
        return wrong("A number of questions: how many independent ones give the wider interval?")
    narrow, wide = _widths()
    expected = whole * (narrow / wide) ** 2
    if _near(worth, expected, 0.12):
        return right(
            f"About {round(expected, -2):,.0f}: more than {_gaps().shape[1]:,}, since a "
            "translation is read differently, and far fewer than it looks like, since a hard "
            "question is hard in all languages."
        )
    return hint(
        (
            _near(worth, whole, 0.02),
            "If they were independent, the two intervals would have the same width.",
        ),
        (
            _near(worth, _gaps().shape[1], 0.02),
            "If a translation added nothing, the mean of eleven languages would have an interval "
            "as wide as that of one language. Compare them.",
        ),
        (
            _near(worth, whole * narrow / wide, 0.12),
            "The width shrinks with the *root* of the number: square the ratio.",
        ),
        (
            _near(worth, whole * (wide / narrow) ** 2, 0.12) or worth > whole,
            "The wider interval belongs to fewer independent questions, not to more.",
        ),
        otherwise="13,090 times the square of the narrower width divided by the wider one.",
    )


@cache
def _answers(lang: str) -> Array:
    """F1 of the answers from the passages of a perfect translation, from 0 to 1."""
    return load().reading(TRANSLATED, lang).taken("f1")


@cache
def _gaps() -> Array:
    """English minus each other language, a row per language."""
    return np.array([_answers("en") - _answers(lang) for lang in load().others])


@cache
def _widths() -> tuple[float, float]:
    """The widths of the interval of the mean gap: each gap drawn alone, and each question."""
    alone, together = mean_interval(_gaps().ravel()), mean_interval(_gaps().mean(axis=0))
    return alone[1] - alone[0], together[1] - together[0]


@cache
def _second_passage() -> dict[str, Difference]:
    """What the second passage adds in each language."""
    readings = {lang: load().reading(TRANSLATED, lang) for lang in load().others}
    return {lang: difference(one.f1[:, 0], one.taken("f1")) for lang, one in readings.items()}


def _between(one: str, other: str) -> Difference:
    return difference(_answers(one), _answers(other))


def sentences() -> dict[str, str]:
    """Five sentences about the recorded run, of which one may be published."""
    russian, spanish = _between("de", "ru"), _between("de", "es")
    unseen = [lang for lang, one in _second_passage().items() if not one.excludes_zero]
    low, high = mean_interval(100 * _gaps().ravel())
    return {
        "a": f"The reader is as good in Russian as in German: the difference is not significant "
        f"(n = {russian.n:,}).",
        "b": f"The reader is better in Spanish than in German by {spanish.mean:.1f} points of F1 "
        f"(n = {spanish.n:,}).",
        "c": f"A second passage is useless in {', '.join(unseen)}, where its gain is not "
        "significant.",
        "d": f"The eleven languages are {100 * _gaps().mean():.1f} points of F1 behind English on "
        f"average (n = {_gaps().size:,}, 95 % interval {low:.1f} to {high:.1f}).",
        "e": f"With the passages that BM25 finds for the English question, F1 in Russian is "
        f"{abs(russian.low):.1f} points below to {russian.high:.1f} points above that in German "
        f"(95 % interval, n = {russian.n:,}, official scorer).",
    }


@graded
def check_5(letter: str) -> Verdict:
    """The sentence that may be published."""
    if letter not in LETTERS:
        return wrong(f"Answer with one of the letters {', '.join(LETTERS)}.")
    russian, spanish = _between("de", "ru"), _between("de", "es")
    most = max(one.high for one in _second_passage().values() if not one.excludes_zero)
    low, high = mean_interval(100 * _gaps().mean(axis=0))
    reasons = {
        "a": f"Not significant is not equal: the interval reaches from {russian.low:+.1f} to "
        f"{russian.high:+.1f} points. State it instead.",
        "b": f"Its interval, {spanish.low:+.1f} to {spanish.high:+.1f}, includes 0, and the pair "
        "was picked after looking at all of them.",
        "c": f"An interval that includes 0 does not show that nothing is gained: here it reaches "
        f"as far as {most:.1f} points.",
        "d": "Translations of one question are no independent questions: drawn together, the "
        f"interval is {low:.1f} to {high:.1f}.",
    }
    if letter in reasons:
        return wrong(reasons[letter])
    return right(
        "It names interval, n, scorer and oracle, and claims neither a difference nor that there "
        "is none. Whoever needs a margin can see whether it is small enough."
    )


def _near(value: float, expected: float, tolerance: float = 0.005) -> bool:
    return abs(value - expected) <= tolerance * abs(expected)
