"""Tools of lesson 4, To translate or not."""

from __future__ import annotations

from collections.abc import Mapping

from xorqa.lab.common.translation_measures import words

from .bundled import crossing, folder
from .intervals import difference, head_to_head
from .show import Page, table
from .translate_or_not_exercises import check_1, check_2, check_3, check_4
from .translate_or_not_measures import told_apart, within
from .translate_or_not_pictures import draw_bleu, draw_ledger, draw_ranks, first_two_by_arrival
from .translator_runs import (
    answer_f1,
    entities,
    ledger,
    localise,
    localised,
    losses_after_translation,
    reading_less_retrieval,
    references,
    scores,
    scores_by_language,
    search,
    search_with,
    today,
)

__all__ = [
    "LANGS",
    "answer_f1",
    "beside",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "crossing",
    "difference",
    "draw_bleu",
    "draw_ledger",
    "draw_ranks",
    "entities",
    "first_two_by_arrival",
    "folder",
    "head_to_head",
    "ledger",
    "localise",
    "localised",
    "losses_after_translation",
    "reading_less_retrieval",
    "references",
    "scores",
    "scores_by_language",
    "search",
    "search_with",
    "today",
    "told_apart",
    "within",
    "words",
]

LANGS = ("bn", "ar", "fi", "ja", "ko", "ru", "te")


def beside(
    searches: Mapping[str, tuple[list[str], list[int | None]]], lang: str, *, first: int = 6
) -> Page:
    """Questions of a language, and what translators made of them, with the gold passage's rank.

    `found` has what `search` returns, by translator.
    """
    rows = []
    for index, example in enumerate(crossing()):
        if example.question.lang == lang:
            translations = [
                f"{texts[index]} [{ranks[index] or '–'}]" for texts, ranks in searches.values()
            ]
            rows.append((example.question.text, example.human_translation, *translations))
    header = ("asked", "human", *(f"{name} [rank]" for name in searches))
    return table(f"The first {first} questions", header, rows[:first], labels=len(header))
