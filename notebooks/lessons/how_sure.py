"""Tools of lesson 3b: what the reader reads, pictures, and the checks of the exercises."""

from __future__ import annotations

from functools import cache

import numpy as np

from xorqa.lab.training.reader.samples import token_span
from xorqa.models.adapters import no_answer_threshold
from xorqa.reading.pairs import DEFAULT_READER

from .bundled_reader import examples, question, read, windows
from .how_sure_exercises import check_1, check_2, check_3, check_4, check_5
from .how_sure_languages import (
    error_by_chance,
    error_of,
    gold_was_read,
    recorded_pairs,
    reliability,
    where_gold_was_read,
    world_pairs,
)
from .how_sure_passages import (
    KINDS,
    LONG,
    answered_in_english,
    card,
    long_text,
    read_windows,
    readings,
    without_answer,
)
from .how_sure_pictures import (
    picture_of_costs,
    picture_of_languages,
    picture_of_reliability,
    picture_of_windows,
)
from .intervals import difference, mean_interval
from .show import Page, table

__all__ = [
    "KINDS",
    "LONG",
    "MENU",
    "answered_in_english",
    "card",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "difference",
    "error_by_chance",
    "error_of",
    "gold_was_read",
    "long_text",
    "mean_interval",
    "picture_of_costs",
    "picture_of_languages",
    "picture_of_reliability",
    "picture_of_windows",
    "question",
    "read",
    "read_windows",
    "readings",
    "recorded_pairs",
    "reliability",
    "reliability_table",
    "three_passages",
    "threshold",
    "token_span",
    "where_gold_was_read",
    "windows",
    "without_answer",
    "world_pairs",
]

MENU = ("mini-bn-11", "mini-te-08", "mini-ja-12", "mini-te-07", "mini-fi-04", "mini-ar-07")


def threshold() -> float:
    """The P(passage) below which the default reader finds nothing, fitted on held-out questions."""
    return no_answer_threshold(DEFAULT_READER)


@cache
def three_passages(qid: str) -> Page:
    """What the reader finds in the right passage and in two wrong ones."""
    index = list(answered_in_english()).index(qid)
    rows = []
    for kind, passage in zip(KINDS, answered_in_english()[qid], strict=True):
        reading = readings()[kind][index]
        best = reading.spans[0]
        text = passage.text[best.span.start : best.span.end]
        chances = np.exp([reading.passage_score, best.score])
        rows.append((kind, passage.title, text, *(f"{chance:.2f}" for chance in chances)))
    title = f"{question(qid).text} ({examples()[qid].human_translation})"
    return table(title, ("passage", "title", "span", "P(passage)", "P(span)"), rows, labels=3)


def reliability_table(title: str, source: str) -> Page:
    """A row per language: pairs, mean P(passage), share of right ones, and calibration error."""
    rows = [
        (
            row.language,
            str(row.pairs),
            f"{row.mean:.2f}",
            f"{row.right:.2f}",
            *(f"{value:.0%}" for value in (row.error, row.low, row.high, row.by_chance)),
        )
        for row in reliability(source)
    ]
    header = ("language", "pairs", "P(passage)", "right", "error", "low", "high", "by chance")
    return table(title, header, rows)
