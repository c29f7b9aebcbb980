"""What the exports and imports of `xorqa build` take, print and write."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.show import print_line
from ....core.errors import ConfigError
from ....core.progress import quantity
from ....io.files import write_text
from ..check import KINDS, NOTES, RowProblem, check_rows
from ..read import read_rows
from ..tasks import (
    Annotation,
    Task,
    add_annotations,
    add_tasks,
    read_annotations,
    read_tasks,
    remove_annotations,
)
from ..write import table, write_tasks

REPORT = "report.csv"


def export_tasks(
    folder: Path,
    out: Path,
    round: str,
    tasks: Sequence[Task],
    only: Sequence[Path] | None = None,
) -> None:
    """Write and store the tasks of a round, or those that the files `only` have annotated.

    Raises:
        ConfigError: if there are none.
    """
    if not tasks:
        raise ConfigError(f"round {round} has no tasks; import the round before it first")
    if only:
        rows = [row for path in only for row in read_rows(path)]
        names = {row.task for row in check_rows(rows, {task.id: task for task in tasks})[0]}
        tasks = [task for task in tasks if task.id in names]
        if not tasks:
            raise ConfigError(f"{only[0]} has no annotated task of the round {round}")
    write_tasks(out, tasks)
    add_tasks(folder, tasks)
    print_line(f"{out}: {quantity(len(tasks), 'task')}")


def import_files(
    folder: Path,
    tasks: Mapping[str, Task],
    files: Sequence[Path],
    report: Path | None,
    *,
    any_language: bool,
    without: Sequence[str] | None = None,
) -> list[Annotation]:
    """Check and store the annotations of files; write and print the report.

    Returns all annotations of the folder; those of the annotators `without` are removed.
    """
    rows = [row for path in files for row in read_rows(path)]
    accepted, problems = check_rows(rows, tasks, any_language=any_language)
    annotations = add_annotations(folder, accepted)
    out = report or folder / REPORT
    write_text(out, table([_HEADER, *map(_cells, problems)]))
    print_line(f"{quantity(len(rows), 'row')}: {len(accepted)} accepted")
    for kind in KINDS:
        if count := sum(problem.kind == kind for problem in problems):
            print_line(f"{'note' if kind in NOTES else 'left out'}: {kind}: {count}")
    if problems:
        print_line(f"report, with every such row: {out}")
    if without:
        before, annotations = len(annotations), remove_annotations(folder, without)
        removed = quantity(before - len(annotations), "annotation")
        print_line(f"removed: {removed} of {', '.join(without)}")
    _print_progress(tasks, annotations)
    return annotations


def stored(folder: Path) -> tuple[dict[str, Task], list[Annotation]]:
    """The tasks and the annotations of a folder."""
    return read_tasks(folder), read_annotations(folder)


def _print_progress(tasks: Mapping[str, Task], annotations: Sequence[Annotation]) -> None:
    done = {row.task for row in annotations}
    for name in dict.fromkeys(task.round for task in tasks.values()):
        of_round = [task.id for task in tasks.values() if task.round == name]
        finished = sum(task in done for task in of_round)
        print_line(f"round {name}: {finished} of {quantity(len(of_round), 'task')} annotated")


_HEADER = ("level", "kind", "file", "where", "id", "detail", "row")


def _cells(problem: RowProblem) -> list[str]:
    level = "left out" if problem.is_error else "note"
    row = json.dumps(problem.raw, ensure_ascii=False)
    named = asdict(problem)
    return [level, *(named[name] for name in _HEADER[1:-1]), row]


Folder = Annotated[Path, Argument(help="The folder of the data set in construction.")]
Files = Annotated[
    list[Path],
    Argument(metavar="FILE...", help="Annotated tasks: .csv, .jsonl, or Label Studio's .json."),
]
TaskFile = Annotated[
    Path, Option(help="The tasks: .csv, .jsonl, or .json for Label Studio (with an .xml beside).")
]
ReportFile = Annotated[
    Path | None, Option(help="Rows with problems, as CSV; default FOLDER/report.csv.")
]
Only = Annotated[
    list[Path] | None,
    Option(help="Export only the tasks that these files have annotated: a qualification batch."),
]
Without = Annotated[
    list[str] | None,
    Option(help="Remove all annotations of an annotator; others may do the tasks. Repeatable."),
]
AnyLanguage = Annotated[
    bool, Option("--any-language", help="Accept questions detected to be in another language.")
]
