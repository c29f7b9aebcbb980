"""`xorqa bench noise`: what annotators' errors do to a data set."""

from typing import Annotated

from typer import Argument, Option

from ....cli.options import JsonFile, configs
from ....cli.show import print_grids, progress
from ....io.files import write_json
from ..noise import measure as benchmark


def noise(
    config: Annotated[
        str,
        Argument(
            help="The pipeline that searches and answers; its routes over English.",
            autocompletion=configs,
        ),
    ] = "bm25",
    errors: Annotated[
        list[int] | None,
        Option(
            "--noise",
            min=0,
            max=100,
            help="The percentage of annotations with an error (0, 5, 10, 20, 40); repeatable.",
        ),
    ] = None,
    annotators: Annotated[
        list[int] | None,
        Option(
            min=2,
            help="Annotators: one writes and translates, the others answer again or verify (2, 3); "
            "repeatable.",
        ),
    ] = None,
    seeds: Annotated[int, Option(min=1, help="Data sets of each kind.")] = benchmark.SEEDS,
    json_file: JsonFile = None,
) -> None:
    """Build data sets with simulated annotators, and count the wrong answers that are left.

    Makes the rounds of `xorqa build qa` and `xorqa build xor` over the bundled world's questions
    that English passages answer. A pipeline answers them once; its F1 is measured on each data set.

    Example: xorqa bench noise --noise 10 --annotators 2 --annotators 3 --annotators 5
    """
    with progress() as report:
        measured = benchmark.measure(
            config,
            noise=errors or benchmark.NOISE,
            annotators=annotators or benchmark.ANNOTATORS,
            seeds=seeds,
            progress=report,
        )
    if json_file:
        write_json(json_file, measured)
    print_grids(benchmark.grids(measured))
