"""Simulated annotators for lesson 10: three of them answer the bundled pool's English questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from xorqa.lab.building.agreement import MIN_AGREEMENT, agreement, representative
from xorqa.lab.building.qa import Authored, answer_tasks
from xorqa.lab.building.simulate import simulate
from xorqa.lab.building.tasks import Task
from xorqa.lab.building.units import Context, Unit

from .make_a_data_set_world import paragraphs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LANG = "en"
ANNOTATORS = ("bea", "carl", "dora")
LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
SEEDS = 20
BLUE, RED, GREY = "#4477aa", "#ee6677", "#777777"


@dataclass(frozen=True, slots=True)
class Noise:
    """What became of the questions at a level of noise; percentages, means over the seeds.

    Attributes:
        level: the share of tasks in which an annotator errs, from 0 to 1.
        agreement: mean F1 of all pairs of answers.
        kept: questions whose answers agree enough.
        right: kept questions whose chosen answer is the gold one.
        alone: questions with the gold answer if the first annotator alone counts.
        spread: the standard deviation of `kept` over the seeds.
    """

    level: float
    agreement: float
    kept: float
    right: float
    alone: float
    spread: float


@cache
def pool_tasks() -> tuple[Mapping[str, Task], Mapping[str, str]]:
    """The tasks of the round `answer` for the pool's questions, and their gold answers, by task."""
    units, questions, gold = {}, [], {}
    for number, paragraph in enumerate(paragraphs(LANG)):
        for row in paragraph["qas"]:
            [answer] = row["answers"]
            text, start = answer["text"], answer["answer_start"]
            first, last = next((a, b) for a, b in paragraph["sentence_breaks"] if a <= start < b)
            name = row["id"]
            context = Context(f"{LANG}-{number}", "", paragraph["context"], first, last)
            units[name] = Unit(name, {LANG: context})
            chosen = (text, start)
            questions.append(Authored(name, name, row["question"], (chosen,), chosen, None, "anna"))
            gold[f"{name}.answer"] = text
    return {task.id: task for task in answer_tasks(questions, units, LANG)}, gold


@cache
def noise(level: float) -> Noise:
    """Let three annotators answer with a level of noise, several times."""
    tasks, gold = pool_tasks()
    agreed, kept, right, alone = [], [], [], []
    for seed in range(SEEDS):
        filled = [
            simulate(
                tasks.values(),
                lambda task: {"answer": gold[task.id]},
                annotator=name,
                noise=level,
                seed=seed,
            )
            for name in ANNOTATORS
        ]
        for task, expected in gold.items():
            answers = [cells[task]["answer"] for cells in filled]
            agreed.append(agreement(answers, LANG) or 0.0)
            kept.append(agreed[-1] >= MIN_AGREEMENT)
            alone.append(answers[0] == expected)
            if kept[-1]:
                chosen, _ = representative([(answer, 0) for answer in answers], LANG)
                right.append(chosen == expected)
    spread = np.reshape(kept, (SEEDS, -1)).mean(axis=1).std(ddof=1)
    means = [*(np.mean(of) for of in (agreed, kept, right, alone)), spread]
    return Noise(level, *(100 * float(mean) for mean in means))


def noise_rows(rows: Sequence[Noise]) -> list[tuple[str, ...]]:
    """Rows of a table: noise, agreement, kept, right of those, and right with one annotator."""
    return [
        (
            f"{100 * row.level:.0f}",
            f"{row.agreement:.0f}",
            f"{row.kept:.0f} ± {row.spread:.0f}",
            *(f"{x:.0f}" for x in (row.right, row.alone)),
        )
        for row in rows
    ]


def draw_noise(rows: Sequence[Noise]) -> Figure:
    """Agreement, kept questions and right answers by noise."""
    import matplotlib.pyplot as plt

    figure: Figure
    figure, axes = plt.subplots(figsize=(7, 3.4))
    levels = [100 * row.level for row in rows]
    lines = (
        ("right, of the kept questions", [row.right for row in rows], BLUE, "o-"),
        ("kept questions", [row.kept for row in rows], BLUE, "s--"),
        ("right with one annotator", [row.alone for row in rows], RED, "^-"),
        ("agreement (F1)", [row.agreement for row in rows], GREY, "d:"),
    )
    for label, values, colour, style in lines:
        axes.plot(levels, values, style, color=colour, label=label)
    axes.set(xlabel="answers with an error, %", ylabel="%", ylim=(0, 104))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(ncols=2, frameon=False, loc="lower left", bbox_to_anchor=(0, 1))
    return figure
