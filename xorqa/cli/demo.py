"""`xorqa demo`: three systems on the three tasks of XOR QA, on the bundled data."""

import time

from ..caching.store import stage_cache
from ..datasets.mini import load
from ..experiments.evaluate import Reports, evaluate, in_json
from ..experiments.pipeline import Pipeline
from ..experiments.settings import load_settings
from ..io.files import cache_dir
from ..metrics.registry import pipeline_tasks
from ..tables.grid import score_grid
from .options import AsJson, Wait, Wide
from .show import console, print_grid, print_json, progress, waiting_if

SYSTEMS = {"BM25, human translations": "bm25", "multilingual dense": "dense", "hybrid": "hybrid"}
CHANGES = ("reader.passages=3",)  # to be fast


def demo(as_json: AsJson = False, wide: Wide = False, wait: Wait = False) -> None:
    """Run three systems on the bundled data and print one table per task."""
    started = time.perf_counter()
    with waiting_if(wait):
        reports = scores()
    if as_json:
        print_json({name: in_json(by_task) for name, by_task in reports.items()})
        return
    for task in pipeline_tasks():
        rows = {name: by_task[task.name, "official"] for name, by_task in reports.items()}
        print_grid(score_grid(task.title, rows), wide=wide)
        console.print()
    dataset = load()
    passages = sum(map(len, dataset.corpora.values()))
    console.print(
        f"{len(dataset.examples)} questions, {passages} passages, official scorers, "
        f"{time.perf_counter() - started:.0f} s. Next: "
        f'xorqa ask "1993년 프랑스 총리는 누구인가요?"'
    )


def scores() -> dict[str, Reports]:
    """The reports of each system."""
    dataset = load()
    questions = [example.question for example in dataset.examples]
    cache = stage_cache()
    reports = {}
    for name, config in SYSTEMS.items():
        with progress() as tell:
            pipeline = Pipeline.from_config(
                load_settings(config, changes=CHANGES),
                dataset.corpora,
                translations=dataset.translations,
                indexes=cache_dir() / "indexes",
                cache=cache,
                progress=tell,
            )
            reports[name] = evaluate(dataset, pipeline.answer(questions))
    return reports
