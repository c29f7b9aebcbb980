"""`xorqa build qa quality` and `xorqa build xor quality`: how good each annotator is."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Option

from ....cli.options import Output, with_groups
from ....core.errors import ConfigError
from ....tables.grid import MISSING, Grid
from ..check import check_rows
from ..quality import LEAST, Quality, qualities
from ..read import read_rows
from .report import Folder, stored

COLUMNS = ("annotated", "gold", "F1 with gold", "shared", "F1 with others", "judged", "right")


def quality_of(example: str) -> Callable[..., None]:
    """The command; `example` is its arguments in the help."""

    @with_groups
    def quality(
        folder: Folder,
        gold: Annotated[
            list[Path] | None,
            Option(help="Tasks that experts annotated: the gold annotations; repeatable."),
        ] = None,
        least: Annotated[
            float, Option(min=0, max=1, help="The mean F1 with gold annotations that qualifies.")
        ] = LEAST,
        *,
        output: Output,
    ) -> None:
        tasks, annotations = stored(folder)
        rows = [row for path in gold or () for row in read_rows(path)]
        experts, problems = check_rows(rows, tasks)
        if gold and not experts:
            raise ConfigError(f"{gold[0]} has no annotation of a task of {folder}")
        found = qualities(tasks, annotations, experts)
        output.print_grids([_grid(found, least)])
        left_out = sum(problem.is_error for problem in problems)
        if left_out:
            output.aside(f"gold annotations left out: {left_out}; see them by importing the file")
        failed = [row.annotator for row in found if row.passes(least) is False]
        if failed:
            names = " ".join(f"--without {name}" for name in failed)
            output.aside(f"below {least:g}: {', '.join(failed)}; import with {names} removes them")
        rows_of = [asdict(row) | {"qualified": row.passes(least)} for row in found]
        output.write_json({"least": least, "annotators": rows_of})

    quality.__doc__ = (
        "Compare annotators with gold annotations and with each other, and count verdicts.\n\n"
        "As XOR QA's authors qualified theirs (appendices B.2 and B.3): `export --only experts.csv`"
        " makes a batch of the tasks that experts annotated; in later batches these tasks are among"
        f" the others.\n\nExample: xorqa build {example}"
    )
    return quality


def _grid(found: Sequence[Quality], least: float) -> Grid:
    rows = tuple(
        (
            row.annotator,
            str(row.annotated),
            str(row.gold),
            _percent(row.score),
            str(row.shared),
            _percent(row.agreement),
            str(row.judged),
            str(row.right),
            {True: "yes", False: "no", None: MISSING}[row.passes(least)],
        )
        for row in found
    )
    return Grid("Annotators", ("annotator", *COLUMNS, "qualified"), (rows,))


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f}"
