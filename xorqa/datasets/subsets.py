"""Subsets of a data set's questions: where the gold answer is, and how hard retrieval is.

Articles are divided by a hash of their titles.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from ..io.files import digest
from ..io.trec import Run
from .dataset import Dataset

TARGET: Final = "target"
ENGLISH: Final = "en"
"""`Example.answered_in` of questions that only the target or only the English Wikipedia answers."""
NOWHERE: Final = "nowhere"
"""`Example.answered_in` of questions that no passage answers."""

IN_LANGUAGE, CROSS_LINGUAL = "in-language", "cross-lingual"
EASY, HARD = "easy", "hard"
DEPTH = 20

DEFINITIONS = {
    IN_LANGUAGE: "In-language: only the Wikipedia in the question's language has the answer.",
    CROSS_LINGUAL: "Cross-lingual: only the English Wikipedia has the answer.",
    EASY: f"Easy: Lucene's BM25 retrieves a gold passage among the top {DEPTH}, searching English "
    "passages with the human translation and passages in the question's language with the "
    "question itself.",
    HARD: "Hard: it does not.",
}
"""Descriptions to print with a table that has these subsets."""


def title_hash(title: str) -> float:
    """A hash of an article's title from 0 to 1; articles below a threshold are a fixed sample."""
    return int(digest(title)[:8], 16) / 16**8


def gold_subsets(dataset: Dataset) -> dict[str, str]:
    """Map qids to `IN_LANGUAGE` or `CROSS_LINGUAL`, if it is known."""
    names = {TARGET: IN_LANGUAGE, ENGLISH: CROSS_LINGUAL}
    return {
        e.question.qid: names[e.answered_in] for e in dataset.examples if e.answered_in in names
    }


def retrieval_difficulty(dataset: Dataset, runs: Iterable[Run]) -> dict[str, str]:
    """Map qids of questions with a gold passage to `EASY` or `HARD`, see `DEFINITIONS`.

    `runs` are the ranked routes of a run of the config `lucene` over these questions.
    """
    retrieved: dict[str, set[str]] = {}
    for run in runs:
        for qid, docids in run.items():
            retrieved.setdefault(qid, set()).update(islice(docids, DEPTH))
    golds = {
        e.question.qid: {gold.docid for gold in e.golds if gold.docid} for e in dataset.examples
    }
    return {
        qid: EASY if docids & retrieved.get(qid, set()) else HARD
        for qid, docids in golds.items()
        if docids
    }
