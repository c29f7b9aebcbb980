"""`xorqa data synthetic`: training questions about invented contexts that need a comparison."""

from pathlib import Path
from typing import Annotated

import typer

from ....cli.show import console, print_grid
from ....tables.grid import Grid
from ..reader.synthetic.make import write_questions


def synthetic(
    out: Annotated[Path, typer.Option(help="The SQuAD-style JSON to write.")],
    count: Annotated[int, typer.Option(min=1, help="Questions; each context has two.")] = 12_000,
    seed: Annotated[int, typer.Option(min=0, help="The random seed.")] = 1,
) -> None:
    """Make English questions that need a comparison, to train a reader on.

    Comparisons, degrees, properties, occupations and negation, about invented persons and things.

    Example: xorqa data synthetic --out synthetic.json
    """
    counts = write_questions(out, count=count, seed=seed)
    rows = tuple((kind, str(number)) for kind, number in counts.items())
    print_grid(Grid("questions", ("kind", "questions"), (rows,)))
    console.print(f"questions: {out}", soft_wrap=True)
