"""Tools of lesson 6b: grids, kinds of wrong answers, and two systems on the same cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from xorqa.lab.checklist.results import Outcome, error_grid, scores
from xorqa.lab.checklist.scoring import normalize_answer
from xorqa.lab.checklist.suite import Case
from xorqa.metrics.significance import compare
from xorqa.tables.grid import MISSING, Grid

from .checklist_cases import (
    LANGS,
    READER,
    cases,
    crossed,
    failing,
    judged,
    rate,
    rates,
)
from .checklist_rules import first_word, overlap
from .error_grids_exercises import check_1, check_2, check_3, check_4, check_5
from .pictures import subplots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "LANGS",
    "PUBLISHED",
    "READER",
    "cases",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "compared",
    "crossed",
    "draw_grid",
    "draw_kinds",
    "error_grid",
    "failing",
    "first_word",
    "judged",
    "overlap",
    "rate",
    "rates",
    "rows",
    "tally",
]

PUBLISHED = {
    "mBERT": ("95.8", "100.0", "95.3", "55.1", "87.0", "64.1"),
    "XLM-R Large": ("47.3", "90.9", "64.8", "26.7", "51.6", "32.8"),
}
"""XTREME-R's error rates for its own suite, in the order of the six tests."""

KINDS = {  # colour and hatch
    "right": ("#bbbbbb", ""),
    "too little": ("#66ccee", "...."),
    "too much": ("#ccbb44", "////"),
    "another": ("#ee6677", ""),
}


def rows(grid: Grid) -> dict[str, dict[str, float | None]]:
    """The figures of an error grid by row and column; None where there are no cases."""
    lines = (line for group in grid.rows for line in group)
    return {
        label: {
            name: None if cell == MISSING else float(cell)
            for name, cell in zip(grid.header[1:], cells, strict=True)
        }
        for label, *cells in lines
    }


def tally(
    tested: Sequence[Case],
    outcomes: Sequence[Outcome],
    kind: Callable[[str, Sequence[str]], str],
    *,
    by: str,
) -> dict[str, Counter[str]]:
    """The kinds of all answers, by test or language; `kind` gets normalised answers."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for case, outcome in zip(tested, outcomes, strict=True):
        count = counts[getattr(case, by)]
        count["right"] += len(case.examples) - len(outcome.failures)
        for failure in outcome.failures:
            golds = [normalize_answer(answer, ()) for answer in failure.answers]
            count[kind(normalize_answer(failure.prediction, ()), golds)] += 1
    return dict(counts)


def compared(
    baseline: Sequence[Outcome], system: Sequence[Outcome]
) -> Iterator[tuple[str, float, float, float]]:
    """By test, the error rates of two systems on the same cases, and p."""
    systems = scores(system)
    for test, first in scores(baseline).items():
        (row,) = compare(first, {"system": systems[test]}, metrics=["error"])
        yield test, row.baseline, row.score, row.p_randomisation


def draw_grid(grid: Grid) -> Figure:
    """An error grid as colours, with its figures; the means stand apart."""
    figure, axes = subplots(figsize=(8, 3.8))
    by_row = rows(grid)
    names = grid.header[1:]
    values = [[row[name] or 0.0 for name in names] for row in by_row.values()]
    axes.imshow(values, cmap="Blues", vmin=0, vmax=100, aspect="auto")
    for down, line in enumerate(values):
        for across, value in enumerate(line):
            ink = "white" if value > 65 else "black"
            axes.text(across, down, f"{value:.0f}", ha="center", va="center", color=ink)
    axes.set_xticks(range(len(names)), [name.replace(" and ", " and\n") for name in names])
    axes.set_yticks(range(len(by_row)), by_row)
    axes.tick_params(length=0, labelsize=9)
    axes.axvline(len(names) - 1.5, color="white", linewidth=4)
    axes.axhline(len(by_row) - 1.5, color="white", linewidth=4)
    axes.spines[:].set_visible(False)
    axes.set_title("Cases that fail, in percent", fontsize=11)
    return figure


def draw_kinds(panels: Mapping[str, Mapping[str, Counter[str]]]) -> Figure:
    """A panel of bars per title: the shares of right answers and of the three kinds of wrong."""
    figure, all_axes = subplots(1, len(panels), figsize=(8.5, 3.2), width_ratios=(3, 2))
    for axes, (title, counts) in zip(all_axes, panels.items(), strict=True):
        _bars(axes, counts)
        axes.set_title(title, fontsize=10)
    handles = all_axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(KINDS), frameon=False)
    return figure


def _bars(axes: Axes, counts: Mapping[str, Counter[str]]) -> None:
    left = [0.0] * len(counts)
    for name, (colour, hatch) in KINDS.items():
        share = [100 * count[name] / count.total() for count in counts.values()]
        bars = axes.barh(list(counts), share, left=left, label=name, color=colour)
        for bar in bars:
            bar.set(hatch=hatch, edgecolor="white")
        left = [a + b for a, b in zip(left, share, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("% of examples")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(left=False)
