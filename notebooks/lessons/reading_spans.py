"""Tools of lesson 3a: sentences, questions, and a picture of the reader's scores of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.core.types import Span
from xorqa.reading.decode import whole_characters

from .bundled_reader import gold_passage, passages, question, read, token_scores, tokenizer
from .fonts import use_fonts
from .pictures import Picture, draw
from .reading_spans_exercises import CASES, check_1, check_2, check_3, check_4, check_5
from .reading_spans_scores import (
    same_language,
    same_language_scores,
    score,
    score_table,
    strict_words,
)

__all__ = [
    "CASES",
    "QUESTIONS",
    "SENTENCES",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "gold_passage",
    "passages",
    "question",
    "read",
    "same_language",
    "same_language_scores",
    "score",
    "score_table",
    "starts_and_ends",
    "strict_words",
    "token_scores",
    "tokenizer",
    "widened",
]

SENTENCES = {
    "en": "Helsinki is the capital of Finland.",
    "ar": "هلسنكي هي عاصمة فنلندا.",
    "bn": "হেলসিঙ্কি ফিনল্যান্ডের রাজধানী।",
    "fi": "Helsinki on Suomen pääkaupunki.",
    "ja": "ヘルシンキはフィンランドの首都です。",
    "ko": "헬싱키는 핀란드의 수도이다.",
    "ru": "Хельсинки — столица Финляндии.",
    "te": "హెల్సింకి ఫిన్లాండ్ రాజధాని.",
    "th": "เฮลซิงกิเป็นเมืองหลวงของฟินแลนด์",
}
QUESTIONS = {
    "Telugu question, English passage": "mini-te-11",
    "Russian question, English passage with two years": "mini-ru-10",
    "Korean question, English passage with two museums": "mini-ko-02",
    "Japanese question and passage": "mini-ja-14",
    "Arabic question and passage": "mini-ar-15",
    "Telugu question and passage": "mini-te-20",
}
NEAR = 20  # tokens in the lower part of the picture
START, END, REST = "#4477aa", "#ee6677", "#eeeeee"


def widened(text: str, start: int, end: int) -> str:
    """The characters from start to end, widened to whole letters as the library does."""
    span = whole_characters(text, Span(start, end))
    return text[span.start : span.end]


def starts_and_ends(qid: str) -> Picture:
    """P(start) and P(end) of a question over its gold passage, and around the likeliest start."""
    import matplotlib.pyplot as plt

    use_fonts()
    scores, text = token_scores(qid), gold_passage(qid).text
    chances = [_softmax(scores.start), _softmax(scores.end)]
    count = len(scores.start)
    first = max(0, min(int(chances[0].argmax()) - NEAR // 2, count - NEAR))
    near = range(first, min(first + NEAR, count))
    words = [text[start:end].strip() or "▁" for start, end in scores.offsets]
    figure = plt.figure(figsize=(7.5, 5.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 4))
    _whole(figure.add_subplot(grid[0, :]), chances, near)
    left, right = figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])
    for axes, values, color, hatch, name in (
        (left, chances[0], START, "", "P(start)"),
        (right, chances[1], END, "///", "P(end)"),
    ):
        axes.barh(near, values[near.start : near.stop], color=color, hatch=hatch, edgecolor="white")
        axes.set(xlim=(0, 1), ylim=(near.stop - 0.5, near.start - 0.5), xlabel=name)
        axes.spines[["top", "right"]].set_visible(False)
    left.set_yticks(near, words[near.start : near.stop], fontsize=8)
    right.set_yticks(near, [""] * len(near))
    figure.suptitle(question(qid).text, fontsize=10)
    return draw(figure, _described(chances, words))


def _whole(axes: Any, chances: Sequence[NDArray[np.float64]], near: range) -> None:
    """Starts above and ends below a line, over all tokens of a passage."""
    places = range(len(chances[0]))
    axes.axvspan(near.start - 0.5, near.stop - 0.5, color=REST, zorder=0)
    axes.bar(places, chances[0], color=START, width=1)
    axes.bar(places, -chances[1], color=END, width=1, hatch="///", edgecolor="white", linewidth=0)
    axes.axhline(0, color="black", linewidth=0.5)
    axes.set(ylim=(-1, 1), xlabel="token of the passage (grey: the tokens below)")
    axes.set_yticks([-1, 0, 1], ["end 1", "0", "start 1"])
    axes.spines[["top", "right"]].set_visible(False)


def _described(chances: Sequence[NDArray[np.float64]], words: Sequence[str]) -> str:
    start, end = (int(values.argmax()) for values in chances)
    return (
        f"Bars of P(start) and P(end) over the {len(words)} tokens of the passage. The highest "
        f"start is {chances[0][start]:.2f} at “{words[start]}” (token {start}), "
        f"the highest end {chances[1][end]:.2f} at “{words[end]}” (token {end})."
    )


def _softmax(values: NDArray[np.float32]) -> NDArray[np.float64]:
    chances: NDArray[np.float64] = np.exp(values - np.logaddexp.reduce(values))
    return chances
