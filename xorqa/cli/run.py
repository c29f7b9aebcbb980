"""`xorqa run`: one experiment over one data set, into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..datasets.catalog import load_dataset
from ..metrics.table import score_grid
from ..metrics.tasks import Scorer
from ..pipeline import Stop, load_settings
from ..runs import run as run_experiment
from .show import Format, aside, print_grid, progress


def run(
    config: Annotated[str, typer.Argument(help="An example's name (dense) or a file (my.toml).")],
    data: Annotated[str, typer.Option(help="A data set: see `xorqa data list`.")] = "mini",
    until: Annotated[Stop, typer.Option(help="How far to go.")] = Stop.FULL,
    out: Annotated[Path | None, typer.Option(help="The run's folder [runs/CONFIG-DATA].")] = None,
    languages: Annotated[
        str | None, typer.Option("--lang", help="Only these question languages: ko,te")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting: reader.passages=3")
    ] = None,
    indexes: Annotated[Path | None, typer.Option(help="Where indexes stand.")] = None,
    scorer: Annotated[Scorer, typer.Option(help="Whose scores are printed.")] = "official",
    format: Format = "terminal",
) -> None:
    """Run an experiment and print its scores; killed, it goes on where it was.

    Example: xorqa run dense --data xquad-open --until read --out runs/dense
    """
    settings = load_settings(config, changes=changes or [])
    dataset = load_dataset(data)
    if languages is not None:
        dataset = dataset.only(languages.split(","))
    out = out or Path("runs") / f"{settings.name}-{data}"
    with progress() as tell:
        reports = run_experiment(
            settings, dataset, out, until=until, indexes=indexes, progress=tell
        )
    for (task, name), report in reports.items():
        if name == scorer or (not reports[task, scorer].macro):
            print_grid(score_grid(task, {settings.name: report}), format)
            print()
    aside(format, f"run folder: {out}")
