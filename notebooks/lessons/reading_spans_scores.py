"""Answers of lesson 3a compared by several scorers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from xorqa.metrics.answers import score_answers
from xorqa.metrics.answers import tokens as strict_tokens
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference, Report
from xorqa.metrics.tasks.mlqa import score_mlqa
from xorqa.metrics.tasks.squad import score_squad
from xorqa.metrics.tasks.xor_full import score_xor_full
from xorqa.tables.grid import score_grid

from .bundled_reader import examples, gold_passage, read
from .show import Page, show

SAME_LANGUAGE = ("fi", "ja", "ko", "ru")
SCORERS = {
    "squad": score_squad,
    "mlqa": score_mlqa,
    "xor-full": score_xor_full,
    "strict": score_answers,
}


def score(scorer: str, lang: str, prediction: str, gold: str) -> tuple[float, float]:
    """F1 and exact match of one answer by a scorer: squad, mlqa, xor-full or strict."""
    [scored] = SCORERS[scorer]([Reference("q", lang, (gold,))], {"q": prediction})
    return scored.values["f1"], scored.values["em"]


def strict_words(lang: str, prediction: str) -> list[str]:
    """The tokens that the strict scorer compares."""
    return strict_tokens(prediction, lang)


@cache
def same_language() -> tuple[list[Reference], Mapping[str, str]]:
    """Gold answers and the reader's, of questions whose passage is in their own language."""
    chosen = [
        example
        for example in examples().values()
        if example.answered_in == "target" and example.question.lang in SAME_LANGUAGE
    ]
    pairs = [(example.question.text, gold_passage(example.question.qid).text) for example in chosen]
    predictions = {}
    for example, (_, text), reading in zip(chosen, pairs, read(pairs), strict=True):
        span = reading.best
        predictions[example.question.qid] = text[span.start : span.end] if span else ""
    references = [
        Reference(
            example.question.qid, example.question.lang, example.answers(example.question.lang)
        )
        for example in chosen
    ]
    return references, predictions


@cache
def same_language_scores() -> dict[str, Report]:
    """The reports of the same predictions by three scorers."""
    references, predictions = same_language()
    squad, mlqa = find_task("squad"), find_task("mlqa")
    return {
        "SQuAD's": squad.evaluate(references, predictions),
        "MLQA's": mlqa.evaluate(references, predictions),
        "strict": squad.evaluate(references, predictions, scorer="strict"),
    }


def score_table() -> Page:
    """`same_language_scores` as a table."""
    return show(
        score_grid(
            "Questions with passages in their own language, 12 a language",
            same_language_scores(),
            first="scorer",
        )
    )
