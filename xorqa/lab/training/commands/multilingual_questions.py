"""`xorqa data multilingual-questions`: bundled training questions over English paragraphs."""

from pathlib import Path
from typing import Annotated

import typer

from ....cli.show import console, print_grid
from ....core.errors import DataError
from ....io.files import data_dir
from ....tables.grid import Grid
from ..multilingual_questions.questions import write_multilingual_questions

SQUAD = "squad/train-v1.1.json"
NAME = "multilingual-questions"


def multilingual_questions(
    out: Annotated[
        Path | None,
        typer.Option(help=f"The folder to write; default: {NAME} in the data folder."),
    ] = None,
    squad: Annotated[
        Path | None, typer.Option(help="SQuAD v1.1's training file; default: the fetched one.")
    ] = None,
) -> None:
    """Write training questions in 17 languages over English paragraphs of SQuAD's training set.

    Pairs with English (pairs.tsv) for encoders and distillation, and a SQuAD-style file per
    language for readers.

    Example: xorqa data fetch squad && xorqa data multilingual-questions
    """
    folder = out or data_dir() / NAME
    path = squad or data_dir() / SQUAD
    if not path.is_file():
        raise DataError(f"{path} is missing; fetch it with: xorqa data fetch squad")
    counts = write_multilingual_questions(path, folder)
    rows = tuple((lang, str(count)) for lang, count in counts.items())
    print_grid(Grid("questions", ("language", "questions"), (rows,)))
    console.print(f"questions: {folder}", soft_wrap=True)
