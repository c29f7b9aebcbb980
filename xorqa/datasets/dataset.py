"""A data set: examples, and the corpora that answer them; its subsets.

Subsets are by where the gold answer is, and by how hard retrieval is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from ..core.errors import ConfigError, one_of
from ..core.lang import ENGLISH
from ..core.types import Example, Question
from ..io.files import digest
from ..io.trec import Qrels, Run
from .corpus import Corpus


@dataclass(frozen=True, slots=True)
class Dataset:
    """`corpora` maps a language to its W_i; `corpora["en"]` is W_eng.

    A retrieval collection also has `qrels`, and the `measures` that its owners report, if known.
    """

    name: str
    examples: tuple[Example, ...]
    corpora: Mapping[str, Corpus]
    qrels: Qrels = field(default_factory=dict)
    measures: tuple[str, ...] = ()

    @property
    def languages(self) -> list[str]:
        """The languages of the questions, sorted."""
        return sorted({example.question.lang for example in self.examples})

    @property
    def translations(self) -> dict[str, str]:
        """Human translations into English, by qid."""
        pairs = ((e.question.qid, e.human_translation) for e in self.examples)
        return {qid: text for qid, text in pairs if text}

    def relevance(self) -> dict[str, dict[str, int]]:
        """The grades of the questions' passages: the qrels, else 1 if a gold answer is in it."""
        rows = {e.question.qid: self._grades(e) for e in self.examples}
        return {qid: dict(grades) for qid, grades in rows.items() if grades}

    def _grades(self, example: Example) -> Mapping[str, int]:
        if self.qrels:
            return self.qrels.get(example.question.qid, {})
        return {gold.docid: 1 for gold in example.golds if gold.docid}

    def only(self, languages: Sequence[str]) -> Dataset:
        """The data set with the questions in `languages` only.

        Raises:
            ConfigError: for a language without questions.
        """
        for code in languages:
            if code not in self.languages:
                raise ConfigError(
                    f"data set {self.name} has no questions in '{code}'; "
                    f"valid: {one_of(self.languages)}"
                )
        examples = tuple(e for e in self.examples if e.question.lang in languages)
        return replace(self, examples=examples)

    def sample(self, most: int) -> Dataset:
        """At most `most` questions per language, selected by the hash of their ids."""
        chosen = {q.qid for q in sample_questions((e.question for e in self.examples), most)}
        return replace(self, examples=tuple(e for e in self.examples if e.question.qid in chosen))


def sample_questions(questions: Iterable[Question], most: int) -> list[Question]:
    """At most `most` questions per language, the first by the hash of their ids."""
    count: Counter[str] = Counter()
    chosen = []
    for question in sorted(questions, key=lambda question: digest(question.qid)):
        if count[question.lang] < most:
            count[question.lang] += 1
            chosen.append(question)
    return chosen


TARGET: Final = "target"
"""`Example.answered_in` of questions that only the target Wikipedia answers; only the English one
answers those of `ENGLISH`."""
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
