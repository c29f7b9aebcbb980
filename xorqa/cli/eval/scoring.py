"""Shared by the commands of `xorqa eval`: files, scoring, tables and problems of files."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from ...core.errors import ConfigError, one_of
from ...core.progress import quantity
from ...datasets.catalog import data_file
from ...io.files import write_json
from ...io.predictions import KINDS, Problem, check
from ...metrics.registry import find_scorer
from ...metrics.report import Reference, Report, Score, average, write_scores
from ...metrics.scorer_differences import Difference, differences
from ...metrics.task import SCORERS, Task, Values
from ...metrics.tasks.xor_retrieve import XOR_RETRIEVE
from ...tables.grid import MISSING, Grid, score_grid
from ..show import aside, console, counted, print_grid, print_line

BOTH = "both"

DEFAULT_LIMIT = 3

FIELDS = ("question", "official", "strict", "prediction", "gold", "passage")
Group = tuple[tuple[str, str], list[Difference]]
"""A reason and a language, and the questions shown."""


@dataclass(frozen=True, slots=True)
class EvalInput:
    """Questions, the predictions for them, and the problems of the predictions.

    `retrieved` are the passages of a run folder's questions.
    """

    references: Sequence[Reference]
    predictions: Mapping[str, Any]
    problems: Sequence[Problem] = ()
    retrieved: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Output:
    """The options of a command: which scores to print, and which files to write."""

    scorer: str | None = None
    json: Path | None = None
    per_question: Path | None = None
    diff: bool = False
    limit: int = DEFAULT_LIMIT
    format: str = "terminal"
    wide: bool = False

    def shown(self, scorers: Sequence[str]) -> tuple[str, ...]:
        """The scorers to print, out of the valid ones.

        Raises:
            ConfigError: for an unknown scorer.
        """
        if self.scorer == BOTH:
            return tuple(scorers)
        if self.scorer is None or self.scorer in scorers:
            return (self.scorer or scorers[0],)
        valid = one_of([*scorers, BOTH])
        raise ConfigError(f"no scorer is called '{self.scorer}'; valid: {valid}")


def read_inputs(
    task: Task, data: Sequence[Path], pred: Sequence[Path], *, lang: str | None = None
) -> list[EvalInput]:
    """Read data files, each with its own prediction file or all with the same.

    Raises:
        ConfigError: if the numbers of files do not match, or a language is unknown.
        DataError: for a file of another format.
    """
    if len(pred) not in (1, len(data)):
        raise ConfigError(
            f"{len(data)} --data files for {len(pred)} --pred files; give one --pred file for "
            "each of them, or one for all"
        )
    by_file = [task.read_references(data_file(path), lang=lang) for path in data]
    if len(pred) == len(data):
        return [_read_input(task, rows, path) for rows, path in zip(by_file, pred, strict=True)]
    references = [reference for rows in by_file for reference in rows]
    if len({reference.qid for reference in references}) < len(references):
        raise ConfigError("the --data files share ids; give a --pred file for each of them")
    return [_read_input(task, references, pred[0])]


def _read_input(task: Task, references: Sequence[Reference], path: Path) -> EvalInput:
    predictions = task.read_predictions(path)
    langs = {reference.qid: reference.lang for reference in references}
    problems = check(predictions, langs, scripts=task.check_script, alias=task.alias)
    by_alias = {task.alias(qid): value for qid, value in predictions.by_qid.items()}
    answers = by_alias | dict(predictions.by_qid)
    return EvalInput(references, answers, problems, _retrieved(task, path))


def _retrieved(task: Task, path: Path) -> Mapping[str, Sequence[str]]:
    """The retrieved passages of the run folder that contains the prediction file, if any."""
    passages = path.parent / XOR_RETRIEVE.file
    is_run = path.name == task.file != XOR_RETRIEVE.file and passages.is_file()
    return XOR_RETRIEVE.read_predictions(passages).by_qid if is_run else {}


def score_and_print(
    task: Task, inputs: Sequence[EvalInput], output: Output, **options: Any
) -> None:
    """Score inputs together, print the table, and write the files that the options name.

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
        rows = [
            row
            for each in inputs
            for row in differences(
                task, each.references, each.predictions, retrieved=each.retrieved, **options
            )
        ]
        print_differences(task.name, rows, output.limit, output.format, wide=output.wide)


def print_scores(
    name: str,
    score: Callable[[str], list[Score]],
    output: Output,
    *,
    scorers: Sequence[str] = SCORERS,
    summarise: Callable[..., Report] = average,
    problems: Mapping[str, Sequence[str]],
) -> None:
    """Print the scores and the ids with problems, and write the files that the options name."""
    shown = output.shown(scorers)
    scores = {scorer: score(scorer) for scorer in (scorers if output.per_question else shown)}
    if output.per_question:
        rows = {(name, scorer): scores[scorer] for scorer in scores}
        write_scores(output.per_question, rows)
    reports = {by: summarise(scores[by], task=name, scorer=by) for by in shown}
    if output.json:
        counts = {kind: len(qids) for kind, qids in problems.items()}
        values = {by: report.to_json() for by, report in reports.items()}
        written = values if output.scorer == BOTH else values[shown[0]]
        write_json(output.json, written | {"problems": counts})
    print_grid(score_grid(name, reports, first="scorer"), output.format, wide=output.wide)
    for by, report in reports.items():
        aside(output.format, f"questions counted ({by}): {counted(report.n)}")
    for kind, qids in problems.items():
        if qids:
            first = ", ".join(map(repr, qids[:3])) + (", ..." if len(qids) > 3 else "")
            aside(output.format, f"{kind}: {len(qids)} ({first})")


def print_differences(
    task: str, rows: Sequence[Difference], limit: int, format: str, *, wide: bool
) -> None:
    """Print the number of questions by reason, and `limit` questions per reason and language.

    A file format gets only the questions, a row for each.
    """
    title = f"{task}: official and strict disagree on {quantity(len(rows), 'question')}"
    ordered = sorted(rows, key=_group)
    groups = [(key, [*islice(group, limit)]) for key, group in groupby(ordered, key=_group)]
    if format == "terminal" and rows:
        print_grid(_counts(title, rows), wide=wide)
        console.print()
        for group in groups:
            _print_group(group)
    elif format == "terminal":
        print_line(title)
    else:
        print_grid(_questions(title, groups), format)
    if left := len(rows) - sum(len(shown) for _, shown in groups):
        most = f"--limit shows {limit} for each reason and language"
        aside(format, f"{quantity(left, 'question')} of {len(rows)} left out; {most}")


def _group(row: Difference) -> tuple[str, str]:
    return row.reason, row.lang


def _counts(title: str, rows: Sequence[Difference]) -> Grid:
    """A row per reason, a column per language."""
    counts = Counter(map(_group, rows))
    reasons = Counter(row.reason for row in rows)
    langs = sorted({row.lang for row in rows})
    body = tuple(
        (reason, *(str(counts[reason, lang] or MISSING) for lang in langs), str(total))
        for reason, total in reasons.most_common()
    )
    return Grid(title, ("reason", *langs, "all"), (body,))


def _print_group(group: Group) -> None:
    (reason, lang), rows = group
    console.print(Text(f"{reason or 'no reason known'} ({lang})", style="bold"))
    for row in rows:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for name, text in zip(FIELDS, _cells(row), strict=True):
            table.add_row(Text(name), Text(text))
        console.print(table)
        console.print()


def _questions(title: str, groups: Sequence[Group]) -> Grid:
    header = ("reason", "language", *FIELDS)
    rows = tuple(tuple((*key, *_cells(row)) for row in shown) for key, shown in groups)
    return Grid(title, header, rows, labels=len(header))


def _cells(row: Difference) -> tuple[str, ...]:
    return (
        row.qid,
        _values(row.official),
        _values(row.strict),
        _prediction(row),
        " | ".join(row.answers),
        row.excerpt() or MISSING,
    )


def _prediction(row: Difference) -> str:
    if row.prediction is None:
        return MISSING
    if isinstance(row.prediction, str):
        return row.prediction
    return quantity(len(row.prediction), "passage")


def _values(values: Values | None) -> str:
    if values is None:
        return "not counted"
    return ", ".join(f"{name} {100 * value:.0f}" for name, value in values.items())
