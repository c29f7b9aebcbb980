"""Measures of what answers cite: the right passages, and quotations that are in them."""

from collections.abc import Iterable
from dataclasses import dataclass

from .report import Score

PRECISION, RECALL = "citation precision", "citation recall"
SUPPORTED = "supported quotations"


@dataclass(frozen=True, slots=True)
class Cited:
    """What the answer to a question cites: passages' docids, "" for one that does not exist.

    `supported` is the number of citations whose quotation occurs in its passage. `gold` are the
    docids of the passages that answer.
    """

    qid: str
    lang: str
    docids: tuple[str, ...]
    supported: int
    gold: frozenset[str]


def score_precision(answers: Iterable[Cited]) -> list[Score]:
    """`PRECISION`: the share of citations that are of a gold passage.

    Questions without a gold passage, and answers without citations, are left out.
    """
    return [
        Score(a.qid, a.lang, {PRECISION: sum(d in a.gold for d in a.docids) / len(a.docids)})
        for a in answers
        if a.gold and a.docids
    ]


def score_recall(answers: Iterable[Cited]) -> list[Score]:
    """`RECALL`: the share of gold passages that are cited, 0 without an answer.

    Questions without a gold passage are left out.
    """
    return [
        Score(a.qid, a.lang, {RECALL: len(a.gold.intersection(a.docids)) / len(a.gold)})
        for a in answers
        if a.gold
    ]


def score_supported(answers: Iterable[Cited]) -> list[Score]:
    """`SUPPORTED`: the share of citations with a quotation that occurs in the cited passage."""
    return [
        Score(a.qid, a.lang, {SUPPORTED: a.supported / len(a.docids)}) for a in answers if a.docids
    ]
