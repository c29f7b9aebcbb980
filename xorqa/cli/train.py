"""`xorqa train`: weights from a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ..training.biencoder.parallel import FATES, prepare
from ..training.biencoder.recipe import load_recipe as load_biencoder_recipe
from ..training.biencoder.train import train_biencoder
from ..training.exclusions import read_excluded
from ..training.reader import train_reader
from ..training.recipe import load_recipe
from .show import console

app = typer.Typer(no_args_is_help=True)

Config = Annotated[
    str, typer.Argument(help="A recipe's name (reader-en, encoder-x-x) or a file (my.toml).")
]
Out = Annotated[Path, typer.Option(help="Checkpoints, curve and the finished adapter.")]


@app.callback()
def recipes() -> None:
    """Train weights from a recipe; killed, the same command goes on where it was."""


@app.command()
def reader(config: Config, out: Out) -> None:
    """Train a span reader on SQuAD-style files.

    Example: xorqa train reader reader-en --out training/reader-en
    """
    path = train_reader(load_recipe(config), out, report=console.print)
    console.print(f"adapter: {path}", soft_wrap=True)


@app.command()
def biencoder(config: Config, out: Out) -> None:
    """Train the encoder of dense retrieval on questions and sentence pairs.

    Example: xorqa train biencoder encoder-x-x --out training/encoder-x-x
    """
    for path in train_biencoder(load_biencoder_recipe(config), out, report=console.print):
        console.print(f"adapter: {path}", soft_wrap=True)


@app.command()
def parallel(
    files: Annotated[
        list[Path],
        typer.Argument(help="train.ja beside train.en, fin.txt, questions.mkqa-ja.jsonl"),
    ],
    out: Annotated[Path, typer.Option(help="The TSV to write; its counts go to .json beside it.")],
    exclude: Annotated[
        list[Path] | None,
        typer.Option(help="A file, or a folder's files, of sentences or questions to keep out."),
    ] = None,
) -> None:
    """Gather sentence pairs that a bi-encoder may be trained on, without test sentences.

    Example: xorqa train parallel enja/train.ja manythings/*.txt --exclude tatoeba --out pairs.tsv
    """
    given = (sorted(path.iterdir()) if path.is_dir() else [path] for path in exclude or ())
    excluded = read_excluded(file for some in given for file in some)
    table = Table("file", *FATES)
    for name, count in prepare(files, out, excluded=excluded).items():
        table.add_row(name, *(str(count[fate]) for fate in FATES))
    console.print(table)
    console.print(f"pairs: {out}", soft_wrap=True)
