"""What the verbs of `xorqa eval` share: score, show, and say what is wrong with the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ...core.lang import XOR_LANGUAGES
from ...io.files import write_json
from ...io.predictions import KINDS
from ...metrics import per_question, tasks
from ...metrics.diff import differences
from ...metrics.report import Report, Score
from ...tables.grid import Grid, score_grid
from ..show import aside, print_grid
from .inputs import EvalInput

ScorerName = Literal["official", "strict", "both"]
ScorerOption = Annotated[
    ScorerName, typer.Option("--scorer", help="As the published script counts, or the papers.")
]
JsonOption = Annotated[Path | None, typer.Option("--json", help="Write the scores, unrounded.")]
LangOption = Annotated[
    str | None, typer.Option("--lang", help="The files' language, unless their names tell.")
]
DiffOption = Annotated[
    bool, typer.Option("--diff", help="List the questions on which the two scorers disagree.")
]
QuestionsOption = Annotated[
    Path | None, typer.Option(help="Write every question's scores, for `xorqa compare`.")
]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a verb's options ask for."""

    scorer: ScorerName = "official"
    json: Path | None = None
    per_question: Path | None = None
    diff: bool = False
    format: str = "terminal"

    @property
    def scorers(self) -> tuple[tasks.Scorer, ...]:
        """The scorers to show."""
        return tasks.SCORERS if self.scorer == "both" else (self.scorer,)


def score_and_print(task: str, inputs: Sequence[EvalInput], wanted: Wanted, **options: Any) -> None:
    """Score inputs together, print the table, write what is asked for.

    XOR-Full's official macro average has a sense for seven languages only; for others the
    strict scores stand beside it.

    Raises:
        ConfigError, DataError: as `tasks.score` and `tasks.summary`.
    """

    def score(scorer: tasks.Scorer) -> list[Score]:
        return [
            row
            for eval_input in inputs
            for row in tasks.score(
                task, eval_input.references, eval_input.predictions, scorer=scorer, **options
            )
        ]

    langs = {reference.lang for eval_input in inputs for reference in eval_input.references}
    beside = task == "xor-full" and not langs <= set(XOR_LANGUAGES)
    qids: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for problem in (problem for eval_input in inputs for problem in eval_input.problems):
        qids[problem.kind].append(problem.qid)
    present(task, score, wanted, strict_beside=beside, problems=qids)
    if wanted.diff:
        print_grid(_differences(task, inputs, options), wanted.format)


def present(
    task: str,
    score: Callable[[tasks.Scorer], list[Score]],
    wanted: Wanted,
    *,
    strict_beside: bool = False,
    problems: Mapping[str, Sequence[str]],
) -> None:
    """Print the table of the scorers wanted and the ids with problems; write what is asked for."""
    shown = tasks.SCORERS if strict_beside else wanted.scorers
    scores = {scorer: score(scorer) for scorer in (tasks.SCORERS if wanted.per_question else shown)}
    if wanted.per_question:
        rows = {(task, str(scorer)): some for scorer, some in scores.items()}
        per_question.write_scores(wanted.per_question, rows)
    reports = {str(name): tasks.summary(task, scores[name], scorer=name) for name in shown}
    if wanted.json:
        counts = {kind: len(qids) for kind, qids in problems.items()}
        write_json(wanted.json, _in_json(reports, wanted.scorer) | {"problems": counts})
    print_grid(score_grid(task, reports, first="scorer"), wanted.format)
    for name, report in reports.items():
        counted = ", ".join(f"{lang} {number}" for lang, number in report.n.items())
        aside(wanted.format, f"questions counted ({name}): {counted}")
    for kind, qids in problems.items():
        if qids:
            first = ", ".join(map(repr, qids[:3])) + (", ..." if len(qids) > 3 else "")
            aside(wanted.format, f"{kind}: {len(qids)} ({first})")


def _in_json(reports: Mapping[str, Report], scorer: ScorerName) -> dict[str, Any]:
    if scorer == "both":
        return {name: report.to_json() for name, report in reports.items()}
    return reports[scorer].to_json()


def _differences(task: str, inputs: Sequence[EvalInput], options: Mapping[str, Any]) -> Grid:
    """Each question on which the scorers disagree, with both scores and the reason."""
    rows = tuple(
        (row.lang, row.qid, _values(row.official), _values(row.strict), row.reason)
        for eval_input in inputs
        for row in differences(task, eval_input.references, eval_input.predictions, **options)
    )
    header = ("language", "question", "official", "strict", "reason")
    title = f"{task}: official and strict disagree on {len(rows)} questions"
    return Grid(title, header, (rows,), labels=len(header))


def _values(values: Mapping[str, float] | None) -> str:
    if values is None:
        return "not counted"
    return ", ".join(f"{name} {100 * value:.0f}" for name, value in values.items())
