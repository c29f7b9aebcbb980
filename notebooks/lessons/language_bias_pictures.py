"""The pictures of lesson 5, and a page that compares two rankings."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from xorqa.lab.lareqa.geometry import principal_components

from .fonts import use_fonts
from .language_bias_results import CENTRED, RAW, languages_of_nearest, nearest, pairs, pool, vectors
from .show import Page

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OWN, OTHER = "#cc6600", "#4477aa"
PAIR = {"fi": OTHER, "te": OWN}
MARKERS = {
    ("fi", "query"): ("+", "questions"),
    ("fi", "passage"): ("o", "sentences"),
    ("te", "query"): ("x", "questions"),
    ("te", "passage"): ("^", "sentences"),
}


def beside(question: int) -> Page:
    """The ten sentences nearest to a question, as the encoder comes and centred."""
    both = [nearest(name, question) for name in (RAW, CENTRED)]
    lines = (
        f"<tr>{_cell(question, raw)}{_cell(question, centred)}</tr>"
        for raw, centred in zip(*both, strict=True)
    )
    head = f"<tr><th></th><th>{RAW}</th><th></th><th>{CENTRED}</th></tr>"
    text = pool().questions[question].text
    page = f'<p dir="auto"><b>{escape(text)}</b></p><table>{head}{"".join(lines)}</table>'
    langs = (" ".join(pool().sentences[sentence].lang for sentence in column) for column in both)
    return Page(page, "\n".join((text, *langs)))


def draw_pairs(*names: str) -> Figure:
    """Question language by language of the one right sentence, in percent, for each system."""
    figure, panels = _panels(len(names), size=(4 * len(names), 4))
    langs = pool().langs
    for axes, name in zip(panels, names, strict=True):
        values = pairs(name)
        axes.imshow(values, cmap="Blues", vmin=0, vmax=100)
        for (row, column), value in np.ndenumerate(values):
            ink = "white" if value > 60 else "black"
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=ink, fontsize=8)
        axes.set_xticks(range(len(langs)), langs)
        axes.set_yticks(range(len(langs)), langs)
        axes.set(title=name, xlabel="right sentence", ylabel="question")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    return figure


def draw_shares(*names: str, count: int = 8) -> Figure:
    """How many of the nearest sentences are in the question's language, for each language."""
    figure, panels = _panels(len(names), size=(8, 3), sharey=True)
    langs = list(pool().langs)
    for axes, name in zip(panels, names, strict=True):
        own = languages_of_nearest(name, count).diagonal()
        axes.barh(langs, own, color=OWN, hatch="////", edgecolor="white", label="own language")
        axes.barh(langs, 100 - own, left=own, color="#dddddd", label="the seven others")
        axes.axvline(100 / len(langs), color="black", linewidth=1, linestyle="dotted")
        axes.set(title=f"{name}: {own.mean():.0f} % own", xlabel=f"% of the {count} nearest")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].invert_yaxis()
    _legend_below(figure, panels[0], columns=2)
    return figure


def draw_points(*names: str) -> Figure:
    """Two languages' questions and sentences on their principal components; lines join pairs."""
    figure, panels = _panels(len(names), size=(8, 3.8))
    for axes, name in zip(panels, names, strict=True):
        chosen = {key: rows for key, rows in vectors(name).by_key(pool()).items() if key[0] in PAIR}
        flat = principal_components(np.concatenate([*chosen.values()]))
        places = np.split(flat, np.cumsum([len(rows) for rows in chosen.values()])[:-1])
        by_key = dict(zip(chosen, places, strict=True))
        for start, end in zip(*(by_key[lang, "passage"] for lang in PAIR), strict=True):
            axes.plot(*zip(start, end, strict=True), color="#cccccc", linewidth=0.6, zorder=1)
        for (lang, side), rows in by_key.items():
            marker, kind = MARKERS[lang, side]
            x, y = rows.T
            axes.scatter(x, y, color=PAIR[lang], marker=marker, s=24, label=f"{lang} {kind}")
        axes.set(title=name, xticks=[], yticks=[], aspect="equal")
    _legend_below(figure, panels[0], columns=4)
    return figure


def _cell(question_row: int, sentence_row: int) -> str:
    """A sentence with its language and whether it is right."""
    sentence, question = pool().sentences[sentence_row], pool().questions[question_row]
    colour = OWN if sentence.lang == question.lang else OTHER
    tag = f'<span style="background:{colour};color:white;padding:1px 4px">{sentence.lang}</span>'
    tick = "<b>✓</b>" if question.qid in sentence.answers else ""
    style = "text-align:left;vertical-align:top"
    text = f'<td dir="auto" style="{style}">{escape(sentence.text)}</td>'
    return f'<td style="{style};white-space:nowrap">{tag} {tick}</td>{text}'


def _panels(
    count: int, *, size: tuple[float, float], sharey: bool = False
) -> tuple[Figure, Sequence[Axes]]:
    import matplotlib.pyplot as plt

    use_fonts()
    figure, panels = plt.subplots(
        1, count, figsize=size, sharey=sharey, layout="constrained", squeeze=False
    )
    return figure, list(panels[0])


def _legend_below(figure: Figure, axes: Axes, *, columns: int) -> None:
    handles = axes.get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=columns, fontsize=9, frameon=False)
