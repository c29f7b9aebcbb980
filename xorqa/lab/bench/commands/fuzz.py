"""`xorqa bench fuzz`: damaged files."""

from functools import partial
from typing import Annotated

import typer
from typer import Option

from ....cli.options import JsonFile
from ....cli.show import print_grid, print_line, progress
from ....io.files import write_json
from ..fuzz import measure


def fuzz(
    context: typer.Context,
    inputs: Annotated[int, Option(min=1, help="Number of damaged files.")] = 10_000,
    seed: Annotated[int, Option(min=0, help="The same seed gives the same damage.")] = 1,
    only: Annotated[
        str, Option(help="Only readers and commands whose names contain this: 'build qa'.")
    ] = "",
    json_file: JsonFile = None,
) -> None:
    """Feed damaged files to every reader and command; each must reject them with a one-line error.

    A traceback, a call that does not end, a value of the wrong type and a partial output file are
    failures. The exit status is 1 if there are any.

    Example: xorqa bench fuzz --inputs 10000 --seed 7
    """
    root = context.find_root().command
    with progress() as bars:
        report = partial(bars, "damaged files")
        outcomes = measure.fuzz(root, inputs=inputs, seed=seed, only=only, progress=report)
    failures = measure.failures(outcomes)
    if json_file:
        counts = {name: measure.counts(each) for name, each in outcomes.items()}
        write_json(json_file, {"seed": seed, "readers": counts, "failures": failures})
    print_grid(measure.grid(outcomes, seed=seed))
    for line in failures:
        print_line(line)
    if failures:
        raise typer.Exit(1)
