"""`xorqa train`: weights from a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ..models.adapters import open_adapter
from ..tables.grid import Grid
from ..training.average import average_encoders, average_readers
from ..training.biencoder.recipe import load_recipe as load_biencoder_recipe
from ..training.biencoder.train import train_biencoder
from ..training.bitext.corpus import FATES, gather_pairs, read_pairs
from ..training.bitext.lexicon import make_lexicon, write_lexicon
from ..training.chooser.train import train_chooser
from ..training.common.decontamination import read_excluded
from ..training.reader.recipe import load_recipe
from ..training.reader.train import train_reader
from ..training.translator.data import read_data, write_held_out
from ..training.translator.recipe import load_recipe as load_translator_recipe
from ..training.translator.train import train_translator
from .show import Trust, console, print_grid

app = typer.Typer(no_args_is_help=True)

Config = Annotated[
    str, typer.Argument(help="A recipe's name (reader-en, encoder-lareqa) or a file (my.toml).")
]
Out = Annotated[Path, typer.Option(help="Checkpoints, curve and the finished adapter.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", help="Change a setting: schedule.learning_rate=1e-4")
]


@app.callback()
def recipes() -> None:
    """Train weights from a recipe; killed, the same command goes on where it was."""


@app.command()
def reader(config: Config, out: Out, changes: Changes = None) -> None:
    """Train a span reader on SQuAD-style files.

    Example: xorqa train reader reader-en --out training/reader-en
    """
    path = train_reader(load_recipe(config, changes or ()), out, report=console.print)
    console.print(f"adapter: {path}", soft_wrap=True)


@app.command()
def average(
    config: Config,
    adapters: Annotated[list[str], typer.Argument(help="Names or files of two or more.")],
    out: Annotated[Path, typer.Option(help="The folder of the mean and its card.")],
) -> None:
    """Make one reader of several, or one encoder: the mean of their weights, judged by a recipe.

    Example: xorqa train average reader-multi r2/reader.safetensors r3/reader.safetensors --out mean
    """
    if open_adapter(adapters[0]).task == "encoder":
        path = average_encoders(load_biencoder_recipe(config), adapters, out)
    else:
        path = average_readers(load_recipe(config), adapters, out)
    console.print(f"adapter: {path}", soft_wrap=True)


@app.command()
def biencoder(config: Config, out: Out, changes: Changes = None) -> None:
    """Train the encoder of dense retrieval on questions and sentence pairs.

    Example: xorqa train biencoder encoder-lareqa --set seed=2 --out training/encoder-x-x
    """
    recipe = load_biencoder_recipe(config, changes or ())
    for path in train_biencoder(recipe, out, report=console.print):
        console.print(f"adapter: {path}", soft_wrap=True)


@app.command()
def translator(config: Config, out: Out, changes: Changes = None) -> None:
    """Train a translator of questions into English on sentence pairs.

    Example: xorqa train translator translator --out training/translator
    """
    recipe = load_translator_recipe(config, changes or ())
    path = train_translator(recipe, out, report=console.print)
    console.print(f"translator: {path}", soft_wrap=True)


@app.command()
def held_out(
    config: Annotated[str, typer.Argument(help="A translator's recipe: a name or a file.")],
    out: Annotated[Path, typer.Option(help="The TSV of pairs to write.")],
) -> None:
    """Write the pairs that a translator's recipe keeps for evaluation.

    Example: xorqa train held-out translator --out held-out.tsv
    """
    recipe = load_translator_recipe(config)
    data = read_data(recipe.sources, recipe.exclude)
    write_held_out(data, out)
    console.print(f"{len(data.held_out)} pairs: {out}", soft_wrap=True)


@app.command()
def chooser(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs over training questions.")],
    out: Annotated[Path, typer.Option(help="The JSON file of the weights, with their card.")],
    trust: Trust = False,
) -> None:
    """Train the choice of answers on what runs read; seconds, as nothing is read again.

    Example: xorqa train chooser runs/hybrid-chooser-train --out training/chooser.json
    """
    card = train_chooser(runs, out, trust=trust).card
    print_grid(_choices(card["choices"]))
    before, after = (card["calibration"][f"error_{when}"] for when in ("before", "after"))
    console.print(f"calibration error: {before:.3f}, after calibration {after:.3f}")
    console.print(f"weights: {out}", soft_wrap=True)


@app.command()
def parallel(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="train.ja beside train.en, fin.txt, questions.mkqa-ja.jsonl, recorded "
            "translations, wheels that have message catalogues, or folders of help pages: "
            "help/de beside help/en-US."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The TSV to write; its counts go to .json beside it.")],
    exclude: Annotated[
        list[Path] | None,
        typer.Option(help="A file, or a folder's files, of sentences or questions to keep out."),
    ] = None,
    lang: Annotated[str, typer.Option(help="Languages beside English: de,hi; default: all.")] = "",
    with_others: Annotated[
        bool, typer.Option(help="Also pair texts of others that share an English one.")
    ] = False,
) -> None:
    """Gather sentence pairs that a bi-encoder may be trained on, without test sentences.

    Example: xorqa train parallel enja/train.ja manythings/*.txt --exclude tatoeba --out pairs.tsv
    """
    given = (sorted(path.iterdir()) if path.is_dir() else [path] for path in exclude or ())
    excluded = read_excluded(file for some in given for file in some)
    table = Table("file", *FATES)
    langs = lang.split(",") if lang else ()
    counts = gather_pairs(files, out, excluded=excluded, langs=langs, with_others=with_others)
    for name, count in counts.items():
        table.add_row(name, *(str(count[fate]) for fate in FATES))
    console.print(table)
    console.print(f"pairs: {out}", soft_wrap=True)


@app.command()
def lexicon(
    pairs: Annotated[list[Path], typer.Argument(help="TSV of `xorqa train parallel`.")],
    out: Annotated[Path, typer.Option(help="The TSV: language, English word, translation.")],
) -> None:
    """Find words and their translations in sentence pairs, for readers that switch languages.

    Example: xorqa train lexicon pairs.tsv --out lexicon.tsv
    """
    found = make_lexicon(read_pairs(pairs))
    write_lexicon(out, found)
    counted = ", ".join(f"{lang} {len(words)}" for lang, words in found.items())
    console.print(f"{counted}: {out}", soft_wrap=True)


def _choices(choices: Mapping[str, Mapping[str, float]]) -> Grid:
    """Mean F1 of what was chosen, by part of the data."""
    ways = list(next(iter(choices.values())))
    rows = tuple((part, *(f"{found[way]:.1f}" for way in ways)) for part, found in choices.items())
    caption = "Mean F1 in percent, English answers against English golds; learned: held-out folds."
    return Grid("choices", ("part", *ways), (rows,), caption)
