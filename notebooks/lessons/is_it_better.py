"""Tools of lesson 7b: differences of the two systems, tables and charts of comparisons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference, Score, average
from xorqa.metrics.significance import Comparison
from xorqa.metrics.task import SCORERS
from xorqa.tables.grid import Grid

from .fonts import use_fonts
from .is_it_better_exercises import check_1, check_2, check_3, check_4, check_5, sentences
from .show import Page, table
from .two_systems import crossing_world, scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "scores",
    "sentences",
    "use_fonts",
]

BLUE, RED, GREY = "#4477aa", "#ee6677", "#777777"
METRICS = {"xor-retrieve": ["R@2kt"], "xor-engspan": ["f1", "em"], "xor-full": ["f1", "em"]}
Differences = npt.NDArray[np.float64]


def differences(before: str, after: str, task: str) -> Differences:
    """What each question gains from one system to another, in points of F1."""
    pairs = zip(scores(before, task), scores(after, task), strict=True)
    return np.array([100 * (b.values["f1"] - a.values["f1"]) for a, b in pairs])


def two_runs(gains: Sequence[int]) -> tuple[list[Score], list[Score]]:
    """Two made-up runs: a question is won (1), lost (-1), or scored alike (0) by the second."""
    first, second = (
        [Score(f"q{number}", "fi", {"em": float(gain == won)}) for number, gain in enumerate(gains)]
        for won in (-1, 1)
    )
    return first, second


def comparison_table(title: str, rows: Sequence[Comparison], *, by: str = "lang") -> Page:
    """Comparisons with interval, p and corrected p, a row per language (or run)."""
    cells = [
        (
            getattr(row, by),
            row.n,
            *(f"{points:+.1f}" for points in (row.difference, row.low, row.high)),
            f"{row.p_randomisation:.2g}",
            f"{row.p_corrected:.2g}",
            "*" if row.significant else "",
        )
        for row in rows
    ]
    return table(title, (by, "n", "difference", "low", "high", "p", "p corrected", "*"), cells)


def interval_chart(
    rows: Sequence[tuple[str, float, float, float, bool]],
    *,
    label: str,
    marked: str,
    unmarked: str = "",
) -> Figure:
    """Estimates with their intervals: (name, value, low, high, marked).

    `marked` explains a disc, `unmarked` a ring. The line is at 0, unless every value is positive.
    """
    import matplotlib.pyplot as plt

    figure: Figure
    figure, axes = plt.subplots(figsize=(7, 0.6 + 0.3 * len(rows)))
    for row, (_, value, low, high, full) in enumerate(rows):
        colour = BLUE if full else GREY
        axes.plot([low, high], [row, row], color=colour, linewidth=2)
        face = colour if full else "white"
        axes.plot(value, row, "o", color=colour, markerfacecolor=face)
    axes.plot([], [], "o", color=BLUE, label=marked)
    axes.plot([], [], "o", color=GREY, markerfacecolor="white", label=unmarked or f"not {marked}")
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(range(len(rows)), [name for name, *_ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(label)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(ncols=2, frameon=False, loc="lower left", bbox_to_anchor=(0, 1))
    return figure


def width_chart(
    pairs: Mapping[str, Differences],
    width: Callable[[Differences, int], float],
    sizes: Sequence[int],
) -> Figure:
    """Half the width of the interval by the number of questions, beside the differences."""
    import matplotlib.pyplot as plt

    figure: Figure
    figure, axes = plt.subplots(figsize=(7, 3.4))
    ours = len(next(iter(pairs.values())))
    # The curves fall from the left: the upper label goes to the right, where they are below it.
    styles = (
        (BLUE, "o", sizes[-1], "right", 1.06, "bottom"),
        (RED, "s", ours * 1.05, "left", 1 / 1.06, "top"),
    )
    for (name, d), (colour, marker, at, align, away, side) in zip(
        pairs.items(), styles, strict=True
    ):
        widths = [width(d, n) for n in sizes]
        axes.plot(sizes, widths, color=colour, marker=marker, label=f"{name}: half width")
        observed = abs(float(d.mean()))
        axes.axhline(observed, color=colour, linestyle="--", linewidth=1)
        text = f"{name}: {observed:.1f}"
        place = at, observed * away
        axes.text(*place, text, color=colour, verticalalignment=side, horizontalalignment=align)
    axes.axvline(ours, color="black", linewidth=0.8)
    axes.text(ours * 1.05, 40, f"{ours} questions, as here")
    axes.set(xscale="log", yscale="log", ylim=(0.3, 60), xlabel="questions", ylabel="points of F1")
    axes.set_xticks(sizes, [f"{n:,}" for n in sizes])
    axes.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    axes.minorticks_off()
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(ncols=2, frameon=False, loc="lower left", bbox_to_anchor=(0, 1))
    return figure


def paper_table(names: Sequence[str], caption: str) -> Grid:
    """The systems' macro averages in all tasks, a row per system."""
    header = [f"{metric} ({task})" for task, metrics in METRICS.items() for metric in metrics]
    rows = []
    for name in names:
        reports = {task: average(scores(name, task), task=task, scorer="") for task in METRICS}
        cells = [f"{reports[t].macro[m]:.1f}" for t, metrics in METRICS.items() for m in metrics]
        rows.append((name, *cells))
    return Grid("What the reader reads", ("system", *header), (tuple(rows),), caption)


def only_the_easy_one() -> dict[str, tuple[float, float]]:
    """Scorer to R@2kt of a file with one right passage: all questions sent, and only that one."""
    english = [
        Reference(e.question.qid, e.question.lang, e.answers("en"))
        for e in crossing_world().examples
    ]
    easy = {english[0].qid: [f"It was {english[0].answers[0]}."]}
    every = {reference.qid: ["Nothing about that."] for reference in english} | easy
    task = find_task("xor-retrieve")
    return {
        scorer: (
            task.evaluate(english, every, scorer=scorer).macro["R@2kt"],
            task.evaluate(english, easy, scorer=scorer).macro["R@2kt"],
        )
        for scorer in SCORERS
    }
