"""Tools of lesson 2b: vectors from an index, R@kt, and pictures; its checks are re-exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from xorqa.core.lang import XOR_LANGUAGES
from xorqa.core.types import Example, Hit
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference, Score
from xorqa.retrieval.dense import Dense
from xorqa.retrieval.vectors.kinds import open_index

from . import intervals
from .bundled import crossing, english, gold_docid, rank, within
from .dense_search_exercises import check_1, check_2, check_3, check_4, nltk_tokens
from .pictures import subplots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "LANGS",
    "SEVEN",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "draw_bars",
    "draw_budgets",
    "draw_matrices",
    "draw_plane",
    "head_to_head",
    "nltk_tokens",
    "r_at_kt",
    "ranked_first",
    "references",
    "score_matrix",
    "stored_vectors",
    "variance_between",
]

Floats = NDArray[np.floating[Any]]

LANGS = XOR_LANGUAGES
SEVEN = ("ar-04", "bn-02", "fi-10", "ja-08", "ko-08", "ru-08", "te-05")
"""A question of each language, for the matrices."""

SYSTEMS = {  # colour, hatch of bars, marker of points
    "BM25, as asked": ("#bbbbbb", "", "s"),
    "BM25, human translation": ("#4477aa", "////", "o"),
    "dense, as asked": ("#ee6677", "....", "^"),
    "dense, human translation": ("#aa3377", "\\\\\\\\", "v"),
    "hybrid": ("#228833", "xx", "D"),
}
LANGUAGES = {  # colour (Okabe and Ito) and marker
    lang: look
    for lang, *look in zip(
        LANGS,
        ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"),
        "o^vDP*<",
        strict=True,
    )
}


def stored_vectors(dense: Dense) -> Floats:
    """The passage vectors of an exact index, one row a passage."""
    opened = open_index(dense.folder / "index.faiss")
    vectors: Floats = opened.index.reconstruct_n(0, opened.index.ntotal)
    return vectors


def variance_between(points: Floats, groups: Sequence[Any]) -> float:
    """The share of the points' variance that the means of the groups make."""
    centred, labels = points - points.mean(axis=0), np.array(list(groups))
    members = [centred[labels == group] for group in np.unique(labels)]
    between = sum(len(one) * float(np.sum(one.mean(axis=0) ** 2)) for one in members)
    return between / float(np.sum(centred**2))


def score_matrix(runs: Sequence[Sequence[Hit]], docids: Sequence[str]) -> Floats:
    """The score of each passage for each question, 0 where it is not among the hits."""
    by_docid = [{hit.passage.docid: hit.score for hit in hits} for hits in runs]
    return np.array([[scores.get(docid, 0.0) for docid in docids] for scores in by_docid])


@cache
def references() -> tuple[Reference, ...]:
    """The questions that only English passages answer, with their English answers."""
    return tuple(
        Reference(example.question.qid, example.question.lang, example.answers("en"))
        for example in crossing()
    )


def r_at_kt(
    passages: Sequence[Sequence[str]], *, scorer: str = "official", k: Sequence[int] = (1, 2)
) -> list[Score]:
    """The library's R@kt for the texts retrieved for each question, in the questions' order."""
    texts = dict(zip((reference.qid for reference in references()), passages, strict=True))
    return find_task("xor-retrieve").score(references(), texts, scorer=scorer, k=k)


def ranked_first(runs: Sequence[Sequence[Hit]]) -> NDArray[np.int_]:
    """1 for each question whose gold passage is the first hit, 0 for the others."""
    ranks = [rank(hits, example) for hits, example in zip(runs, crossing(), strict=True)]
    return np.array([int(position == 1) for position in ranks])


def head_to_head(
    runs: Sequence[Sequence[Hit]], others: Sequence[Sequence[Hit]]
) -> tuple[int, int, str, str]:
    """Gold passages that only one of two systems ranks first: wins, losses, points, exact p."""
    return intervals.head_to_head(ranked_first(runs), ranked_first(others))


def draw_matrices(
    matrices: Mapping[str, tuple[Floats, str]], examples: Sequence[Example]
) -> Figure:
    """Scores of questions (rows) against the passages that answer them (columns).

    `matrices` are by title, each with the format of its figures; a 0 stays blank.
    """
    figure, panels = subplots(len(matrices), 1, figsize=(7.5, 4.6), sharex=True)
    for axes, (title, (values, form)) in zip(panels, matrices.items(), strict=True):
        _heat(axes, values, form)
        axes.set_yticks(range(len(examples)), [example.question.lang for example in examples])
        axes.set_title(title, fontsize=10)
    titles = [fill(english()[gold_docid(example)].title, 13) for example in examples]
    panels[-1].set_xticks(range(len(titles)), titles, fontsize=8)
    return figure


def _heat(axes: Axes, values: Floats, form: str) -> None:
    """Values as colours, with their figures."""
    low, high = values.min(), values.max()
    axes.imshow(values, cmap="Blues", vmin=low, vmax=high, aspect="auto")
    for row, column in np.argwhere(values):
        value = values[row, column]
        colour = "white" if value - low > 0.6 * (high - low) else "#333333"
        text = form.format(value)
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def draw_plane(questions: Floats, translated: Floats, passages: Floats) -> Figure:
    """Points in a plane: the questions as asked and in English, and their passages."""
    figure, axes = subplots(figsize=(7.5, 3.4))
    axes.scatter(*passages.T, s=18, marker="s", color="#bbbbbb", label="passage")
    axes.scatter(*translated.T, s=18, marker="x", color="black", label="question in English")
    langs = [example.question.lang for example in crossing()]
    for lang, (colour, marker) in LANGUAGES.items():
        points = questions[[row for row, code in enumerate(langs) if code == lang]]
        label = f"question in {lang}"
        axes.scatter(*points.T, s=22, marker=marker, color=colour, label=label)
    axes.legend(frameon=False, fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.set_axis_off()
    return figure


def draw_bars(systems: Mapping[str, Sequence[Sequence[Hit]]]) -> Figure:
    """By language, how often each system has the gold passage among the first ten, and first."""
    figure, panels = subplots(2, 1, figsize=(7.5, 4.4), sharex=True)
    step = 0.81 / len(systems)
    for axes, depth, title in zip(panels, (10, 1), ("among the first ten", "first"), strict=True):
        for number, (name, runs) in enumerate(systems.items()):
            colour, hatch, _ = SYSTEMS[name]
            left = np.arange(len(LANGS)) + step * (number - (len(systems) - 1) / 2)
            shares = [within(runs, depth, lang) for lang in LANGS]
            look = {"color": colour, "hatch": hatch, "edgecolor": "white"}
            axes.bar(left, shares, width=0.93 * step, label=name, **look)
        axes.set(xticks=range(len(LANGS)), xticklabels=LANGS, ylabel="%", ylim=(0, 105))
        axes.set_title(f"gold passage {title}", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2, frameon=False)
    return figure


def draw_budgets(shares: Mapping[str, Mapping[int, float]]) -> Figure:
    """By budget in tokens, for how many questions in a hundred a system found an answer."""
    figure, axes = subplots(figsize=(7, 3.6))
    for name, by_budget in shares.items():
        colour, _, marker = SYSTEMS[name]
        axes.plot([*by_budget], [*by_budget.values()], marker=marker, label=name, color=colour)
    budgets = sorted({budget for by_budget in shares.values() for budget in by_budget})
    axes.set(xscale="log", xlabel="budget in tokens", ylabel="answer found, %", ylim=(0, 103))
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.minorticks_off()
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    return figure
