"""`xorqa run`: one experiment over one data set, into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import ConfigError
from ..core.lang import language
from ..datasets.catalog import load_dataset
from ..datasets.corpus import Corpus, read_corpus
from ..datasets.dataset import Dataset
from ..datasets.subsets import DEFINITIONS, retrieval_difficulty
from ..experiments.pipeline import Stop
from ..experiments.run import FAILURES
from ..experiments.run import run as run_experiment
from ..experiments.settings import load_settings, only_routes
from ..io.files import read_jsonl
from ..io.trec import read_runs
from ..metrics.report import Report
from ..metrics.task import ScorerName
from ..tables.grid import score_grid
from .show import Format, aside, print_grid, progress


def run(
    config: Annotated[str, typer.Argument(help="An example's name (dense) or a file (my.toml).")],
    data: Annotated[str, typer.Option(help="A data set: see `xorqa data list`.")] = "mini",
    until: Annotated[Stop, typer.Option(help="How far to go.")] = Stop.FULL,
    out: Annotated[Path | None, typer.Option(help="The run's folder [runs/CONFIG-DATA].")] = None,
    languages: Annotated[
        str | None, typer.Option("--lang", help="Only these question languages: ko,te")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="At most so many questions a language, by their ids.")
    ] = None,
    routes: Annotated[
        str | None, typer.Option(help="Only these of the config's routes: eng (W_eng), own (W_i).")
    ] = None,
    corpus: Annotated[
        list[str] | None, typer.Option(help="Your own passages for a language: te=wiki.te.jsonl")
    ] = None,
    levels: Annotated[
        Path | None,
        typer.Option(help="A run of the config lucene: part easy questions from hard ones by it."),
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting: reader.passages=3")
    ] = None,
    indexes: Annotated[Path | None, typer.Option(help="Where indexes stand.")] = None,
    scorer: Annotated[ScorerName, typer.Option(help="Whose scores are printed.")] = "official",
    format: Format = "terminal",
) -> None:
    """Run an experiment and print its scores; killed, it goes on where it was.

    Examples: xorqa run dense --data xquad-open --until read --out runs/dense
    xorqa run full --data xquad-mixed --routes eng --lang ar,ru
    """
    settings = load_settings(config, changes=changes or [])
    if routes is not None:
        settings = only_routes(settings, routes.split(","))
    dataset = _dataset(data, languages, sample, corpus or [])
    level_of = _levels(dataset, levels) if levels else {}
    out = out or Path("runs") / f"{settings.name}-{data.replace(':', '.')}"
    with progress() as tell:
        reports = run_experiment(
            settings, dataset, out, until=until, indexes=indexes, levels=level_of, progress=tell
        )
    for (task, name), report in reports.items():
        if name == scorer or (not reports[task, scorer].macro):
            print_grid(score_grid(task, {settings.name: report}), format)
            print()
            if report.subsets:
                _print_parts(task, report, format)
    failures = out / FAILURES
    if failures.exists():
        aside(
            format,
            f"questions were searched untranslated, {failures} says which and why; "
            "run again to try them again",
        )
    aside(format, f"run folder: {out}")


def _levels(dataset: Dataset, folder: Path) -> dict[str, str]:
    """Easy or hard, of the questions that the run in `folder` asked."""
    asked = {row["qid"] for _, row in read_jsonl(folder / "queries.jsonl")}
    part = replace(dataset, examples=tuple(e for e in dataset.examples if e.question.qid in asked))
    return retrieval_difficulty(part, read_runs(folder / "run.trec").values())


def _dataset(name: str, languages: str | None, sample: int | None, given: Sequence[str]) -> Dataset:
    """The data set, or a part of it, with the user's own passages in place of its own."""
    dataset = load_dataset(name)
    dataset = replace(dataset, corpora={**dataset.corpora, **dict(map(corpus_in, given))})
    if not dataset.corpora:
        raise ConfigError(
            f"data set {name} comes without passages; give yours: --corpus en=FILE --corpus te=FILE"
        )
    if languages is not None:
        dataset = dataset.only(languages.split(","))
    return dataset if sample is None else dataset.sample(sample)


def corpus_in(given: str) -> tuple[str, Corpus]:
    """`te=wiki.te.jsonl` as a language and its passages.

    Raises:
        ConfigError: for an unknown language, or if none is named.
        DataError: if the file cannot be read.
    """
    code, equals, path = given.partition("=")
    if not equals:
        raise ConfigError(f"--corpus needs LANGUAGE=FILE, such as te=wiki.te.jsonl, not '{given}'")
    return language(code).code, read_corpus(Path(path), lang=code)


def _print_parts(task: str, report: Report, format: str) -> None:
    """The scores of each part, with the number of questions in every cell."""
    grid = score_grid(f"{task}, by part", report.subsets, first="part", counts=True)
    caption = " ".join([grid.caption, *(DEFINITIONS[name] for name in report.subsets)])
    print_grid(replace(grid, caption=caption), format)
    print()
