"""Which articles go where, and the parts a data set's questions fall into."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from ..io.files import digest
from ..io.trec import Run
from .dataset import Dataset

TARGET: Final = "target"
ENGLISH: Final = "en"
"""`Example.answered_in` of questions that only W_i, or only W_eng, answers."""

IN_LANGUAGE, CROSS_LINGUAL = "in-language", "cross-lingual"
EASY, HARD = "easy", "hard"
DEPTH = 20

DEFINITIONS = {
    IN_LANGUAGE: "In-language: the answer stands only in the question's own Wikipedia.",
    CROSS_LINGUAL: "Cross-lingual: the answer stands only in the English Wikipedia.",
    EASY: f"Easy: Lucene's BM25 has a gold passage among its first {DEPTH}, searching English "
    "passages with the human translation and passages in the question's language with the "
    "question itself.",
    HARD: "Hard: it has none.",
}
"""What to print with a table that has these parts."""


def lot(title: str) -> float:
    """An article's place from 0 to 1, by its title's hash: a share below s is the same for all."""
    return int(digest(title)[:8], 16) / 16**8


def parts(dataset: Dataset) -> dict[str, str]:
    """Qid to where the gold stands; without the questions of which that is not known."""
    names = {TARGET: IN_LANGUAGE, ENGLISH: CROSS_LINGUAL}
    return {
        e.question.qid: names[e.answered_in] for e in dataset.examples if e.answered_in in names
    }


def levels(dataset: Dataset, runs: Iterable[Run]) -> dict[str, str]:
    """Qid to easy or hard, as `DEFINITIONS` says, of the questions that have a gold passage.

    `runs` are the routes of a run of the config `lucene` over these questions, each ranked.
    """
    found: dict[str, set[str]] = {}
    for run in runs:
        for qid, docs in run.items():
            found.setdefault(qid, set()).update(islice(docs, DEPTH))
    golds = {
        e.question.qid: {gold.docid for gold in e.golds if gold.docid} for e in dataset.examples
    }
    return {
        qid: EASY if docids & found.get(qid, set()) else HARD
        for qid, docids in golds.items()
        if docids
    }
