"""Tools of lesson 7a: its questions, its run folders, and charts of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from xorqa.core.errors import ConfigError
from xorqa.experiments.evaluate import Reports
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import load_settings
from xorqa.io.cache import stage_cache
from xorqa.io.predictions import read_answers
from xorqa.lab.ledger.cases import open_cases
from xorqa.lab.ledger.ledger import make_ledger
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference, Report, Score, read_scores
from xorqa.metrics.scorer_differences import Difference, differences
from xorqa.metrics.task import SCORERS
from xorqa.tables.grid import Grid, score_grid

from .fonts import use_fonts
from .show import Page, follow, show
from .two_systems import ASKED, TRANSLATED, crossing_world, traces
from .your_experiment_exercises import check_1, check_2, check_3, check_4, check_5

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "ASKED",
    "TRANSLATED",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "crossing_world",
    "traces",
]

BLUE, RED, GREY = "#4477aa", "#ee6677", "#bbbbbb"


def workspace() -> TemporaryDirectory[str]:
    """A temporary folder that becomes the working folder; it is gone with the kernel."""
    use_fonts()
    folder = TemporaryDirectory(ignore_cleanup_errors=True)
    os.chdir(folder.name)
    return folder


def config_error(config: str, change: str) -> str:
    """The error that a config with a change causes."""
    try:
        Pipeline.from_config(load_settings(config, changes=[change]), crossing_world().corpora)
    except ConfigError as error:
        return str(error)
    return f"{change} is valid"


class Reused:
    """Progress of a run that remembers how much of each stage came from the cache."""

    def __init__(self) -> None:
        self.stages: dict[str, str] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        if not stage.startswith("index"):
            self.stages.setdefault(stage, f"{done} of {total} from the cache")

    def __str__(self) -> str:
        return "\n".join(f"  {stage:16} {part}" for stage, part in self.stages.items())


def scores(name: str, task: str) -> list[Score]:
    """The official scores of a run's questions."""
    return read_scores(Path("runs", name, "per_question.jsonl"))[task, "official"]


def score_table(reports: Mapping[str, Reports], *tasks: str) -> Page:
    """The official scores of all systems, a table per task."""
    return show(
        *(
            score_grid(task, {name: of[task, "official"] for name, of in reports.items()})
            for task in tasks
        )
    )


def references() -> list[Reference]:
    """The questions with their answers in their own languages."""
    return [
        Reference(e.question.qid, e.question.lang, e.answers(e.question.lang))
        for e in crossing_world().examples
    ]


def disagreements(name: str) -> list[Difference]:
    """The questions whose final answers the two scorers score differently; BLEU aside."""
    answers = read_answers(Path("runs", name, "xor_full.json")).by_qid
    return differences(find_task("xor-full"), references(), answers)


def both_scorers(answers: Mapping[str, str]) -> dict[str, Report]:
    """The reports of both scorers of XOR-Full for the questions that `answers` has."""
    chosen = [reference for reference in references() if reference.qid in answers]
    task = find_task("xor-full")
    return {scorer: task.evaluate(chosen, answers, scorer=scorer) for scorer in SCORERS}


def right_answers(*langs: str) -> dict[str, str]:
    """Qid to the first gold answer, of the questions in some languages."""
    return {
        reference.qid: reference.answers[0] for reference in references() if reference.lang in langs
    }


@cache
def submitted(name: str) -> dict[str, str]:
    """Qid to the English span that a run submits to XOR-EnglishSpan."""
    return dict(read_answers(Path("runs", name, "xor_engspan.json")).by_qid)


def gold(qid: str) -> str:
    """The English gold answer of a question."""
    return next(e for e in crossing_world().examples if e.question.qid == qid).answers("en")[0]


def side_by_side(names: Sequence[str], qid: str) -> Page:
    """The systems' spans and answers beside the gold, then the last system's trace."""
    rows = []
    for name in names:
        answer = traces(name)[qid].answer
        source = answer.source if answer else None
        rows.append((name, submitted(name)[qid], source.text if source else ""))
    rows.append(("gold", gold(qid), ""))
    grid = Grid(qid, ("system", "span scored", "span answered"), (tuple(rows),), labels=3)
    return show(grid) + follow(traces(names[-1])[qid])


def oracle_table(name: str) -> dict[str, float]:
    """Macro F1 of XOR-EnglishSpan: gold passage given, best span chosen, and end to end."""
    reader, cases = open_cases(Path("runs", name))
    answers = make_ledger(reader, cases, cache=stage_cache()).answers
    return {row: report.macro["f1"] for row, report in answers.items()}


def flip_chart(gained: Mapping[str, float]) -> Figure:
    """Per language, how many questions got better, stayed alike and got worse."""
    import matplotlib.pyplot as plt

    langs = sorted({qid.split("-")[1] for qid in gained})
    figure: Figure
    figure, axes = plt.subplots(figsize=(7, 3))
    kinds = (("better", BLUE, "//"), ("alike", GREY, ""), ("worse", RED, "xx"))
    left = [0] * len(langs)
    for kind, colour, hatch in kinds:
        counts = [
            sum(_kind(points) == kind for qid, points in gained.items() if f"-{lang}-" in qid)
            for lang in langs
        ]
        bars = axes.barh(
            langs, counts, left=left, color=colour, hatch=hatch, edgecolor="white", label=kind
        )
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        labels = [str(count) if count else "" for count in counts]
        axes.bar_label(bars, labels, label_type="center", bbox=box)
        left = [start + n for start, n in zip(left, counts, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("questions")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(ncols=3, frameon=False, loc="lower left", bbox_to_anchor=(0, 1))
    return figure


def _kind(points: float) -> str:
    return "better" if points > 0 else "worse" if points < 0 else "alike"


def oracle_chart(tables: Mapping[str, Mapping[str, float]]) -> Figure:
    """The rows of the tables as bars, a group per row, a bar per system."""
    import matplotlib.pyplot as plt

    figure: Figure
    figure, axes = plt.subplots(figsize=(7, 3))
    height = 0.8 / len(tables)
    for number, (name, rows) in enumerate(tables.items()):
        places = [row + number * height for row in range(len(rows))]
        bars = axes.barh(
            places,
            list(rows.values()),
            height,
            color=(RED, BLUE)[number],
            hatch=("", "//")[number],
            edgecolor="white",
            label=name,
        )
        axes.bar_label(bars, fmt="%.1f", padding=3)
    axes.set_yticks([row + 0.2 for row in range(len(rows))], list(rows))
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("F1 of XOR-EnglishSpan")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(ncols=2, frameon=False, loc="lower left", bbox_to_anchor=(0, 1))
    return figure
