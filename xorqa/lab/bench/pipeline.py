"""The measurements of `xorqa bench ask`: answering one question at a time."""

import random
from typing import Any

import numpy as np

from ...datasets.catalog import load_dataset
from ...experiments.pipeline import Pipeline
from ...tables.grid import Grid

SEED = 1


def measure(config: str, data: str, questions: int) -> dict[str, Any]:
    """Measure milliseconds per stage and in total: median and 95th percentile over questions.

    The questions are drawn at random. An untimed question per language first builds indexes and
    loads weights. Nothing is cached.
    """
    dataset = load_dataset(data)
    pipeline = Pipeline.from_config(config, dataset.corpora, translations=dataset.translations)
    examples = random.Random(SEED).choices(dataset.examples, k=questions)
    sample = [example.question for example in examples]
    for warm_up in {question.lang: question for question in sample}.values():
        pipeline.answer([warm_up])
    traces = [pipeline.answer([question])[0] for question in sample]
    rows = [{**trace.timings, "all": sum(trace.timings.values())} for trace in traces]
    stages = dict.fromkeys(name for row in rows for name in row)
    stages["all"] = stages.pop("all")
    ms = {}
    for stage in stages:
        seconds = [row[stage] for row in rows if stage in row]
        p50, p95 = (1000 * np.percentile(seconds, (50, 95))).tolist()
        ms[stage] = {"p50": p50, "p95": p95}
    return {"config": config, "data": data, "questions": len(rows), "ms": ms}


def grid(figures: dict[str, Any]) -> Grid:
    """The figures as a table with a row per stage."""
    rows = tuple(
        (name, f"{row['p50']:.0f}", f"{row['p95']:.0f}") for name, row in figures["ms"].items()
    )
    title = f"{figures['cpu']}, {figures['questions']} questions of {figures['data']}"
    return Grid(title, ("stage", "p50 ms", "p95 ms"), (rows[:-1], rows[-1:]))
