"""Cases of six languages, and readers and rules judged on them; for lessons 6a and 6b."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from xorqa.io.cache import Cache
from xorqa.lab.checklist.cross_lingual import cross_lingual_cases
from xorqa.lab.checklist.folder import SHIPPED
from xorqa.lab.checklist.format import Checklist, read_checklist
from xorqa.lab.checklist.generate import generate
from xorqa.lab.checklist.perturb import perturb
from xorqa.lab.checklist.results import Outcome, outcome
from xorqa.lab.checklist.run import by_callable, by_reader
from xorqa.lab.checklist.scoring import ScoredCase, score_case
from xorqa.lab.checklist.suite import Case
from xorqa.reading.span import SpanReader

from .bundled import folder
from .checklist_rules import Rule

LANGS = ("ar", "en", "fi", "hi", "ja", "zh")
CASES = 10  # per test
READER = "reader-multi"


def checklist(text: str) -> Checklist:
    """The checklist that a TOML text holds.

    Raises:
        DataError: if it is malformed.
    """
    path = folder("checklist.toml")
    path.write_text(text, encoding="utf-8")
    return read_checklist(path)


@cache
def bundled(lang: str) -> Checklist:
    """The checklist of a language that comes with the package."""
    return read_checklist(SHIPPED / f"{lang}.toml")


@cache
def cases(*langs: str) -> tuple[Case, ...]:
    """Ten cases of each of the six tests, language by language."""
    return tuple(case for lang in langs for case in generate(bundled(lang), count=CASES))


def changed(kind: str, lang: str) -> list[Case]:
    """The INV or DIR cases of ten `comparisons`; the change is the name of the test."""
    cases = perturb(bundled(lang), kind, tests=["comparisons"], count=CASES)
    return [replace(case, test=case.test.removeprefix("comparisons: ")) for case in cases]


def scored(
    tested: Sequence[Case], rule: Rule | None = None, *, adapter: str = READER
) -> list[ScoredCase]:
    """Cases with the answers of a rule, or of a reader."""
    answers = by_callable(tested, rule) if rule else _by_reader(tested, adapter)
    return [score_case(case, answers) for case in tested]


def judged(
    tested: Sequence[Case], rule: Rule | None = None, *, adapter: str = READER
) -> list[Outcome]:
    """The outcomes of cases for a rule, or for a reader."""
    return [outcome(case) for case in scored(tested, rule, adapter=adapter)]


def right_of(tested: Sequence[Case], word: str, rule: Rule | None = None) -> list[bool]:
    """Whether each answer to a question that has a word is right, for a rule or the reader."""
    return [
        right
        for case, result in zip(tested, scored(tested, rule), strict=True)
        for example, right in zip(case.examples, result.right, strict=True)
        if word in example.question
    ]


def rate(outcomes: Sequence[Outcome]) -> float:
    """The error rate: the percentage of cases that fail."""
    return 100 * sum(bool(row.failures) for row in outcomes) / len(outcomes)


def rates(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The error rate of each test."""
    by_test: dict[str, list[Outcome]] = {}
    for row in outcomes:
        by_test.setdefault(row.test, []).append(row)
    return {test: rate(tested) for test, tested in by_test.items()}


def failing(outcomes: Sequence[Outcome], most: int = 5) -> list[tuple[str, ...]]:
    """Context, question, right answers and prediction of wrong answers, from first to last."""
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    step = max(1, len(failures) // most)
    return [
        (
            failure.context,
            failure.question,
            " / ".join(dict.fromkeys(failure.answers)),
            failure.prediction,
        )
        for failure in failures[::step][:most]
    ]


@cache
def crossed() -> list[Outcome]:
    """The reader's outcomes for Finnish questions about English contexts: jobs, nationalities."""
    pairs = (bundled("fi"), bundled("en"))
    return judged(list(cross_lingual_cases(*pairs, tests=["job and nationality"], count=5)))


@cache
def _answers() -> Cache:
    return Cache(folder("checklist-answers.sqlite"))


def _by_reader(tested: Sequence[Case], adapter: str) -> dict[str, str]:
    reader = SpanReader(adapter=adapter, dtype="float32")  # the same on every machine
    return by_reader(tested, reader, cache=_answers())
