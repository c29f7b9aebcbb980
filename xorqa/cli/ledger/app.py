"""`xorqa ledger`: the points lost in a run, or by each stage with several translators."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ...analysis.cases import open_cases
from ...analysis.ledger import GOLD_PASSAGE, make_ledger
from ...caching.store import stage_cache
from ...io.files import write_json
from ...tables.grid import score_grid
from ..completion import configs, datasets
from ..options import Format, JsonFile, Trust, Wide
from ..show import aside, counted, print_grid, progress
from .losses import losses

CAPTION = (
    "XOR-EnglishSpan's F1 and exact match (official scorer), and the share of questions whose "
    "retrieved and read passages include the gold passage, or any answer as whole words; percent."
)


def ledger(
    run: Annotated[
        str,
        Argument(
            metavar="RUN|CONFIG",
            help="A run folder (--until read or full) or config.",
            autocompletion=configs,
        ),
    ],
    data: Annotated[str, Option(help="CONFIG: a data set.", autocompletion=datasets)] = "mini",
    translators: Annotated[
        str | None, Option(help="CONFIG: names or recorded:FILE; default human,bundled,none.")
    ] = None,
    changes: Annotated[list[str] | None, Option("--set", help="CONFIG: change a setting.")] = None,
    indexes: Annotated[Path | None, Option(help="CONFIG: the folder of indexes.")] = None,
    plot: Annotated[Path | None, Option(help="CONFIG: also write an SVG heat map.")] = None,
    json_file: JsonFile = None,
    trust: Trust = False,
    format: Format = "terminal",
    wide: Wide = False,
) -> None:
    """Show where points are lost: in a run's English answers, or by stage for each translator.

    RUN (a folder): compares the run's answers with those its reader gives on the gold passages,
    and with the best of the candidates it read. CONFIG: runs the questions over one index with
    each translator, and splits the loss into translation, retrieval, reading and
    back-translation. Both resume when interrupted.

    Example: xorqa ledger lucene --data xquad-open --translators human,bundled,none
    """
    if Path(run).is_dir():
        _run_ledger(Path(run), json_file, format, trust=trust, wide=wide)
    else:
        losses(
            run,
            data,
            translators,
            changes or [],
            indexes,
            format,
            json_file=json_file,
            plot=plot,
            wide=wide,
        )


def _run_ledger(run: Path, json_file: Path | None, format: str, *, trust: bool, wide: bool) -> None:
    reader, cases = open_cases(run, trust=trust)
    with progress() as report:
        result = make_ledger(
            reader, cases, cache=stage_cache(), progress=partial(report, "gold passages")
        )
    if json_file:
        answers, passages = (
            {name: report.to_json() for name, report in reports.items()}
            for reports in (result.answers, result.passages)
        )
        write_json(json_file, {"run": str(run), "answers": answers, "passages": passages})
    grid = score_grid(f"ledger of {run}", {**result.answers, **result.passages}, first="passages")
    print_grid(replace(grid, caption=CAPTION), format, wide=wide)
    counts = counted(result.answers[GOLD_PASSAGE].n)
    aside(format, f"questions with an English gold passage: {counts}")
