"""The pictures of lesson A1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .alignment_shapes import SHAPES
from .alignment_world import COLOURS, K, Way, noise, percent, picture, results, things

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK, _OTHER = "#4477aa", "#cc6600"
_MARKS = "osD^v<P"  # one for each encoder


def draw_things() -> Figure:
    """All things, as both artists draw them: a row per colour, two columns per shape."""
    from matplotlib import pyplot as plt

    figure: Figure
    rows, columns = len(COLOURS), 2 * len(SHAPES)
    figure, panels = plt.subplots(rows, columns, figsize=(columns * 0.36, rows * 0.36))
    for number in range(len(things())):
        for artist in (0, 1):
            place = panels[number // len(SHAPES)][2 * (number % len(SHAPES)) + artist]
            place.imshow(picture(number, artist))
    for place in panels.ravel():
        place.axis("off")
    figure.subplots_adjust(wspace=0, hspace=0)
    return figure


def draw_ways(way: Way, queries: Sequence[int], *, shown: int = K) -> Figure:
    """The way back of some English names: query, nearest Finnish name, and the images returned."""
    from matplotlib import pyplot as plt

    figure: Figure
    figure, panels = plt.subplots(len(queries), shown + 2, figsize=(shown + 5, 1.35 * len(queries)))
    for row, query in zip(panels, queries, strict=True):
        nearest = int(way.texts[query].argmax())
        returned = np.argsort(-way.back[nearest], kind="stable")[:shown]
        places = [(way.english[query], 0, "en"), (way.finnish[nearest], 1, "fi")]
        places += [(way.english[image], 0, "en") for image in returned]
        for number, (place, (thing, artist, lang)) in enumerate(zip(row, places, strict=True)):
            place.imshow(picture(int(thing), artist))
            place.set_xticks([])
            place.set_yticks([])
            own = number > 1 and thing == way.english[query]
            place.spines[:].set_visible(own)
            place.spines[:].set(color=_OTHER, linewidth=3)
            place.set_title(things()[int(thing)].name(lang), fontsize=8)
    figure.tight_layout()
    return figure


def draw_prediction(*kinds: str) -> Figure:
    """BkR of each encoder against its XLR, for each kind of image similarity."""
    from matplotlib import pyplot as plt

    figure: Figure
    figure, panels = plt.subplots(
        1, len(kinds), figsize=(3.4 * len(kinds) + 2.2, 3.6), squeeze=False, layout="constrained"
    )
    for axes, kind in zip(panels[0], kinds, strict=True):
        xlr, bkr = percent(kind, "XLR"), percent(kind, "BkR")
        for mark, name in zip(_MARKS, xlr, strict=True):
            axes.scatter(xlr[name], bkr[name], marker=mark, s=45, label=name)
        chance = 100 * K / results(kind).n
        axes.axhline(chance, color="black", linewidth=1, linestyle="dotted", label="BkR by chance")
        axes.set(title=f"images compared by {kind}", xlabel="XLR, %", ylabel="BkR, %")
        axes.set(ylim=(0, max(60, *bkr.values())), xlim=(0, 1.1 * max(xlr.values())))
        axes.spines[["top", "right"]].set_visible(False)
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="outside right center", fontsize=8)
    return figure


def draw_noise(kind: str) -> Figure:
    """The correlation of BkR with XLR by the share of noise in the images' vectors."""
    from matplotlib import pyplot as plt

    figure: Figure
    rows = noise(kind)
    levels = [100 * row.setting for row in rows]
    table = [row.results.correlation()["BkR"] for row in rows]
    means, errors = (
        [correlations[key] or 0.0 for correlations in table] for key in ("pearson", "pearson error")
    )
    figure, axes = plt.subplots(figsize=(5, 3))
    axes.errorbar(levels, means, yerr=errors, color=_INK, marker="o")
    axes.axhline(0, color="black", linewidth=1, linestyle="dotted")
    axes.set(xlabel="noise in the images, %", ylabel="Pearson of BkR with XLR", ylim=(-0.4, 1))
    axes.spines[["top", "right"]].set_visible(False)
    return figure
