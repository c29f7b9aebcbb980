"""The results of a run: failed cases with their wrong examples, and the error grid."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ...core.errors import DataError
from ...io.files import read_jsonl, write_jsonl
from ...metrics.report import Score, average
from ...tables.grid import MISSING, Grid
from .official_cases import ID_PREFIX, NAMES_NOTE
from .scoring import ScoredCase, Scorer
from .suite import SUITE

FILE = "results.jsonl"
SCORER = "exact"
ERROR, FOREIGN = "error", "other language"
ALL = "mean"
FAILURE_RATE = "Failure rate (%), lower is better"
CAPTIONS = {
    ERROR: "the percentage of failed cases; a case fails if one of its examples does.",
    FOREIGN: "the percentage of cases that fail only because answers are in the context's "
    "language.",
}

SCORERS: Mapping[Scorer, str] = {
    "exact": "Exact match, articles and punctuation aside.",
    "published": "XTREME-R's published scorer.",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """A wrong prediction. `answers` are the right answers, or describe the expected one.

    `foreign`: the prediction is right, but in the context's language.
    """

    context: str
    question: str
    answers: tuple[str, ...]
    prediction: str
    foreign: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case's result; it passed if there is no failure."""

    id: str
    lang: str
    test: str
    capability: str
    type: str
    failures: tuple[Failure, ...]
    scorer: Scorer = "exact"


def outcome(scored: ScoredCase) -> Outcome:
    """The part of a scored case that is stored as its result."""
    case = scored.case
    failures = tuple(
        Failure(
            example.context,
            example.question,
            example.answers if case.type == "MFT" else _expected(scored, index),
            scored.predictions[index],
            scored.foreign[index],
        )
        for index, example in enumerate(case.examples)
        if not scored.right[index]
    )
    return Outcome(
        case.id, case.lang, case.test, case.capability, case.type, failures, scored.scorer
    )


def _expected(scored: ScoredCase, index: int) -> tuple[str, ...]:
    """For an INV or DIR example: the answer to the original, and how it must change."""
    example = scored.case.examples[index]
    first = scored.predictions[example.of or 0]
    changes = [f"{old} → {new}" for old, new in example.renamed.items()]
    return (f"as before: '{first}'", *changes)


def write_results(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Write a case per line, with only its failed examples."""
    write_jsonl(path, map(asdict, outcomes))


def read_results(path: Path) -> list[Outcome]:
    """Read a file written by `write_results`.

    Raises:
        DataError: if the file is empty, or naming the malformed line.
    """
    outcomes = []
    for number, row in read_jsonl(path):
        outcomes.append(SUITE.fill(Outcome, row, where=f"{path}, line {number}: the result"))
    if not outcomes:
        raise DataError(f"{path} contains no results")
    return outcomes


def scores(outcomes: Iterable[Outcome]) -> dict[str, list[Score]]:
    """Score each case of each test: 1 is a failed case, 0 a passed one.

    `other language` is 1 if a case failed only because answers were in the context's language.
    """
    by_test: dict[str, list[Score]] = {}
    for row in outcomes:
        failed = bool(row.failures)
        values = {
            ERROR: float(failed),
            FOREIGN: float(failed and all(f.foreign for f in row.failures)),
        }
        by_test.setdefault(row.test, []).append(Score(row.id, row.lang, values))
    return by_test


def error_grid(outcomes: Sequence[Outcome], *, measure: str = ERROR, title: str = "") -> Grid:
    """Tabulate the percentage of failed cases, by language (rows) and test, with means.

    `measure` is `ERROR` or `FOREIGN`.
    """
    reports = {
        test: average(rows, task=test, scorer=SCORER) for test, rows in scores(outcomes).items()
    }
    cells = [
        Score(test, lang, {measure: means[measure] / 100})
        for test, report in reports.items()
        for lang, means in report.per_lang.items()
    ]
    langs = average(cells, task=ALL, scorer=SCORER)
    rows = [
        (
            lang,
            *(_cell(report.per_lang.get(lang), measure) for report in reports.values()),
            _cell(langs.per_lang[lang], measure),
        )
        for lang in langs.per_lang
    ]
    foot = (
        ALL,
        *(_cell(report.macro, measure) for report in reports.values()),
        _cell(langs.macro, measure),
    )
    counts = Counter(row.lang for row in outcomes)
    cases = ", ".join(f"{lang} {counts[lang]}" for lang in sorted(counts))
    note = f" {NAMES_NOTE}" if any(row.id.startswith(ID_PREFIX) for row in outcomes) else ""
    scorers = dict.fromkeys(row.scorer for row in outcomes)
    how = "".join(f" {SCORERS[name]}" for name in scorers) if measure == ERROR else ""
    groups = (tuple(rows), (foot,)) if len(rows) > 1 else (tuple(rows),)
    return Grid(
        title or "Failure rate",
        ("language", *reports, ALL),
        groups,
        f"{FAILURE_RATE}: {CAPTIONS[measure]}{how} Cases: {cases}.{note}",
    )


def has_foreign(outcomes: Iterable[Outcome]) -> bool:
    """Whether any wrong prediction is right in the context's language."""
    return any(failure.foreign for row in outcomes for failure in row.failures)


def _cell(means: Mapping[str, float] | None, measure: str) -> str:
    return f"{means[measure]:.1f}" if means else MISSING
