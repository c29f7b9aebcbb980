"""`xorqa train confidence`: train the confidence of answers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Wait
from ....cli.show import console, print_grid, progress, waiting_if
from ....tables.grid import Grid
from ..confidence.card import HEADER, shown_row
from ..confidence.recipe import ConfidenceRecipe
from ..confidence.train import CARD, WEIGHTS, train_confidence


def confidence(
    config: Annotated[
        str, Argument(help="A recipe's name (confidence) or a file (my.toml).")
    ] = "confidence",
    out: Annotated[
        Path | None,
        Option(help="Folder of the weights and their index; without it, show the input files."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        Option("--set", help="Change a setting: reader=FILE, seed=2; repeatable."),
    ] = None,
    wait: Wait = False,
) -> None:
    """Train the confidence of `xorqa ask`, and choose its default threshold.

    Each question of the recipe is asked with and without its answer in the corpus. Half of the
    articles are used to train, the other half to measure.

    Example: xorqa train confidence --set reader=training/reader.safetensors --out training/c
    """
    recipe = ConfidenceRecipe.load(config, changes or ())
    if out is None:
        print_grid(_inputs(recipe))
        console.print("Nothing was trained; give a folder with --out.")
        return
    with waiting_if(wait), progress() as report:
        model = train_confidence(recipe, out, progress=report)
    print_grid(_measures(model.card["measures"]))
    console.print(f"threshold: {model.threshold:.3f}")
    console.print(f"weights: {out / WEIGHTS}; card: {out / CARD}", soft_wrap=True)


def _inputs(recipe: ConfidenceRecipe) -> Grid:
    """The files that the recipe reads."""
    rows = tuple((file, state) for file, state in recipe.inputs().items())
    return Grid("inputs", ("file", "state"), (rows,), labels=2)


def _measures(tables: Mapping[str, Mapping[str, float | None]]) -> Grid:
    rows = tuple((name, *shown_row(values)) for name, values in tables.items())
    caption = (
        "Articles that were not trained on. Answered wrongly: unanswerable questions that are "
        "answered at the threshold. Kept: right answers that are still given."
    )
    return Grid("confidence", ("part", *HEADER), (rows,), caption)
