"""`xorqa bench first-day`: own documents and questions, from an empty home."""

import sys
from typing import Annotated

from typer import Option

from ....cli.options import JsonFile
from ....cli.show import print_grid, progress
from ....core.errors import ConfigError
from ....io.files import data_dir, write_json
from ...common.machine import cpu_name
from .. import first_day as benchmark


def first_day(
    passages: Annotated[int, Option(min=30, help="Passages in total, in three languages.")] = 3000,
    questions: Annotated[
        int, Option(min=1, help="Answerable questions, and as many unanswerable ones.")
    ] = 20,
    json_file: JsonFile = None,
) -> None:
    """Time a first day with own documents: index, interrupt, resume, ask, refuse.

    Runs `xorqa ask` in processes of their own with an empty home. Reads the fetched training sets
    of TyDi GoldP and JaQuAD; the questions are from articles that training held out.

    Example: xorqa bench first-day --passages 90 --questions 3
    """
    if sys.platform == "win32":
        raise ConfigError("bench first-day needs a terminal of Linux or macOS")
    with progress() as report:
        measured = benchmark.measure(
            data_dir(), passages=passages, questions=questions, progress=report
        )
    figures = {"cpu": cpu_name(), **measured}
    if json_file:
        write_json(json_file, figures)
    print_grid(benchmark.grid(figures))
