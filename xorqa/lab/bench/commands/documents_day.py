"""`xorqa bench documents-day`: questions over documentation that Debian packages ship."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from ....cli.options import JsonFile, configs
from ....cli.show import print_grid, progress
from ....experiments.settings import DEFAULT
from ....io.files import write_json
from ..documents_day import measure as benchmark


def documents_day(
    folder: Annotated[
        Path, Argument(help="The folder where packages put their documentation.")
    ] = Path("/usr/share/doc"),
    half: Annotated[
        Literal["choose", "report"], Option(help="Choose settings on one, report the other.")
    ] = "report",
    config: Annotated[
        str, Option(help="An example config or a TOML file.", autocompletion=configs)
    ] = DEFAULT,
    json_file: JsonFile = None,
) -> None:
    """Ask questions over packages' documentation: right, wrong, refused, and hits beside BM25's.

    75 questions in 20 languages, in two halves, about Exim's specification in English, and about
    manuals of aptitude and Apache in eleven languages: default values, limits, paths, names. 15 of
    them have no answer there. Needs Debian's packages exim4-doc-html, apache2-doc and
    aptitude-doc-LANG (cs, en, es, fi, fr, it, ja, ru), installed or unpacked.

    Example: xorqa bench documents-day /usr/share/doc --half choose --config hybrid
    """
    with progress() as report:
        figures = benchmark.measure(folder, half=half, config=config, progress=report)
    if json_file:
        write_json(json_file, figures)
    print_grid(benchmark.grid(figures))
