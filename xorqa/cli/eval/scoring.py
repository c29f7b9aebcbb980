"""What the commands of `xorqa eval` share: options, scoring, tables and problems of files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, one_of
from ...io.files import write_json
from ...io.predictions import KINDS
from ...metrics import per_question
from ...metrics.diff import differences
from ...metrics.registry import find_scorer
from ...metrics.report import Report, Score, average
from ...metrics.task import SCORERS, Task
from ...tables.grid import Grid, score_grid
from ..show import aside, counted, print_grid
from .inputs import EvalInput

BOTH = "both"


@dataclass(frozen=True, slots=True)
class Output:
    """The options of a command: whose scores to print, and what to write."""

    scorer: str | None = None
    json: Path | None = None
    per_question: Path | None = None
    diff: bool = False
    format: str = "terminal"

    def shown(self, scorers: Sequence[str]) -> tuple[str, ...]:
        """Which of the valid scorers to print.

        Raises:
            ConfigError: for an unknown one.
        """
        if self.scorer == BOTH:
            return tuple(scorers)
        if self.scorer is None or self.scorer in scorers:
            return (self.scorer or scorers[0],)
        valid = one_of([*scorers, BOTH])
        raise ConfigError(f"no scorer is called '{self.scorer}'; valid: {valid}")


def score_and_print(
    task: Task, inputs: Sequence[EvalInput], output: Output, **options: Any
) -> None:
    """Score inputs together, print the table, write the files that the options name.

    Raises:
        ConfigError, DataError: as `Task.score` and `Task.report`.
    """
    if output.scorer and ":" in output.scorer:
        task = replace(task, scorers={**task.scorers, output.scorer: find_scorer(output.scorer)})

    def score(scorer: str) -> list[Score]:
        return [
            row
            for eval_input in inputs
            for row in task.score(
                eval_input.references, eval_input.predictions, scorer=scorer, **options
            )
        ]

    qids: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for problem in (problem for eval_input in inputs for problem in eval_input.problems):
        qids[problem.kind].append(problem.qid)
    print_scores(
        task.name, score, output, scorers=[*task.scorers], summarise=task.summarise, problems=qids
    )
    if output.diff:
        print_grid(_differences(task, inputs, options), output.format)


def print_scores(
    name: str,
    score: Callable[[str], list[Score]],
    output: Output,
    *,
    scorers: Sequence[str] = SCORERS,
    summarise: Callable[..., Report] = average,
    problems: Mapping[str, Sequence[str]],
) -> None:
    """Print the table of scores and the ids with problems, write the files that the options name.

    If a report has no macro average, those of all scorers are printed.
    """
    shown = output.shown(scorers)
    scores = {scorer: score(scorer) for scorer in (scorers if output.per_question else shown)}
    if output.per_question:
        rows = {(name, scorer): scores[scorer] for scorer in scores}
        per_question.write_scores(output.per_question, rows)
    reports = {by: summarise(scores[by], task=name, scorer=by) for by in shown}
    if output.json:
        counts = {kind: len(qids) for kind, qids in problems.items()}
        values = {by: report.to_json() for by, report in reports.items()}
        written = values if output.scorer == BOTH else values[shown[0]]
        write_json(output.json, written | {"problems": counts})
    if not all(report.macro for report in reports.values()):
        reports = {
            by: reports.get(by) or summarise(score(by), task=name, scorer=by) for by in scorers
        }
    print_grid(score_grid(name, reports, first="scorer"), output.format)
    for by, report in reports.items():
        aside(output.format, f"questions counted ({by}): {counted(report.n)}")
    for kind, qids in problems.items():
        if qids:
            first = ", ".join(map(repr, qids[:3])) + (", ..." if len(qids) > 3 else "")
            aside(output.format, f"{kind}: {len(qids)} ({first})")


def _differences(task: Task, inputs: Sequence[EvalInput], options: Mapping[str, Any]) -> Grid:
    """Each question on which the scorers disagree, with both scores and the reason."""
    rows = tuple(
        (row.lang, row.qid, _values(row.official), _values(row.strict), row.reason)
        for eval_input in inputs
        for row in differences(task, eval_input.references, eval_input.predictions, **options)
    )
    header = ("language", "question", "official", "strict", "reason")
    title = f"{task.name}: official and strict disagree on {len(rows)} questions"
    return Grid(title, header, (rows,), labels=len(header))


def _values(values: Mapping[str, float] | None) -> str:
    if values is None:
        return "not counted"
    return ", ".join(f"{name} {100 * value:.0f}" for name, value in values.items())
