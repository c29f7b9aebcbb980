"""`xorqa submission`: what is wrong with a prediction file, before it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ..core.errors import DataError
from ..io.files import read_json, write_json
from ..io.predictions import (
    WARNINGS,
    Problem,
    after_underscore,
    counts,
    read_answers,
    read_passages,
)
from ..io.predictions import check as problems_of
from ..io.squad_xor import read_langs, read_xor
from .show import console

EXAMPLES = 5  # of each kind, without --all
UNCHECKED = "Whose predictions these are was not checked: name the questions with --data FILE.jsonl"

app = typer.Typer(no_args_is_help=True)


class Task(StrEnum):
    """The tasks of XOR QA."""

    RETRIEVE = "xor-retrieve"
    ENGSPAN = "xor-engspan"
    FULL = "xor-full"


@app.callback()
def about() -> None:
    """Look at a prediction file before it is sent.

    Example: xorqa submission check xor_full.json --task xor-full --data xor_test_full.jsonl
    """


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="Predictions in the task's official format.")],
    task: Annotated[Task, typer.Option(help="What they are for.")],
    data: Annotated[
        Path | None,
        typer.Option(help="The questions, XOR QA JSONL (the run's, if FILE is in a run folder)."),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Also write all problems, as JSON.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help=f"Show more than {EXAMPLES} of a kind.")
    ] = False,
) -> None:
    """Count and show what is missing, extra, doubled, empty or of another kind than it should.

    The exit status is 1 if there is an error. An answer in another script is only a warning.

    Example: xorqa submission check runs/dense-mini/xor_full.json --task xor-full
    """
    full = task is Task.FULL
    predictions = read_passages(file) if task is Task.RETRIEVE else read_answers(file)
    langs = _languages(file, data)
    alias = after_underscore if full else str
    problems = problems_of(predictions, langs, scripts=full, alias=alias)
    note = UNCHECKED if langs is None else ""
    if data is None and not full:
        problems, note = _without_missing(problems, task, note)
    services = _services(file)
    if json_file:
        write_json(
            json_file,
            {
                "file": str(file),
                "task": task,
                "counts": counts(problems),
                "problems": list(map(asdict, problems)),
                "note": note,
                "black_box": services,
            },
        )
    _show(problems, most=len(problems) if everything else EXAMPLES)
    if services:
        typer.echo(f"translated by services that are black boxes, say so: {', '.join(services)}")
    _conclude(problems, note)


def _languages(file: Path, data: Path | None) -> dict[str, str] | None:
    """qid to language of the questions in `data`, or else of the run that `file` is in."""
    if data is not None:
        return {row.qid: row.lang for row in read_xor(data)}
    try:
        return read_langs(file.parent / "queries.jsonl") or None
    except DataError:  # none is there, or one of another program
        return None


def _services(file: Path) -> list[str]:
    """The black-box services that the run used whose folder `file` is in."""
    try:
        manifest = read_json(file.parent / "manifest.json")
    except DataError:
        return []
    used = manifest.get("black_box") if isinstance(manifest, dict) else None
    return sorted(set(used.values())) if isinstance(used, dict) else []


def _without_missing(
    problems: Sequence[Problem], task: Task, note: str
) -> tuple[list[Problem], str]:
    """Missing ids as a note: a run has more questions than this task asks."""
    kept = [problem for problem in problems if problem.kind != "missing id"]
    missing = len(problems) - len(kept)
    if missing:
        note = (
            f"{missing} questions of the run have no prediction; "
            f"whether {task} asks them is seen with --data FILE.jsonl"
        )
    return kept, note


def _show(problems: Sequence[Problem], *, most: int) -> None:
    """A table of the counts, and the first `most` problems of each kind."""
    kinds = {kind: count for kind, count in counts(problems).items() if count}
    if not kinds:
        return
    table = Table("problem", "count", "is")
    for kind, count in kinds.items():
        table.add_row(kind, str(count), "a warning" if kind in WARNINGS else "an error")
    console.print(table)
    for kind, count in kinds.items():
        typer.echo(f"{kind}:")
        for problem in [problem for problem in problems if problem.kind == kind][:most]:
            typer.echo(f"  {problem.qid!r} {problem.detail}")
        if count > most:
            typer.echo(f"  and {count - most} more; --all shows them")


def _conclude(problems: Sequence[Problem], note: str) -> None:
    """Say whether the file may be sent; the exit status is 1 if it may not."""
    if note:
        typer.echo(note)
    errors = sum(problem.kind not in WARNINGS for problem in problems)
    if errors:
        typer.echo(f"not ready to submit; errors: {errors}")
        raise typer.Exit(1)
    typer.echo("no error was found" if note else "ready to submit")
