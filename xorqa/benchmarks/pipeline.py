"""What `xorqa bench ask` measures: one question after another, from its text to its answer."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from ..datasets.catalog import load_dataset
from ..experiments.pipeline import Pipeline
from ..tables.grid import Grid

SEED = 1


def measure(config: str, data: str, questions: int) -> dict[str, Any]:
    """Milliseconds a stage, and of all of them: of a question in the middle, and of the 95th.

    The questions are drawn at random; one of each language goes first, untimed, which builds or
    loads whatever is missing. Nothing is taken from a cache.
    """
    dataset = load_dataset(data)
    pipeline = Pipeline.from_config(config, dataset.corpora, translations=dataset.translations)
    asked = [one.question for one in random.Random(SEED).choices(dataset.examples, k=questions)]
    for first in {question.lang: question for question in asked}.values():
        pipeline.answer([first])
    traces = [pipeline.answer([question])[0] for question in asked]
    rows = [{**trace.timings, "all": sum(trace.timings.values())} for trace in traces]
    stages = dict.fromkeys(name for row in rows for name in row)
    stages["all"] = stages.pop("all")
    found = {name: np.array([row[name] for row in rows if name in row]) for name in stages}
    ms = {name: _percentiles(1000 * seconds) for name, seconds in found.items()}
    return {"config": config, "data": data, "questions": len(rows), "ms": ms}


def grid(figures: dict[str, Any]) -> Grid:
    """The figures as a table, a row a stage."""
    rows = tuple(
        (name, f"{row['p50']:.0f}", f"{row['p95']:.0f}") for name, row in figures["ms"].items()
    )
    title = f"{figures['cpu']}, {figures['questions']} questions of {figures['data']}"
    return Grid(title, ("stage", "p50 ms", "p95 ms"), (rows[:-1], rows[-1:]))


def _percentiles(values: Any) -> dict[str, float]:
    p50, p95 = np.percentile(values, (50, 95)).tolist()
    return {"p50": p50, "p95": p95}
