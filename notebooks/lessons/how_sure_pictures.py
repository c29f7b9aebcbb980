"""The pictures of lesson 3b."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.core.types import Span
from xorqa.reading.decode import TokenScores

from .fonts import use_fonts
from .how_sure_languages import Reliability
from .pictures import Picture, draw

COLORS = {"right": "#228833", "alike": "#ee6677", "random": "#4477aa"}
MARKERS = {"right": "o", "alike": "s", "random": "^"}
LINES = {"right": "-", "alike": "--", "random": ":"}
Bins = Sequence[tuple[int, float, float]]
"""For each bin the number of pairs, the mean probability and the share of right passages."""


def _axes(columns: int, height: float) -> tuple[Any, Any]:
    """A figure of the lesson's width with so many diagrams side by side."""
    import matplotlib.pyplot as plt

    use_fonts()
    figure, axes = plt.subplots(1, columns, figsize=(7.5, height), layout="constrained")
    for panel in np.ravel(axes):
        panel.spines[["top", "right"]].set_visible(False)
    return figure, axes


def picture_of_windows(
    scores: Sequence[TokenScores], relevance: Sequence[float], best: Span, answer: Span
) -> Picture:
    """The windows of a long text, the likeliest start of each, and the answer's place."""
    figure, axes = _axes(1, 2.6)
    for row, (window, chance) in enumerate(zip(scores, relevance, strict=True)):
        left, right = window.offsets[0, 0], window.offsets[-1, 1]
        axes.barh(row, right - left, left=left, color="#dddddd", height=0.6)
        axes.text(right + 40, row, f"{chance:.2f}", va="center", fontsize=8)
        first, last = window.offsets[window.start.argmax()]
        wins = first < best.end and last > best.start
        marker, color = ("*", "#aa3377") if wins else ("x", "#555555")
        axes.plot(first, row, marker, color=color, markersize=11 if wins else 6)
    axes.axvline(answer.start, color="black", linestyle=":", linewidth=1)
    axes.invert_yaxis()
    axes.set_yticks(range(len(scores)), range(1, len(scores) + 1))
    axes.set(ylabel="window", xlabel="character of the text")
    chances = ", ".join(f"{chance:.2f}" for chance in relevance)
    return draw(
        figure,
        f"{len(scores)} overlapping windows as bars over the characters of the text, with "
        f"P(passage) of each: {chances}. A mark in each bar is its likeliest start; stars mark "
        "those at the start of the best span, on the dotted line where the answer is.",
    )


def picture_of_reliability(
    chances: Mapping[str, NDArray[np.float64]], diagrams: Mapping[str, Bins]
) -> Picture:
    """How many pairs of each kind got which probability, and the reliability diagram."""
    figure, axes = _axes(2, 3.6)
    for kind, values in chances.items():
        counts, edges = np.histogram(values, np.linspace(0, 1, 11))
        axes[0].stairs(
            counts, edges, color=COLORS[kind], linestyle=LINES[kind], label=kind, linewidth=2
        )
    for kind, rows in diagrams.items():
        sizes, sure, share = zip(*rows, strict=True)
        axes[1].plot(sure, share, LINES[kind], color=COLORS[kind])
        label = f"right and {kind}"
        axes[1].scatter(sure, share, sizes, color=COLORS[kind], marker=MARKERS[kind], label=label)
    axes[1].plot([0, 1], [0, 1], "-", color="#bbbbbb", label="calibrated")
    axes[0].set(xlabel="P(passage)", ylabel="pairs")
    axes[1].set(xlabel="mean P(passage) of a bin", ylabel="share of right passages")
    _legends_below(axes)
    described = "; ".join(
        f"right and {kind}: "
        + ", ".join(f"{share:.2f} right where P is {sure:.2f}" for _, sure, share in rows)
        for kind, rows in diagrams.items()
    )
    return draw(
        figure,
        "Left: histograms of P(passage), right passages near 1, random ones near 0, alike ones "
        "spread. Right: a reliability diagram, the line for random ones mostly above the diagonal, "
        f"the one for alike ones crossing it. {described}.",
    )


def picture_of_languages(sources: Mapping[str, Sequence[Reliability]]) -> Picture:
    """Each language's calibration error with its interval, and how large it can be by chance."""
    figure, axes = _axes(len(sources), 3.6)
    for panel, (title, languages) in zip(axes, sources.items(), strict=True):
        rows = sorted(languages, key=lambda row: row.error)
        places = range(len(rows))
        bars = [(row.error - row.low, row.high - row.error) for row in rows]
        errors = [100 * row.error for row in rows]
        lengths = 100 * np.abs(np.transpose(bars))
        panel.errorbar(errors, places, xerr=lengths, fmt="o", color="#4477aa", label="error")
        chance = [100 * row.by_chance for row in rows]
        panel.plot(chance, places, "|", color="#aa3377", markersize=12, label="calibrated: 95 %")
        panel.set_yticks(places, [row.language for row in rows])
        panel.set(title=title, xlabel="calibration error, %", xlim=(0, 60))
    _legends_below(axes)
    described = "; ".join(
        f"{title}: " + ", ".join(f"{row.language} {100 * row.error:.0f} %" for row in rows)
        for title, rows in sources.items()
    )
    return draw(
        figure,
        "Two panels with the calibration error of each language and its 95 % interval; a tick is "
        f"the error below which 95 % of calibrated readers stay. {described}.",
    )


def picture_of_costs(chances: Mapping[str, NDArray[np.float64]], threshold: float) -> Picture:
    """The share of each kind of passage that passes each threshold."""
    figure, axes = _axes(1, 3.2)
    grid = np.linspace(0, 1, 201)
    for kind, values in chances.items():
        passing = [100 * (values >= cut).mean() for cut in grid]
        axes.plot(grid, passing, LINES[kind], color=COLORS[kind], label=kind, linewidth=2)
    axes.axvline(threshold, color="black", linewidth=1, label="the reader's threshold")
    axes.set(xlabel="threshold", ylabel="% of passages accepted", ylim=(0, 102), xlim=(0, 1))
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    shares = ", ".join(
        f"{100 * (v >= threshold).mean():.0f} % of the {k}" for k, v in chances.items()
    )
    return draw(
        figure,
        "Three falling curves: the share of right, alike and random passages with P(passage) of at "
        f"least the threshold. At the reader's own, {threshold:.2f}, pass: {shares} ones.",
    )


def _legends_below(axes: Sequence[Any]) -> None:
    for panel in axes:
        panel.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize=8)
