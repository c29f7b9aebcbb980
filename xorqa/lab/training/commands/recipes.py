"""`xorqa train KIND`: train weights from a recipe, a command for each kind."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Wait
from ....cli.show import console, print_grid, waiting_if
from ....core.errors import ConfigError
from ....core.progress import quantity
from ....models.adapters import open_adapter
from ..average import average_encoders, average_readers, average_translators
from ..biencoder.recipe import BiencoderRecipe
from ..common.kind import find_kind
from ..common.recipe import RECIPES
from ..history import read_history
from ..reader.recipe import ReaderRecipe
from ..repeat import repeat_history, train_once
from ..translator.data import read_data, write_held_out
from ..translator.recipe import TranslatorRecipe


def recipe_names(incomplete: str) -> list[str]:
    """The bundled recipes, for the shell to complete."""
    return [name for name in RECIPES if name.startswith(incomplete)]


Config = Annotated[
    str,
    Argument(
        help="A recipe's name (reader-en, encoder-lareqa) or a file (my.toml).",
        autocompletion=recipe_names,
    ),
]
Out = Annotated[
    Path | None,
    Option(help="Folder of checkpoints, curves and weights; without it, show the plan."),
]
Changes = Annotated[
    list[str] | None,
    Option("--set", help="Train without stages, with schedule.learning_rate=1e-4."),
]
Stage = Annotated[str | None, Option(help="Stop after this stage of the recipe.")]


def command_of(name: str) -> Callable[..., None]:
    """The command that trains a kind."""
    kind = find_kind(name)

    def in_stages(
        config: Config,
        out: Out = None,
        changes: Changes = None,
        stage: Stage = None,
        wait: Wait = False,
    ) -> None:
        with waiting_if(wait):
            _train(name, config, out, changes, stage)

    def in_one_stage(
        config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
    ) -> None:
        with waiting_if(wait):
            _train(name, config, out, changes, None)

    command = in_stages if kind.has_stages else in_one_stage
    example = f"xorqa train {name.replace('_', '-')} {kind.example} --out training/{kind.example}"
    command.__doc__ = f"{kind.about}\n\nExample: {example}"
    return command


def average(
    config: Config,
    adapters: Annotated[list[str], Argument(help="Names or files of two or more adapters.")],
    out: Annotated[Path, Option(help="The folder for the mean and its card.")],
) -> None:
    """Average the weights of readers, encoders or translators.

    The recipe of readers and encoders gives the validation questions.

    Example: xorqa train average reader-multi r2/reader.safetensors r3/reader.safetensors --out mean
    """
    task = open_adapter(adapters[0]).task
    if task == "encoder":
        path = average_encoders(BiencoderRecipe.load(config), adapters, out)
    elif task == "translator":
        path = average_translators(TranslatorRecipe.load(config), adapters, out)
    else:
        path = average_readers(ReaderRecipe.load(config), adapters, out)
    console.print(f"adapter: {path}", soft_wrap=True)


def held_out(
    config: Annotated[str, Argument(help="A translator's recipe: a name or a file.")],
    out: Annotated[Path, Option(help="The TSV of pairs to write.")],
) -> None:
    """Write the pairs that a translator's recipe holds out for evaluation.

    Example: xorqa train held-out translator --out held-out.tsv
    """
    recipe = TranslatorRecipe.load(config)
    data = read_data(recipe.sources, recipe.exclude, targets=recipe.targets)
    write_held_out(data, out)
    console.print(f"{quantity(len(data.held_out), 'pair')}: {out}", soft_wrap=True)


def _train(
    name: str, config: str, out: Path | None, changes: list[str] | None, stage: str | None
) -> None:
    """Train a recipe in `out`, or show its stages and inputs."""
    if changes and stage:
        raise ConfigError("use --set or --stage, not both: --set trains once, without stages")
    kind, history = find_kind(name), read_history(config, name)
    if out is None:
        print_grid(history.describe())
        print_grid(history.describe_inputs())
        console.print("Nothing was trained; give a folder with --out.")
        return
    if history.stages and not changes:
        paths = repeat_history(history, out, until=stage, report=console.print)
    elif stage:
        raise ConfigError(f"{history.config} has no stages; remove --stage")
    else:
        recipe = kind.recipe.load(config, changes or ())
        paths = train_once(name, recipe, out, report=console.print)
    for path in paths:
        label = "adapter" if kind.has_stages else name.replace("_", "-")
        label = "checkpoint" if path.is_dir() else label
        console.print(f"{label}: {path}", soft_wrap=True)
