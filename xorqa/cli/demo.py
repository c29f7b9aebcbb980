"""`xorqa demo`: three systems on the three tasks of XOR QA, on the bundled data."""

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ..core.progress import TaskProgress
from ..datasets.dataset import Dataset
from ..datasets.mini import load
from ..experiments.evaluate import Reports, evaluate, in_json
from ..experiments.pipeline import Pipeline
from ..experiments.settings import load_settings
from ..io.cache import stage_cache
from ..metrics.registry import find_measure, pipeline_tasks
from ..metrics.report import Report
from ..tables.grid import score_grid
from .options import AsJson, Wait, Wide
from .show import console, errors, print_grid, print_json, print_line, progress, waiting_if

SYSTEMS = ("bm25", "dense", "hybrid")
SETTINGS = (
    "bm25 and hybrid search English passages with human translations of the questions (an oracle), "
    "dense with the questions as asked. xorqa run NAME runs one, with the same settings."
)
EXAMPLE = "1993년 프랑스 총리는 누구인가요?"


def demo(as_json: AsJson = False, wide: Wide = False, wait: Wait = False) -> None:
    """Run three systems on the bundled data and print one table per task."""
    started = time.perf_counter()
    dataset = load()
    with waiting_if(wait):
        reports = scores(dataset)
    if as_json:
        print_json({name: in_json(by_task) for name, by_task in reports.items()})
        return
    for task in pipeline_tasks():
        by_system = {name: by_task[task.name, "official"] for name, by_task in reports.items()}
        _show(task.title, by_system, wide=wide)
        console.print()
    console.print(SETTINGS)
    passages = sum(map(len, dataset.corpora.values()))
    console.print(
        f"{len(dataset.examples)} questions, {passages} passages, official scorers, "
        f"{time.perf_counter() - started:.0f} s. Ask a question next:"
    )
    print_line(f'xorqa ask "{EXAMPLE}"')


def scores(dataset: Dataset) -> dict[str, Reports]:
    """The reports of each system, as `xorqa run NAME` computes them."""
    questions = [example.question for example in dataset.examples]
    cache = stage_cache()
    reports = {}
    for number, name in enumerate(SYSTEMS, 1):
        settings = load_settings(name)
        print_line(f"system {number} of {len(SYSTEMS)}: {name}", errors)
        with progress() as report:
            pipeline = Pipeline.from_config(
                settings,
                dataset.corpora,
                translations=dataset.translations,
                cache=cache,
                progress=partial(_of_system, report, name),
            )
            reports[name] = evaluate(dataset, pipeline.answer(questions), routes=settings.routes)
    return reports


def _of_system(report: TaskProgress, name: str, task: str, done: int, total: int) -> None:
    """Report a task with the name of its system."""
    report(f"{name}, {task}", done, total)


def _show(title: str, reports: Mapping[str, Report], *, wide: bool) -> None:
    """Print a table of a task's scores, or one line if all of them are the same."""
    rows = [means for report in reports.values() for means in report.per_lang.values()]
    if len(values := {value for means in rows for value in means.values()}) == 1:
        measures = " and ".join(find_measure(name).display_name for name in rows[0])
        console.print(f"{title}\n{measures} are {values.pop():.1f} for every system and language.")
        return
    grid = score_grid(title, reports)
    groups = tuple(
        tuple((system, find_measure(name).display_name, *cells) for system, name, *cells in group)
        for group in grid.rows
    )
    print_grid(replace(grid, rows=groups), wide=wide)
