"""`xorqa run`: run an experiment over a data set."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ..core.errors import ConfigError, DataError
from ..core.progress import quantity
from ..datasets.catalog import load_dataset
from ..datasets.dataset import DEFINITIONS, Dataset, retrieval_difficulty
from ..datasets.user_data import read_corpora, read_questions, user_dataset
from ..experiments.evaluate import MEASURES_KEY
from ..experiments.pipeline import Stop
from ..experiments.run import run as run_experiment
from ..experiments.run_folder import FAILURES, UNREAD, RunFolder
from ..experiments.settings import load_settings, only_routes
from ..io.files import read_json, read_jsonl
from ..metrics.report import Report, proper_subsets
from ..metrics.task import ScorerName
from ..retrieval.recorded import replays_texts
from ..tables.grid import Grid, measures_grids, score_grid, summary_grid
from .options import (
    Changes,
    Indexes,
    Langs,
    Sample,
    Tables,
    Verify,
    Wait,
    configs,
    datasets,
    split_langs,
    with_groups,
)
from .show import progress, waiting_if


@with_groups
def run(
    config: Annotated[
        str, Argument(help="An example config (dense) or a TOML file.", autocompletion=configs)
    ],
    output: Tables,
    data: Annotated[
        str | None,
        Option(
            help="A data set (`xorqa data list`), a folder of your own, or ir_datasets:ID; default "
            "mini.",
            autocompletion=datasets,
        ),
    ] = None,
    questions: Annotated[
        Path | None, Option(help="Your questions as JSONL: id, lang, question, maybe answers.")
    ] = None,
    answer_lang: Annotated[
        str | None, Option(help="The language of the answers in --questions, if not the question's")
    ] = None,
    until: Annotated[Stop, Option(help="The last stage to run.")] = Stop.FULL,
    out: Annotated[Path | None, Option(help="The run folder; default runs/CONFIG-DATA.")] = None,
    lang: Langs = None,
    sample: Sample = None,
    routes: Annotated[
        str | None, Option(help="Only these routes: eng (W_eng), target (W_i).")
    ] = None,
    corpus: Annotated[
        list[str] | None,
        Option(help="Your own passages or documents: te=wiki.te.jsonl, or a file or folder."),
    ] = None,
    levels: Annotated[
        Path | None,
        Option(
            help="What splits easy from hard questions: a run of the config lucene, or a JSON file "
            "of labels by id, such as that of `build xor`."
        ),
    ] = None,
    all_passages: Annotated[
        bool, Option("--all-passages", help="Put all passages into xor_retrieve.json.")
    ] = False,
    measure: Annotated[
        list[str] | None,
        Option(
            help="Also score the rankings, by qrels or gold passages; repeatable, such as nDCG@10."
        ),
    ] = None,
    changes: Changes = None,
    indexes: Indexes = None,
    wait: Wait = False,
    verify: Verify = False,
    scorer: Annotated[ScorerName, Option(help="The scorer of the printed tables.")] = "official",
    full: Annotated[
        bool, Option("--full", help="Print a table per task, and the scores of subsets.")
    ] = False,
) -> None:
    """Run an experiment and print its scores. An interrupted run resumes.

    Examples: xorqa run dense --data xquad-open --until read --out runs/dense
    xorqa run full --data xquad-mixed --routes eng --lang ar,ru
    xorqa run dense --questions mine.jsonl --corpus en=a.jsonl --corpus fi=b.jsonl
    """
    settings = load_settings(config, changes=changes or [])
    if routes is not None:
        settings = only_routes(settings, routes.split(","))
    dataset = _dataset(data, questions, answer_lang, corpus or [])
    dataset = dataset.only(langs) if (langs := split_langs(lang)) else dataset
    dataset = dataset if sample is None else dataset.sample(sample)
    if not dataset.examples:
        raise ConfigError(f"data set {dataset.name} has no questions; add yours: --questions FILE")
    if not dataset.corpora and not any(replays_texts(route.retriever) for route in settings.routes):
        raise ConfigError(
            f"data set {dataset.name} has no passages; add yours: --corpus en=FILE --corpus te=FILE"
        )
    difficulty: Mapping[str, str] = {}
    if levels and levels.is_file():
        difficulty = _read_labels(levels)
    elif levels:
        lucene_run = RunFolder(levels)
        qids = lucene_run.queries()
        examples = tuple(e for e in dataset.examples if e.question.qid in qids)
        rankings = lucene_run.rankings().values()
        difficulty = retrieval_difficulty(replace(dataset, examples=examples), rankings)
    out = out or Path("runs") / f"{settings.name}-{_label(data or 'mini', questions)}"
    with waiting_if(wait), progress() as bars:
        reports = run_experiment(
            settings,
            dataset,
            out,
            until=until,
            indexes=indexes,
            levels=difficulty,
            all_passages=all_passages,
            rankings=measure or (),
            verify=verify,
            progress=bars,
        )
    by_task = {task: report for (task, name), report in reports.items() if name == scorer}
    if not reports and not any(example.golds for example in dataset.examples):
        unscored = "no question has a gold answer or qrels"
        output.aside(f"{unscored}, so nothing is scored; answers: {out}/xor_*")
    if full:
        measured = read_json(out / "scores.json").get(MEASURES_KEY, {})
        grids = [*_full_grids(settings.name, by_task), *measures_grids(measured)]
        output.print_grids(grids)
    elif by_task:
        summary = summary_grid(settings.name, by_task, mark=output.format == "terminal")
        output.print_grid(summary, light=True)
    _print_remarks(out, output, hint="" if full or not by_task else "; --full prints all tables")


def _read_labels(path: Path) -> dict[str, str]:
    """A file of labels by question id. Raises DataError for another layout."""
    labels = read_json(path)
    if not isinstance(labels, dict) or not all(isinstance(label, str) for label in labels.values()):
        raise DataError(f'{path} is not an object of labels by question id: {{"q1": "easy"}}')
    return labels


def _print_remarks(out: Path, output: Tables, *, hint: str) -> None:
    """Print what failed in a run, and where its folder is."""
    if (failures := out / FAILURES).exists():
        searched = "some questions could not be translated and were searched as they are"
        output.aside(f"{searched}, see {failures}; run again to retry")
    if (unread := out / UNREAD).exists():
        count = quantity(sum(1 for _ in read_jsonl(unread)), "question")
        output.aside(f"the reader failed on {count}, see {unread}; run again to retry")
    for route, count in read_json(out / "manifest.json").get("without_passages", {}).items():
        output.aside(f"questions for which route {route} retrieved nothing: {count}")
    output.aside(f"run folder: {out} (answers, scores.json, manifest.json{hint})")


def _dataset(
    data: str | None, questions: Path | None, answer_lang: str | None, options: Sequence[str]
) -> Dataset:
    """The data set; your questions replace its own, your passages replace or add to its corpora."""
    corpora = read_corpora(options)
    if questions is None:
        dataset = load_dataset(data or "mini")
    else:
        if data is None and not corpora:
            raise ConfigError(
                "--questions needs passages: --corpus en=FILE --corpus fi=FILE, or those of a data "
                "set: --data NAME"
            )
        examples = read_questions(questions, answer_lang=answer_lang)
        dataset = user_dataset(questions.name, examples, load_dataset(data).corpora if data else {})
    return replace(dataset, corpora={**dataset.corpora, **corpora})


def _label(data: str, questions: Path | None) -> str:
    """The name of the data in the default run folder."""
    if questions is not None:
        return questions.stem
    return Path(data).resolve().name if Path(data).is_dir() else re.sub("[:/]", ".", data)


def _full_grids(name: str, by_task: Mapping[str, Report]) -> list[Grid]:
    """A table per task, each followed by one of its subsets."""
    grids = []
    for task, report in by_task.items():
        grids.append(score_grid(task, {name: report}))
        if subsets := proper_subsets(report):
            grid = score_grid(f"{task}, by subset", subsets, first="subset", counts=True)
            about = "n: the number of questions."
            caption = " ".join(
                [grid.caption, about, *(DEFINITIONS.get(name, "") for name in subsets)]
            )
            grids.append(replace(grid, caption=caption))
    return grids
