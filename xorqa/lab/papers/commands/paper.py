"""`xorqa paper`: the experiments of the papers, and their tables beside runs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from typer import Argument

from ....cli.options import Output, with_groups
from ....core.errors import ConfigError
from ....tables.grid import Grid
from ...common.fetched import local_or_fetched
from ..alignment import PARTS, beside_results
from ..measured import read_measured, read_note
from ..paper import PAPERS, Experiment, read_paper
from ..printed import Measured, PrintedTable, printed_tables


@with_groups
def paper(
    output: Output,
    name: Annotated[str, Argument(help=f"The paper: {', '.join(PAPERS)}.")] = "",
    place: Annotated[str, Argument(help="A table, figure, equation or section: table-7.")] = "",
    runs: Annotated[
        list[Path] | None,
        Argument(
            help="Run folders, or results of eval, lareqa, mlqa or backretrieval, printed beside "
            "the table; for table-25 of xtreme-r predictions for XQuAD, with the language in each "
            "name; for table-3 of mlqa the folders of its files."
        ),
    ] = None,
) -> None:
    """List a paper's experiments with the commands that repeat them, or print one.

    A printed table gets a row or a column for each run; (!) marks printed values that contradict
    others of the same paper.

    Example: xorqa paper xor-qa table-7 runs/full --format latex

    Example: xorqa paper xtreme-r table-25 ours.el.json theirs.el.json

    Example: xorqa paper mlqa table-3 mlqa/dev mlqa/test

    Example: xorqa paper backretrieval table-1 en-ja.json ja-en.json
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
    measured: dict[str, Measured] = {}
    for row in experiments:
        for line in _lines(row):
            output.aside(line)
    if table is not None:
        title = f"{chosen.title}, {experiments[0].place}"
        output.print_grid(_beside(table, title, runs or (), measured))
    elif runs:
        raise ConfigError(f"{place} of {name} has no printed values to put runs beside")
    output.write_json([asdict(row) for row in experiments] + _values(table, measured))


def _lines(row: Experiment) -> list[str]:
    """What is to be done for an experiment."""
    lines = [f"{row.place}: {row.what}"]
    lines += [f"  here: {command}" for command in row.here]
    lines += [f"  full: {command}" for command in row.full]
    named = {"cost": row.cost, "ours": row.ours, "note": row.reason}
    return lines + [f"  {label}: {text}" for label, text in named.items() if text]


def _beside(
    table: PrintedTable, title: str, runs: Sequence[Path], measured: dict[str, Measured]
) -> Grid:
    """The table with the runs, each named by its path; their values are added to `measured`."""
    if runs and table.part == "buckets":
        from ..table_25 import beside_predictions

        return beside_predictions(table, title, runs, local_or_fetched(Path("xquad")))
    if runs and table.part == "shared":
        from ..table_3 import shared_questions

        measured[" + ".join(map(str, runs))] = shared_questions(runs)
        return table.grid(title, measured)
    if runs and table.part in PARTS:
        return beside_results(table, title, runs)
    if runs and not table.task:
        raise ConfigError(f"{title} has no scores to put runs beside")
    measured |= {str(run): read_measured(run, table.task, table.part) for run in runs}
    return table.grid(title, measured, [*filter(None, (read_note(r, table.task) for r in runs))])


def _values(table: PrintedTable | None, runs: Mapping[str, Measured]) -> list[dict[str, Any]]:
    """The printed table and the values of runs as JSON values."""
    printed = {"columns": table.columns, "rows": table.lines} if table else None
    return [printed | ({"runs": runs} if runs else {})] if printed else []
