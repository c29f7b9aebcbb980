"""`xorqa ledger`: where points are lost, in a run or over several translators."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ...analysis.cases import open_cases
from ...analysis.ledger import GOLD_PASSAGE, Ledger, make_ledger
from ...caching.store import stage_cache
from ...io.files import write_json
from ...tables.grid import score_grid
from ..show import Format, Trust, aside, print_grid, progress
from .losses import losses

CAPTION = (
    "XOR-EnglishSpan's F1 and exact match (official scorer), and the questions with the gold "
    "passage, or else an answer as whole words, among the passages retrieved and read; percent."
)


def ledger(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN|CONFIG", help="The folder of a run that read, or a config."),
    ],
    data: Annotated[str, typer.Option(help="CONFIG: a data set.")] = "mini",
    translators: Annotated[
        str | None,
        typer.Option(help="CONFIG: human,bundled,none,recorded:FILE; the usual ones by default."),
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="CONFIG: change a setting.")
    ] = None,
    indexes: Annotated[Path | None, typer.Option(help="CONFIG: where indexes stand.")] = None,
    plot: Annotated[Path | None, typer.Option(help="CONFIG: also draw an SVG.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Also write the figures, unrounded.")
    ] = None,
    trust: Trust = False,
    format: Format = "terminal",
) -> None:
    """Where answers are lost: by a run in English, or by each translator in all stages.

    RUN (a folder): reads each question's gold passage with the run's own reader, takes the best
    of the spans that the run read, and sets both beside its answers. CONFIG: runs the questions
    over one index with each translator, and splits the loss of the end result into translation,
    retrieval, reading and back-translation. Killed, either goes on where it was.

    Example: xorqa ledger lucene --data xquad-open --translators human,bundled,none
    """
    if Path(run).is_dir():
        _ledger_of(Path(run), json_file, format, trust=trust)
    else:
        losses(
            run,
            data,
            translators,
            changes=changes or [],
            indexes=indexes,
            json_file=json_file,
            plot=plot,
            format=format,
        )


def _ledger_of(run: Path, json_file: Path | None, format: str, *, trust: bool) -> None:
    reader, cases = open_cases(run, trust=trust)
    with progress() as tell:
        found = make_ledger(
            reader, cases, cache=stage_cache(), progress=partial(tell, "gold passages")
        )
    if json_file:
        write_json(json_file, {"run": str(run), **_in_json(found)})
    grid = score_grid(f"ledger of {run}", {**found.answers, **found.passages}, first="passages")
    print_grid(replace(grid, caption=CAPTION), format)
    counts = found.answers[GOLD_PASSAGE].n
    counted = ", ".join(f"{lang} {number}" for lang, number in counts.items())
    aside(format, f"questions with an English gold passage: {counted}")


def _in_json(found: Ledger) -> dict[str, dict[str, object]]:
    return {
        "answers": {name: report.to_json() for name, report in found.answers.items()},
        "passages": {name: report.to_json() for name, report in found.passages.items()},
    }
