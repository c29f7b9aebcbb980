"""`xorqa ledger`: where a run's points are lost, from the gold passage to its own answer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..analysis.cases import open_run
from ..analysis.ledger import GIVEN, Ledger, make_ledger
from ..cache import stage_cache
from ..files import write_json
from ..metrics.table import score_grid
from .show import Format, aside, print_grid, progress

CAPTION = (
    "XOR-EnglishSpan's F1 and exact match (official scorer), and the questions with the gold "
    "passage, or else an answer as whole words, among the passages retrieved and read; percent."
)


def ledger(
    run: Annotated[Path, typer.Argument(help="The folder of a run that read.")],
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Also write the figures, unrounded.")
    ] = None,
    format: Format = "terminal",
) -> None:
    """Where a run's English answers are lost: in retrieving, in choosing or in reading.

    Reads each question's gold passage with the run's own reader, takes the best of the spans
    that the run read, and sets both beside its answers. Killed, it goes on where it was.

    Example: xorqa ledger runs/lucene-xquad-open
    """
    reader, cases = open_run(run)
    with progress() as tell:
        found = make_ledger(reader, cases, cache=stage_cache(),
                            progress=partial(tell, "gold passages"))  # fmt: skip
    if json_file:
        write_json(json_file, {"run": str(run), **_in_json(found)})
    grid = score_grid(f"ledger of {run}", {**found.answers, **found.passages}, first="passages")
    print_grid(replace(grid, caption=CAPTION), format)
    counts = found.answers[GIVEN].n
    counted = ", ".join(f"{lang} {number}" for lang, number in counts.items())
    aside(format, f"questions with an English gold passage: {counted}")


def _in_json(found: Ledger) -> dict[str, dict[str, object]]:
    return {
        "answers": {name: report.to_json() for name, report in found.answers.items()},
        "passages": {name: report.to_json() for name, report in found.passages.items()},
    }
