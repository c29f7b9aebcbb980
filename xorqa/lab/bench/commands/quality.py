"""`xorqa bench quality`: the curve of F1 against milliseconds."""

from typing import Annotated

import typer
from typer import Argument, Option

from ....cli.options import JsonFile, Langs, Sample, configs, datasets, split_langs
from ....cli.show import errors, print_grid, print_line, progress
from ....datasets.catalog import load_dataset
from ....experiments.pipeline import Stop
from ....experiments.settings import load_settings, only_routes
from .. import quality as benchmark


def quality(
    names: Annotated[
        list[str] | None,
        Argument(
            metavar="CONFIG...",
            help="Example configs or TOML files; by default those whose models are shipped.",
            autocompletion=configs,
        ),
    ] = None,
    data: Annotated[
        str, Option(help="The data set with questions and passages.", autocompletion=datasets)
    ] = "mini",
    lang: Langs = None,
    sample: Sample = None,
    routes: Annotated[
        str | None, Option(help="Only these routes: eng (W_eng), target (W_i).")
    ] = None,
    until: Annotated[
        Stop, Option(help="read scores the English span, full the answer in the asker's language.")
    ] = Stop.FULL,
    json_file: JsonFile = None,
) -> None:
    """Answer the same questions with several configs: F1 against milliseconds per question.

    Nothing is cached, and each config answers an untimed question per language first. A config
    that cannot run here (an extra, weights or a cluster that is missing) is skipped with its
    reason. With --json, each config is kept when it is done, so an interrupted call resumes.

    Examples: xorqa bench quality --sample 6
    xorqa bench quality dense mine.toml --routes eng --until read --json curve.json
    """
    if until is Stop.RETRIEVE:
        raise typer.BadParameter("without reading there is no F1; use read or full")
    settings = {name: load_settings(name) for name in names or benchmark.SHIPPED}
    if routes is not None:
        only = routes.split(",")
        settings = {name: only_routes(config, only) for name, config in settings.items()}
    dataset = load_dataset(data)
    dataset = dataset.only(langs) if (langs := split_langs(lang)) else dataset
    dataset = dataset if sample is None else dataset.sample(sample)
    with progress() as report:
        figures = benchmark.measure(settings, dataset, until=until, kept=json_file, progress=report)
    print_grid(benchmark.grid(figures))
    for line in benchmark.lines(figures):
        print_line(line, errors)
