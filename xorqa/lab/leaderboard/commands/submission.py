"""`xorqa submission`: check a prediction file before it is submitted."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from typer import Argument, Option

from ....cli.show import console, print_line
from ....io.files import write_json
from ....io.predictions import WARNINGS, Problem, counts
from ....metrics.registry import find_task
from ..metadata import FILE as METADATA
from ..submission import check_submission

EXAMPLES = 5  # of each kind, without --all

app = typer.Typer(no_args_is_help=True)


@app.command()
def check(
    file: Annotated[Path, Argument(help="Predictions in the task's official format.")],
    task_name: Annotated[str, Option("--task", help="xor-retrieve, xor-engspan, xor-full, ...")],
    data: Annotated[
        Path | None,
        Option(help="The task's data file (default: the questions of FILE's run folder)."),
    ] = None,
    metadata: Annotated[
        Path | None,
        Option(help="The leaderboard's metadata (default: metadata.toml beside FILE, if any)."),
    ] = None,
    json_file: Annotated[
        Path | None, Option("--json", help="Also write all problems, as JSON.")
    ] = None,
    everything: Annotated[
        bool, Option("--all", help=f"Show more than {EXAMPLES} problems of a kind.")
    ] = False,
) -> None:
    """Check a prediction file for missing, extra, repeated, empty and malformed predictions.

    Metadata for a leaderboard are checked too. The exit status is 1 if there is an error. An answer
    in another script is only a warning.

    Example: xorqa submission check runs/dense-mini/xor_full.json --task xor-full
    """
    task = find_task(task_name)
    if metadata is None and (file.parent / METADATA).is_file():
        metadata = file.parent / METADATA
    checked = check_submission(task, file, data=data, metadata=metadata)
    problems, services = checked.problems, checked.services
    if json_file:
        values = {"file": str(file), "task": task.name, "counts": counts(problems)}
        rows = list(map(asdict, problems))
        more = {"note": checked.note, "black_box": services, "metadata": checked.metadata}
        write_json(json_file, {**values, "problems": rows, **more})
    _show(problems, most=len(problems) if everything else EXAMPLES)
    for problem in checked.metadata:
        print_line(f"metadata: {problem}")
    if services:
        names = ", ".join(services)
        print_line(f"translated by black-box services, which the submission must state: {names}")
    if checked.note:
        print_line(checked.note)
    if checked.errors:
        print_line(f"not ready to submit; errors: {checked.errors}")
        raise typer.Exit(1)
    print_line("no errors found" if checked.note else "ready to submit")


def _show(problems: Sequence[Problem], *, most: int) -> None:
    """A table of the counts, and the first `most` problems of each kind."""
    kinds = {kind: count for kind, count in counts(problems).items() if count}
    table = Table("problem", "count", "is")
    for kind, count in kinds.items():
        table.add_row(kind, str(count), "a warning" if kind in WARNINGS else "an error")
    if kinds:
        console.print(table)
    for kind, count in kinds.items():
        print_line(f"{kind}:")
        for problem in [problem for problem in problems if problem.kind == kind][:most]:
            print_line(f"  {problem.qid!r} {problem.detail}")
        if count > most:
            print_line(f"  and {count - most} more; --all shows them")
