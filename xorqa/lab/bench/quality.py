"""The measurements of `xorqa bench quality`: F1 against milliseconds, config by config."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...core.errors import XorqaError
from ...core.progress import TaskProgress, quantity
from ...datasets.dataset import Dataset
from ...experiments.evaluate import evaluate
from ...experiments.pipeline import Pipeline, Stop
from ...experiments.settings import PipelineSettings
from ...io.files import digest, read_json, write_json
from ...tables.grid import BEST, MISSING, Grid, Highlight
from ..common.machine import cpu_name

SHIPPED = (
    "bm25",
    "dense-translated",
    "dense",
    "dense-late",
    "hybrid-late",
    "hybrid",
    "documents",
    "dense-ranked",
)
"""The configs whose models come with the package and that take seconds a question at most."""
TASKS = {Stop.READ: "xor-engspan", Stop.FULL: "xor-full"}
ORACLE = "human"
HEADER = ("config", "queries", "F1", "EM", "R@2kt", "R@5kt", "p50 ms", "p95 ms", "on the curve")
CAPTION = (
    "Percent, official scorers; milliseconds of one question after the other, without a cache. "
    "* on the curve: no other config here is at least as good and faster. Human translations are "
    "an oracle, so configs that search with them are not on it."
)


def measure(
    configs: Mapping[str, PipelineSettings],
    dataset: Dataset,
    *,
    until: Stop = Stop.FULL,
    kept: Path | None = None,
    progress: TaskProgress,
) -> dict[str, Any]:
    """Answer all questions with each config, one after the other, and score the answers.

    A config that cannot run here is skipped; its row has the reason. Each row is written into the
    file `kept` when it is measured. Rows that are in it, and were measured on this processor with
    the same settings, questions and passages, are kept and counted as `reused`.
    """
    figures: dict[str, Any] = {
        "cpu": cpu_name(),
        "data": dataset.name,
        "questions": len(dataset.examples),
        "task": TASKS[until],
        "reused": 0,
        "rows": {},
    }
    before = read_json(kept).get("rows", {}) if kept and kept.exists() else {}
    for name, settings in configs.items():
        key = _key(settings, dataset, until)
        old = before.get(name, {})
        if old.get("key") == key and "skipped" not in old:
            row = old
            figures["reused"] += 1
        else:
            row = {"key": key} | _row(name, settings, dataset, until, progress)
        figures["rows"][name] = row
        if kept:
            write_json(kept, figures)
    return figures


def _key(settings: PipelineSettings, dataset: Dataset, until: Stop) -> str:
    """What a row depends on, but for the versions of code and weights."""
    questions = [example.question.qid for example in dataset.examples]
    corpora = {name: corpus.sha for name, corpus in sorted(dataset.corpora.items())}
    return digest(settings.to_json(), questions, corpora, str(until), cpu_name())


def _row(
    name: str, settings: PipelineSettings, dataset: Dataset, until: Stop, progress: TaskProgress
) -> dict[str, Any]:
    """The scores and times of a config, or why it cannot run."""
    questions = [example.question for example in dataset.examples]
    first = {question.lang: question for question in questions}.values()
    try:
        pipeline = Pipeline.from_config(
            settings, dataset.corpora, translations=dataset.translations
        )
        for question in first:  # untimed: builds indexes and loads weights
            pipeline.answer([question], until=until)
        traces = []
        for done, question in enumerate(questions):
            progress(name, done, len(questions))
            traces += pipeline.answer([question], until=until)
        progress(name, len(questions), len(questions))
    except XorqaError as error:
        return {"skipped": str(error)}
    reports = evaluate(dataset, traces, routes=settings.routes)
    ms = [1000 * sum(trace.timings.values()) for trace in traces]
    scores = {
        measure: value
        for task in (TASKS[until], "xor-retrieve")
        if (report := reports.get((task, "official")))
        for measure, value in report.macro.items()
    }
    p50, p95 = np.percentile(ms, (50, 95)).tolist()
    queries = sorted({str(route.translator["use"]) for route in settings.routes})
    return {"queries": queries, "scores": scores, "ms": {"p50": p50, "p95": p95}}


def frontier(rows: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The configs without an oracle than which none is at least as good (F1) and faster."""
    points = {
        name: (row["scores"]["f1"], -row["ms"]["p50"])
        for name, row in rows.items()
        if "skipped" not in row and ORACLE not in row["queries"]
    }
    return {
        name
        for name, point in points.items()
        if not any(
            other != point and other[0] >= point[0] and other[1] >= point[1]
            for other in points.values()
        )
    }


def grid(figures: Mapping[str, Any]) -> Grid:
    """The figures as a table, the fastest config first."""
    rows = {name: row for name, row in figures["rows"].items() if "skipped" not in row}
    best = frontier(rows)
    measures = ("f1", "em", "R@2kt", "R@5kt")
    cells = [
        (
            name,
            "/".join(row["queries"]),
            *(f"{row['scores'][one]:.1f}" if one in row["scores"] else MISSING for one in measures),
            *(f"{row['ms'][one]:.0f}" for one in ("p50", "p95")),
            Highlight(BEST) if name in best else "",
        )
        for name, row in sorted(rows.items(), key=lambda pair: pair[1]["ms"]["p50"])
    ]
    title = "{task}, {questions} questions of {data}, {cpu}".format(**figures)
    return Grid(title, HEADER, (tuple(cells),), CAPTION, labels=2, fixed=True)


def lines(figures: Mapping[str, Any]) -> list[str]:
    """What was skipped or reused, a line each."""
    skipped = [
        f"skipped {name}: {row['skipped']}"
        for name, row in figures["rows"].items()
        if "skipped" in row
    ]
    reused = figures["reused"]
    kept = [f"{quantity(reused, 'row')} taken from the file, measured before"] if reused else []
    return skipped + kept
