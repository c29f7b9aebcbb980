"""The tasks by name, each with two scorers.

`official` equals the published script digit for digit, habits included; `strict` is what the
papers say. Both score question by question; `summary` makes the report of a task's scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ..core.errors import ConfigError, DataError, one_of
from ..core.lang import XOR_LANGUAGES
from .official import mlqa, squad, xor_full, xor_retrieve
from .report import Reference, Report, Score, average
from .strict import answers
from .strict import xor_full as strict_full
from .strict import xor_retrieve as strict_retrieve

Scorer = Literal["official", "strict"]
SCORERS: tuple[Scorer, ...] = ("official", "strict")

_SCORES: dict[str, dict[Scorer, Callable[..., list[Score]]]] = {
    "xor-retrieve": {"official": xor_retrieve.score, "strict": strict_retrieve.score},
    "xor-engspan": {"official": squad.score, "strict": answers.score_english},
    "xor-full": {"official": xor_full.score, "strict": strict_full.score},
    "squad": {"official": squad.score, "strict": answers.score},
    "tydi-goldp": {"official": squad.score, "strict": answers.score},
    "mlqa": {"official": mlqa.score, "strict": answers.score},
}
TASKS = tuple(_SCORES)


def score(
    task: str,
    references: Sequence[Reference],
    predictions: Mapping[str, Any],
    *,
    scorer: Scorer = "official",
    **options: Any,
) -> list[Score]:
    """The scores of single questions, from 0 to 1.

    Args:
        task: one of `TASKS`.
        references: the questions with their gold answers.
        predictions: qid to answer; for xor-retrieve qid to passages, best first.
        scorer: `official` or `strict`.
        options: what the task's scorer takes; xor-retrieve has `k`.

    Raises:
        ConfigError: if there is no such task or scorer.
        DataError: if a question has no gold answer to score by.
    """
    if task not in _SCORES:
        raise ConfigError(f"no task is called '{task}'; there are: {one_of(TASKS)}")
    if scorer not in SCORERS:
        raise ConfigError(f"no scorer is called '{scorer}'; there are: {one_of(SCORERS)}")
    bare = [reference.qid for reference in references if not reference.answers]
    if bare and task != "xor-retrieve":  # which passes over them
        raise DataError(f"{task}: question '{bare[0]}' has no gold answer to score by")
    return _SCORES[task][scorer](references, predictions, **options)


def summary(task: str, scores: Iterable[Score], *, scorer: Scorer = "official") -> Report:
    """The report of a task's scores: means per language and their macro average.

    XOR-Full's official macro divides by seven and is left out where other languages than
    XOR QA's stand in the data; the other tasks count any language, where XOR QA's scripts pass
    over those that are not its own.

    Raises:
        DataError: if there is no score.
    """
    if task != "xor-full":
        return average(scores, task=task, scorer=scorer)
    if scorer == "strict":
        return average(scores, task=task, scorer=scorer, signature=strict_full.signature())
    report = average(scores, task=task, scorer=scorer, languages=len(XOR_LANGUAGES))
    return report if set(report.n) <= set(XOR_LANGUAGES) else report.without_macro()


def with_parts(
    report: Report, scores: Iterable[Score], parts: Iterable[Mapping[str, str]]
) -> Report:
    """A report, and beside it one of each part of its questions, by the parts' names.

    Each of `parts` divides the questions once, qid to part; a question may be in none. A part's
    macro average is over the languages it has, whatever the task's own divides by.
    """
    found: dict[str, list[Score]] = {}
    rows = list(scores)
    for part_of in parts:
        for name in sorted(set(part_of.values())):
            found[name] = [row for row in rows if part_of.get(row.qid) == name]
    return replace(
        report,
        parts={
            name: average(some, task=report.task, scorer=report.scorer, signature=report.signature)
            for name, some in found.items()
            if some
        },
    )


def evaluate(
    task: str,
    references: Sequence[Reference],
    predictions: Mapping[str, Any],
    *,
    scorer: Scorer = "official",
    **options: Any,
) -> Report:
    """`score` and `summary` in one.

    Raises:
        ConfigError, DataError: as they do.
    """
    scores = score(task, references, predictions, scorer=scorer, **options)
    return summary(task, scores, scorer=scorer)
