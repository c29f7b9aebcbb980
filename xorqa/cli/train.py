"""`xorqa train`: weights from a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..training.reader import train_reader
from ..training.recipe import load_recipe
from .show import console

app = typer.Typer(no_args_is_help=True)


@app.callback()
def recipes() -> None:
    """Train weights from a recipe; killed, the same command goes on where it was."""


@app.command()
def reader(
    config: Annotated[str, typer.Argument(help="A recipe's name (reader-en) or a file (my.toml).")],
    out: Annotated[Path, typer.Option(help="Checkpoints, curve and the finished adapter.")],
) -> None:
    """Train a span reader on SQuAD-style files.

    Example: xorqa train reader reader-en --out training/reader-en
    """
    path = train_reader(load_recipe(config), out, report=console.print)
    console.print(f"adapter: {path}", soft_wrap=True)
