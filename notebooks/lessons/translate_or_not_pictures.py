"""The pictures of lesson 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xorqa.lab.common.translation_measures import entities, entity_recall
from xorqa.lab.ledger.losses import Losses

from .fonts import use_fonts
from .translator_runs import DEPTH, references, scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOST = 32  # where the ranks below 20 are drawn
LOOKS = {  # colour and marker of a translator
    "bundled": ("#4477aa", "o"),
    "both": ("#aa3377", "D"),
    "lexicon": ("#228833", "^"),
    "none": ("#ccbb44", "s"),
}
PARTS = {  # colour and hatch of the score and the losses
    "f1": ("#228833", ""),
    "translation": ("#ee6677", "////"),
    "retrieval": ("#ccbb44", "...."),
    "reading": ("#66ccee", "xx"),
    "back-translation": ("#bbbbbb", ""),
}
KINDS = {  # what became of a reference's names and numbers
    "one arrived": ("#4477aa", "o"),
    "none arrived": ("#ee6677", "x"),
    "there was none": ("#bbbbbb", "s"),
}


def draw_ranks(name: str, texts: Sequence[str], places: Sequence[int | None]) -> Figure:
    """A translator's queries, one dot a question: chrF, and the rank of the gold passage."""
    figure, [axes] = _panels(1, size=(7, 3.4))
    points: dict[str, list[tuple[float, float]]] = {label: [] for label in KINDS}
    for number, (text, reference, rank) in enumerate(zip(texts, references(), places, strict=True)):
        place = rank or LOST * 1.06 ** (number % 5 - 2)  # apart, as many are below
        points[_kind(text, reference)].append((scores([text], [reference])["chrF"], place))
    for label, (colour, marker) in KINDS.items():
        if points[label]:
            chrfs, ranks = zip(*points[label], strict=True)
            axes.scatter(chrfs, ranks, color=colour, marker=marker, label=label, s=30)
    axes.set_yscale("log")
    axes.set_yticks([1, 2, 5, 10, DEPTH, LOST], ["1", "2", "5", "10", str(DEPTH), "below"])
    axes.minorticks_off()
    axes.invert_yaxis()
    axes.set(xlabel=f"chrF of the query ({name})", ylabel="rank of the gold passage", xlim=(0, 75))
    _legend(axes, title="name or number")
    return figure


def first_two_by_arrival(texts: Sequence[str], places: Sequence[int | None]) -> tuple[float, float]:
    """Percent of gold passages in the first two where a name or number arrived, and where none."""
    first_two: dict[str, list[bool]] = {label: [] for label in KINDS}
    for text, reference, rank in zip(texts, references(), places, strict=True):
        first_two[_kind(text, reference)].append(bool(rank and rank <= 2))
    arrived, lost, _ = (100 * sum(row) / max(1, len(row)) for row in first_two.values())
    return arrived, lost


def draw_ledger(losses: Losses) -> Figure:
    """The score and the losses of each translator, which add up to 100."""
    figure, [axes] = _panels(1, size=(7.5, 3))
    names = list(losses.reports)
    left = dict.fromkeys(names, 0.0)
    for part, (colour, hatch) in PARTS.items():
        widths = [losses.reports[name].macro[part] for name in names]
        bars = axes.barh(
            names,
            widths,
            left=list(left.values()),
            color=colour,
            hatch=hatch,
            edgecolor="white",
            label="F1" if part == "f1" else part,
        )
        labels = [f"{width:.0f}" if width > 3 else "" for width in widths]
        inside = {"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.8}
        axes.bar_label(bars, labels, label_type="center", fontsize=9, bbox=inside)
        left = {name: left[name] + width for name, width in zip(names, widths, strict=True)}
    axes.invert_yaxis()
    axes.set(xlim=(0, 100), xlabel="F1 of the answer, and what each stage loses (percent)")
    _legend(axes)
    return figure


def draw_bleu(losses: Losses) -> Figure:
    """BLEU of each machine translator and language, with F1 of XOR-EnglishSpan and XOR-Full."""
    full_f1 = {
        name: {lang: means["f1"] for lang, means in report.per_lang.items()}
        for name, report in losses.reports.items()
    }
    figure, panels = _panels(2, size=(8.5, 3.6))
    for axes, task, f1 in zip(
        panels, ("XOR-EnglishSpan", "XOR-Full"), (losses.english_f1, full_f1), strict=True
    ):
        for name, (colour, marker) in LOOKS.items():
            points = [(losses.bleu[name][lang], value) for lang, value in f1[name].items()]
            bleus, f1s = zip(*points, strict=True)
            axes.scatter(bleus, f1s, color=colour, marker=marker, label=name, s=40, alpha=0.8)
        for name, lang in (("none", "fi"), ("lexicon", "fi"), ("bundled", "bn"), ("bundled", "ar")):
            place = losses.bleu[name][lang], f1[name][lang]
            axes.annotate(lang, place, xytext=(7, -3), textcoords="offset points")
        axes.set(xlabel="BLEU of the queries", ylabel=f"F1 of {task}")
    figure.legend(
        *panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False
    )
    return figure


def _kind(text: str, reference: str) -> str:
    """Which of `KINDS` a translation is."""
    arrived, missing, empty = KINDS
    return (
        empty
        if not entities(reference)
        else arrived
        if entity_recall([text], [reference])
        else missing
    )


def _panels(count: int, *, size: tuple[float, float]) -> tuple[Figure, Sequence[Axes]]:
    import matplotlib.pyplot as plt

    use_fonts()
    figure, panels = plt.subplots(
        1, count, figsize=size, sharey=True, layout="constrained", squeeze=False
    )
    for axes in panels[0]:
        axes.spines[["top", "right"]].set_visible(False)
    return figure, list(panels[0])


def _legend(axes: Axes, title: str = "") -> None:
    """A legend above the data."""
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncols=5,
        frameon=False,
        fontsize=9,
        title=title,
        title_fontsize=9,
    )
