"""`xorqa paper`: the experiments of the papers, and their tables beside runs."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from typer import Argument

from ....cli.options import Output, with_groups
from ....core.errors import ConfigError
from ....io.files import local_or_fetched
from ....tables.grid import Grid
from ..measured import read_measured
from ..paper import PAPERS, Experiment, read_paper
from ..printed import PrintedTable, printed_tables


@with_groups
def paper(
    output: Output,
    name: Annotated[str, Argument(help=f"The paper: {', '.join(PAPERS)}.")] = "",
    place: Annotated[str, Argument(help="A table, figure, equation or section: table-7.")] = "",
    runs: Annotated[
        list[Path] | None,
        Argument(
            help="Run folders, or results of eval, lareqa or mlqa, printed beside the table; for "
            "table-25 of xtreme-r predictions for XQuAD, with the language in each name."
        ),
    ] = None,
) -> None:
    """List a paper's experiments with the commands that repeat them, or print one.

    A printed table gets a row or a column for each run; (!) marks printed values that contradict
    others of the same paper.

    Example: xorqa paper xor-qa table-7 runs/full --format latex

    Example: xorqa paper xtreme-r table-25 ours.el.json theirs.el.json
    """
    if not name:
        papers = list(map(read_paper, PAPERS))
        rows = tuple((p.name, p.title, p.citation, str(len(p.rows))) for p in papers)
        output.print_grid(Grid("papers", ("name", "title", "citation", "rows"), (rows,), "", 3))
        return
    chosen = read_paper(name)
    if not place:
        output.print_grid(chosen.grid())
        output.write_json([asdict(row) for row in chosen.rows])
        return
    experiments = chosen.find(place)
    table = printed_tables(name).get(experiments[0].key)
    for row in experiments:
        for line in _lines(row):
            output.aside(line)
    if table is not None:
        output.print_grid(_beside(table, f"{chosen.title}, {experiments[0].place}", runs or ()))
    elif runs:
        raise ConfigError(f"{place} of {name} has no printed values to put runs beside")
    output.write_json([asdict(row) for row in experiments] + _values(table))


def _lines(row: Experiment) -> list[str]:
    """What is to be done for an experiment."""
    lines = [f"{row.place}: {row.what}"]
    lines += [f"  here: {command}" for command in row.here]
    lines += [f"  full: {command}" for command in row.full]
    named = {"cost": row.cost, "ours": row.ours, "note": row.reason}
    return lines + [f"  {label}: {text}" for label, text in named.items() if text]


def _beside(table: PrintedTable, title: str, runs: Sequence[Path]) -> Grid:
    """The table with the runs, each named by its path."""
    if runs and table.part == "buckets":
        from ..table_25 import beside_predictions

        return beside_predictions(table, title, runs, local_or_fetched(Path("xquad")))
    if runs and not table.task:
        raise ConfigError(f"{title} has no scores to put runs beside")
    return table.grid(title, {str(run): read_measured(run, table.task, table.part) for run in runs})


def _values(table: PrintedTable | None) -> list[dict[str, Any]]:
    """The printed table as JSON values."""
    return [{"columns": table.columns, "rows": table.lines}] if table else []
