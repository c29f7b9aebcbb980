"""`xorqa train chooser|no-answer|confidence|name-thresholds`: fit small models to others."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Trust, Wait
from ....cli.show import console, print_grid, progress, waiting_if
from ....tables.grid import Grid
from ..chooser.train import train_chooser
from ..common.recipe import SquadSource
from ..common.training_data import located
from ..confidence.card import HEADER, shown_row
from ..confidence.recipe import ConfidenceRecipe
from ..confidence.train import CARD, WEIGHTS, train_confidence
from ..reader.no_answer import fit_no_answer
from ..transliterator.thresholds import refit_thresholds


def chooser(
    runs: Annotated[list[Path], Argument(help="Run folders over training questions.")],
    out: Annotated[Path, Option(help="The JSON file for the weights and their card.")],
    trust: Trust = False,
) -> None:
    """Train the learned chooser on the saved answers of runs, in seconds.

    Example: xorqa train chooser runs/hybrid-chooser-train --out training/chooser.json
    """
    card = train_chooser(runs, out, trust=trust).card
    print_grid(_choices(card["choices"]))
    before, after = (card["calibration"][f"error_{when}"] for when in ("before", "after"))
    console.print(f"calibration error: {before:.3f}, after calibration {after:.3f}")
    console.print(f"weights: {out}", soft_wrap=True)


def no_answer(
    adapter: Annotated[str, Argument(help="A bundled reader's name, or a file of weights.")],
    file: Annotated[
        list[str] | None,
        Option(help="SQuAD-style training data, as a recipe names them; repeatable."),
    ] = None,
    held_out: Annotated[
        float, Option(min=0, max=1, help="Share of articles not used to train the reader.")
    ] = 0.05,
    questions: Annotated[int, Option(min=1, help="Questions to sample from them.")] = 300,
    passages: Annotated[int, Option(min=1, help="Passages retrieved per question.")] = 5,
    seed: Annotated[int, Option(min=0, help="The random seed of the sample.")] = 1,
    out: Annotated[
        Path | None, Option(help="The JSON file; default: the .card.json beside the weights.")
    ] = None,
) -> None:
    """Fit the probability below which a reader's passages count as having no answer.

    The choosers' rule uses it: rule,prefer=target,no_answer=READER.

    Example: xorqa train no-answer training/reader/reader.safetensors --file squad/train-v1.1.json
    """
    files = located(file or ["squad/train-v1.1.json"], Path.cwd())
    path = fit_no_answer(
        adapter,
        SquadSource(files, held_out=held_out, first_offsets=True),
        questions=questions,
        passages=passages,
        seed=seed,
        out=out,
        report=console.print,
    )
    console.print(f"threshold: {path}", soft_wrap=True)


def name_thresholds(
    weights: Annotated[str, Argument(help="A transliterator, shipped or a file.")],
    names: Annotated[list[Path], Option(help="TSV of name pairs to fit on; repeatable.")],
    out: Annotated[Path, Option(help="The transliterator.safetensors to write.")],
    trained: Annotated[
        list[Path] | None,
        Option(help="TSV of the name pairs trained on, which are left out; repeatable."),
    ] = None,
) -> None:
    """Refit the probabilities from which a transliterator is preferred to the rules.

    Example: xorqa train name-thresholds FILE --names questions.tsv --trained names.tsv --out NEW
    """
    scores = refit_thresholds(weights, names, out, trained=trained or ())
    header = ("lang", *next(iter(scores.values())))
    rows = tuple(
        (lang, *(f"{value:.4g}" for value in of_lang.values())) for lang, of_lang in scores.items()
    )
    print_grid(Grid("names", header, (rows,)))
    console.print(f"transliterator: {out}", soft_wrap=True)


def _choices(choices: Mapping[str, Mapping[str, float]]) -> Grid:
    """Mean F1 of the chosen answers, by part of the data."""
    ways = list(next(iter(choices.values())))
    rows = tuple((part, *(f"{f1[way]:.1f}" for way in ways)) for part, f1 in choices.items())
    caption = "Mean F1 in percent, English answers against English golds; learned: held-out folds."
    return Grid("choices", ("part", *ways), (rows,), caption)


def confidence(
    config: Annotated[
        str, Argument(help="A recipe's name (confidence) or a file (my.toml).")
    ] = "confidence",
    out: Annotated[
        Path | None,
        Option(help="Folder of the weights and their index; without it, show the input files."),
    ] = None,
    changes: Annotated[
        list[str] | None, Option("--set", help="Change a setting: reader=FILE, seed=2; repeatable.")
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
