"""`xorqa train READER|ENCODER|TRANSLATOR`: train weights from a recipe."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import ConfigError
from ...core.quantity import quantity
from ...models.adapters import open_adapter
from ...training.average import average_encoders, average_readers
from ...training.biencoder.recipe import BiencoderRecipe
from ...training.history import KINDS, ONE_STAGE, read_history
from ...training.reader.recipe import ReaderRecipe
from ...training.repeat import repeat_history, train_once
from ...training.translator.data import read_data, write_held_out
from ...training.translator.recipe import TranslatorRecipe
from ..completion import recipes as recipe_names
from ..options import Wait
from ..show import console, print_grid, waiting_if

Config = Annotated[
    str,
    typer.Argument(
        help="A recipe's name (reader-en, encoder-lareqa) or a file (my.toml).",
        autocompletion=recipe_names,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(help="Folder of checkpoints, curves and weights; without it, show the plan."),
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", help="Train without stages, with schedule.learning_rate=1e-4."),
]
Stage = Annotated[str | None, typer.Option(help="Stop after this stage of the recipe.")]


def reader(
    config: Config,
    out: Out = None,
    changes: Changes = None,
    stage: Stage = None,
    wait: Wait = False,
) -> None:
    """Train a span reader on SQuAD-style files, in all stages of its recipe.

    Example: xorqa train reader reader-en --out training/reader-en
    """
    with waiting_if(wait):
        _train("reader", config, out, changes, stage)


def ranker(
    config: Config,
    out: Out = None,
    changes: Changes = None,
    stage: Stage = None,
    wait: Wait = False,
) -> None:
    """Train a ranker of passages on SQuAD-style files, from a reader.

    Example: xorqa train ranker ranker-questions --out training/ranker-questions
    """
    with waiting_if(wait):
        _train("ranker", config, out, changes, stage)


def average(
    config: Config,
    adapters: Annotated[list[str], typer.Argument(help="Names or files of two or more adapters.")],
    out: Annotated[Path, typer.Option(help="The folder for the mean and its card.")],
) -> None:
    """Average the weights of readers or encoders; the recipe gives the validation questions.

    Example: xorqa train average reader-multi r2/reader.safetensors r3/reader.safetensors --out mean
    """
    if open_adapter(adapters[0]).task == "encoder":
        path = average_encoders(BiencoderRecipe.load(config), adapters, out)
    else:
        path = average_readers(ReaderRecipe.load(config), adapters, out)
    console.print(f"adapter: {path}", soft_wrap=True)


def biencoder(
    config: Config,
    out: Out = None,
    changes: Changes = None,
    stage: Stage = None,
    wait: Wait = False,
) -> None:
    """Train the encoder of dense retrieval on questions and sentence pairs.

    Example: xorqa train biencoder encoder-lareqa --set seed=2 --out training/encoder-x-x
    """
    with waiting_if(wait):
        _train("biencoder", config, out, changes, stage)


def query_encoder(
    config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
) -> None:
    """Train the query encoder of dense retrieval; existing indexes stay valid.

    Example: xorqa train query-encoder encoder-queries --out training/encoder-queries
    """
    with waiting_if(wait):
        _train("query_encoder", config, out, changes, None)


def translator(
    config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
) -> None:
    """Train a translator of questions into English on sentence pairs.

    Example: xorqa train translator translator --out training/translator
    """
    with waiting_if(wait):
        _train("translator", config, out, changes, None)


def transliterator(
    config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
) -> None:
    """Train a transliterator of English names on name pairs.

    Example: xorqa train transliterator transliterator --out training/transliterator
    """
    with waiting_if(wait):
        _train("transliterator", config, out, changes, None)


def document_head(
    config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
) -> None:
    """Train a head for documents with titles and bodies on a frozen encoder.

    Example: xorqa train document-head documents-triplet --out training/triplet
    """
    with waiting_if(wait):
        _train("document_head", config, out, changes, None)


def image_encoder(
    config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
) -> None:
    """Train a small image encoder on pairs of drawings of the same thing.

    Example: xorqa train image-encoder image-encoder --out training/image-encoder
    """
    with waiting_if(wait):
        _train("image_encoder", config, out, changes, None)


def held_out(
    config: Annotated[str, typer.Argument(help="A translator's recipe: a name or a file.")],
    out: Annotated[Path, typer.Option(help="The TSV of pairs to write.")],
) -> None:
    """Write the pairs that a translator's recipe holds out for evaluation.

    Example: xorqa train held-out translator --out held-out.tsv
    """
    recipe = TranslatorRecipe.load(config)
    data = read_data(recipe.sources, recipe.exclude, targets=recipe.targets)
    write_held_out(data, out)
    console.print(f"{quantity(len(data.held_out), 'pair')}: {out}", soft_wrap=True)


def _train(
    kind: str, config: str, out: Path | None, changes: list[str] | None, stage: str | None
) -> None:
    """Train a recipe in `out`, or show its stages and inputs."""
    if changes and stage:
        raise ConfigError("use --set or --stage, not both: --set trains once, without stages")
    history = read_history(config, kind)
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
        paths = train_once(KINDS[kind].load(config, changes or ()), out, report=console.print)
    for path in paths:
        label = kind.replace("_", "-") if kind in ONE_STAGE else "adapter"
        console.print(f"{label}: {path}", soft_wrap=True)
