"""`xorqa ledger`: the points lost in a run, or by each stage with several translators."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Output, Trust, configs, datasets, with_groups
from ....cli.show import counted, progress
from ....core.progress import quantity
from ....experiments.run_folder import UNREAD
from ....experiments.saved_run import finished
from ....io.cache import stage_cache
from ....io.files import read_jsonl
from ....tables.grid import score_grid
from ..cases import open_cases
from ..generated_ledger import make_generated_ledger
from ..ledger import END_TO_END, make_ledger
from .losses import losses

CAPTION = (
    "XOR-EnglishSpan's F1 and exact match (official scorer), and the share of questions whose "
    "retrieved and read passages include the gold passage, or any answer as whole words; percent."
)
GENERATED_CAPTION = (
    "XOR-Full's scores (official scorer) of the generated answers, and of the span reader's from "
    "the same passages; the share of questions whose retrieved, read and cited English passages "
    "include the gold passage, or any answer as whole words; percent."
)


@with_groups
def ledger(
    run: Annotated[
        str,
        Argument(
            metavar="RUN|CONFIG",
            help="A run folder (--until read or full) or config.",
            autocompletion=configs,
        ),
    ],
    output: Output,
    data: Annotated[str, Option(help="CONFIG: a data set.", autocompletion=datasets)] = "mini",
    translators: Annotated[
        str | None, Option(help="CONFIG: names or recorded:FILE; default human,bundled,none.")
    ] = None,
    changes: Annotated[list[str] | None, Option("--set", help="CONFIG: change a setting.")] = None,
    indexes: Annotated[Path | None, Option(help="CONFIG: the folder of indexes.")] = None,
    plot: Annotated[Path | None, Option(help="CONFIG: also write an SVG heat map.")] = None,
    trust: Trust = False,
) -> None:
    """Show where points are lost: in a run's English answers, or by stage for each translator.

    RUN (a folder): compares the run's answers with those its reader gives on the gold passages,
    with the best of the candidates it read, and with those without its ranker. Generated answers
    are compared with the span reader's, and the model is not asked again. CONFIG: runs the
    questions over one index with each translator, and splits the loss into translation,
    retrieval, reading and back-translation. Both resume when interrupted.

    Example: xorqa ledger lucene --data xquad-open --translators human,bundled,none
    """
    if Path(run).is_dir():
        _run_ledger(Path(run), output, trust=trust)
    else:
        losses(run, data, translators, changes or [], indexes, output, plot=plot)


def _run_ledger(run: Path, output: Output, *, trust: bool) -> None:
    _, settings = finished(run, trust=trust)
    with progress() as report:
        if settings.generates:
            result = make_generated_ledger(run, cache=stage_cache(), trust=trust, progress=report)
        else:
            reader, cases = open_cases(run, trust=trust)
            show = partial(report, "gold passages")
            result = make_ledger(reader, cases, cache=stage_cache(), progress=show)
    answers, passages = (
        {name: report.to_json() for name, report in reports.items()}
        for reports in (result.answers, result.passages)
    )
    output.write_json({"run": str(run), "answers": answers, "passages": passages})
    grid = score_grid(f"ledger of {run}", {**result.answers, **result.passages}, first="passages")
    caption = GENERATED_CAPTION if settings.generates else CAPTION
    output.print_grid(replace(grid, caption=caption))
    counts = counted(result.answers[END_TO_END].n)
    output.aside(f"questions with an English gold passage: {counts}")
    if (unread := run / UNREAD).exists():
        count = quantity(sum(1 for _ in read_jsonl(unread)), "question")
        output.aside(f"the reader failed on {count}, see {unread}; they count as wrong")
