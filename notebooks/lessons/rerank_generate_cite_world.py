"""Lesson 11: rankings of two languages, and the reader's answers where passages are missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from xorqa.core.types import Candidate, Example, Hit, Query
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load
from xorqa.lab.building.without_gold import without_gold
from xorqa.metrics.answers import best
from xorqa.metrics.tasks.squad import f1
from xorqa.models.adapters import no_answer_threshold
from xorqa.ranking.balance import Balance
from xorqa.ranking.by_reader import ReaderRanker
from xorqa.reading.pairs import DEFAULT_READER
from xorqa.reading.span import SpanReader
from xorqa.retrieval.dense import Dense

from . import bundled

HALVES = {"en": "cross-lingual", "target": "in-language"}
DEPTH, READ, PASSAGES = 20, 10, 5
SHARE, SEED = 1 / 3, 0

Rankings = Sequence[Sequence[Hit]]
"""The hits of each question, best first."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question's answer: the reader's confidence, and the loss: 1 - F1, or 1 without a gold one.

    `answerable`: whether a gold passage is left.
    """

    qid: str
    text: str
    confidence: float
    loss: float
    answerable: bool


@cache
def questions() -> tuple[Example, ...]:
    """The questions in seven languages."""
    return load().examples


@cache
def pool() -> Corpus:
    """The passages of all languages; a question searches the English ones and its own."""
    corpora = load().corpora.values()
    return Corpus("lesson 11", (passage for corpus in corpora for passage in corpus))


@cache
def _queries() -> list[Query]:
    return bundled.as_asked(questions())


@cache
def retrieved() -> Rankings:
    """The first hits of dense search with the original questions.

    Passages are scored one by one, so those of other languages can be left out afterwards.
    """
    dense = Dense(dtype="float32", corpus=pool(), folder=bundled.folder("lesson-11"))
    dense.build()
    searched = zip(dense.retrieve(_queries(), k=len(pool())), questions(), strict=True)
    return [
        [hit for hit in hits if hit.passage.lang in ("en", example.question.lang)][:DEPTH]
        for hits, example in searched
    ]


@cache
def rankings() -> dict[str, Rankings]:
    """The hits as they were retrieved, with languages in turn, and by the reader's relevance."""
    hits = retrieved()
    by_reader = ReaderRanker(depth=READ, dtype="float32")
    return {
        "dense": hits,
        "balance": Balance(depth=DEPTH).rank(_queries(), hits),
        "reader": by_reader.rank(_queries(), hits),
    }


def found(name: str, half: str, first: int) -> list[bool]:
    """Whether the gold passage is among the first hits, for each question of a half."""
    ranks = [
        bundled.rank(hits, example)
        for hits, example in zip(rankings()[name], questions(), strict=True)
        if example.answered_in == half
    ]
    return [rank is not None and rank <= first for rank in ranks]


def changes(name: str, half: str, first: int) -> tuple[int, int]:
    """How many questions gain their gold passage among the first hits, and how many lose it."""
    pairs = list(zip(found("dense", half, first), found(name, half, first), strict=True))
    return pairs.count((False, True)), pairs.count((True, False))


@cache
def answers() -> list[Answered]:
    """The reader's answers from the pool without a third of its gold passages.

    Retrieval scores passages one by one, so the others keep their order.
    """
    less = without_gold(load(), SHARE, seed=SEED)
    left = {passage.docid for corpus in less.corpora.values() for passage in corpus}
    read = SpanReader(passages=READ, dtype="float32").read(_queries(), retrieved())
    rows = zip(less.examples, questions(), retrieved(), read, strict=True)
    return [
        _answered(example, original, [h for h in hits if h.passage.docid in left], candidates)
        for example, original, hits, candidates in rows
    ]


def _answered(
    example: Example, original: Example, hits: Sequence[Hit], candidates: Sequence[Candidate]
) -> Answered:
    docids = {hit.passage.docid for hit in hits[:PASSAGES]}
    chosen = max(
        (c for c in candidates if c.docid in docids), key=lambda candidate: candidate.score
    )
    answerable = example.answered_in != "nowhere"
    score = best(f1, chosen.text, original.answers(chosen.lang))
    loss = 1 - score if answerable else 1.0
    qid = example.question.qid
    return Answered(qid, chosen.text, math.exp(chosen.score), loss, answerable)


def threshold() -> float:
    """The reader's own no-answer threshold, which was fitted on other questions."""
    return no_answer_threshold(DEFAULT_READER)
