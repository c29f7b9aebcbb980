"""What the reader of lesson 3b reads: a long text, and right and wrong passages of questions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from xorqa.core.types import Example, Passage, Span
from xorqa.datasets import mini
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.reading.decode import TokenScores
from xorqa.reading.features import Window
from xorqa.reading.pairs import Reading

from .bundled import crossing, english
from .bundled_reader import (
    adapter,
    context_scores,
    examples,
    gold_passage,
    logits,
    question,
    read,
)

KINDS = ("right", "alike", "random")
"""The passages of a question: the one that answers it, the most alike, and one at random."""
LONG = "mini-ru-04"
BEFORE, AFTER = 7, 5  # passages of the long text around the one that answers


def card() -> Mapping[str, Any]:
    """What the default reader's file records about its training."""
    return adapter().card


def long_text() -> tuple[str, Span]:
    """Twelve English passages as one text, and where the answer to `LONG` is in it."""
    passages = list(english())
    position = passages.index(gold_passage(LONG))
    text = "\n".join(passage.text for passage in passages[position - BEFORE : position + AFTER])
    gold = examples()[LONG].golds[0].text
    start = text.index(gold)
    return text, Span(start, start + len(gold))


def read_windows(windows: Iterable[Window]) -> tuple[list[TokenScores], list[float]]:
    """For each window the scores of its passage's tokens, and P(it answers)."""
    outputs = [(window, logits(window)) for window in windows]
    temperature = float(card()["temperature"])
    relevance = [1 / (1 + np.exp(-float(output[0, 2]) / temperature)) for _, output in outputs]
    return [context_scores(*pair) for pair in outputs], relevance


@cache
def answered_in_english() -> dict[str, tuple[Passage, ...]]:
    """For each question that English answers, the passages of `KINDS`, by the question's id.

    The alike one is BM25's best other hit for the English translation. No wrong passage holds a
    gold answer.
    """
    world = mini.load()
    route = Route("eng", retriever={"use": "bm25"}, translator={"use": "human"})
    pipeline = Pipeline.from_config(
        PipelineSettings((route,)), world.corpora, translations=world.translations
    )
    traces = pipeline.answer([example.question for example in crossing()], until=Stop.RETRIEVE)
    draw, passages = random.Random(3), list(english())
    return {
        example.question.qid: (
            gold_passage(example.question.qid),
            _first_wrong(example, [hit.passage for hit in trace.by_route["eng"].hits]),
            _first_wrong(example, draw.sample(passages, 20)),
        )
        for example, trace in zip(crossing(), traces, strict=True)
    }


def _first_wrong(example: Example, candidates: Iterable[Passage]) -> Passage:
    """The first passage that is not gold and holds no gold answer."""
    golds = [gold.casefold() for gold in example.answers("en")]
    right = gold_passage(example.question.qid)
    return next(
        passage
        for passage in candidates
        if passage != right and not any(gold in passage.text.casefold() for gold in golds)
    )


@cache
def readings() -> dict[str, list[Reading]]:
    """What the reader finds in the passages of `answered_in_english`, in order, by their kind."""
    texts = answered_in_english()
    return {
        kind: read([(question(qid).text, passages[number].text) for qid, passages in texts.items()])
        for number, kind in enumerate(KINDS)
    }


def without_answer() -> list[tuple[str, str]]:
    """A quarter of the questions, each with its right passage without the answer's sentence."""
    return [(question(qid).text, _cut(qid)) for qid in list(answered_in_english())[::4]]


def _cut(qid: str) -> str:
    """The gold passage without the sentence that holds the answer."""
    text = gold_passage(qid).text
    place = next(gold.span for gold in examples()[qid].golds if gold.span)
    before = text.rfind(". ", 0, place.start) + 1
    after = text.find(". ", place.end) + 1 or len(text)
    return text[:before] + text[after:]
