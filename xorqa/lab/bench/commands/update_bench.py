"""`xorqa bench update`: update indexes, against rebuilding them."""

from typing import Annotated

from typer import Option

from ....cli.options import JsonFile, datasets
from ....cli.show import print_grid, progress
from ....io.files import write_json
from ....retrieval.vectors.kinds import KINDS, check_kind
from ...common.machine import cpu_name
from .. import update as benchmark


def update(
    data: Annotated[
        str, Option(help="The data set with English passages.", autocompletion=datasets)
    ] = "mini",
    added: Annotated[int, Option(min=1, help="Passages to add.")] = 20,
    replaced: Annotated[int, Option(min=1, help="Passages to replace.")] = 8,
    deleted: Annotated[int, Option(min=0, help="Passages to delete.")] = 4,
    kind: Annotated[
        list[str] | None, Option(help="Kinds of dense index; repeatable; default all.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Update the indexes of a data set's English passages, and compare them with rebuilt ones.

    The vectors of unchanged passages are those of the data set's dense index, which is built first
    if it does not exist. Needs the extra `lucene`.

    Example: xorqa bench update --kind sq8
    """
    for name in kind or ():
        check_kind(name)
    with progress() as report:
        measured = benchmark.measure(
            data,
            kind or list(KINDS),
            added=added,
            replaced=replaced,
            deleted=deleted,
            progress=report,
        )
    figures = {"cpu": cpu_name(), **measured}
    if json_file:
        write_json(json_file, figures)
    print_grid(benchmark.grid(figures))
