"""The questions of the bundled world, their gold passages, and where those are ranked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from xorqa.core.types import Example, Hit, Query
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load


@cache
def crossing() -> tuple[Example, ...]:
    """The questions that only English passages answer."""
    return tuple(example for example in load().examples if example.answered_in == "en")


def english() -> Corpus:
    """The English passages."""
    return load().corpora["en"]


def gold_docid(example: Example) -> str:
    """The docid of the passage that answers a question."""
    return next(gold.docid for gold in example.golds if gold.docid)


def as_asked(examples: Sequence[Example]) -> list[Query]:
    """Queries that search with the questions in their own languages."""
    return [
        Query(example.question, example.question.text, example.question.lang)
        for example in examples
    ]


def translated(examples: Sequence[Example]) -> list[Query]:
    """Queries that search with the human translations."""
    return [Query(example.question, example.human_translation or "", "en") for example in examples]


def rank(hits: Sequence[Hit], example: Example) -> int | None:
    """The rank of the gold passage, from 1; None where it is not among the hits."""
    docids = [hit.passage.docid for hit in hits]
    gold = gold_docid(example)
    return docids.index(gold) + 1 if gold in docids else None


def within(runs: Sequence[Sequence[Hit]], depth: int, lang: str | None = None) -> float:
    """The percentage of crossing questions whose gold passage is among the first `depth` hits.

    `runs` are the hits of every crossing question, in order; `lang` selects one language.
    """
    ranks = [
        rank(hits, example)
        for hits, example in zip(runs, crossing(), strict=True)
        if lang in (None, example.question.lang)
    ]
    return 100 * sum(1 for position in ranks if position and position <= depth) / len(ranks)


def folder(name: str) -> Path:
    """A folder for an index, which is deleted when Python ends."""
    return Path(_temporary().name) / name


@cache
def _temporary() -> TemporaryDirectory[str]:
    return TemporaryDirectory()
