"""The recorded run of lesson 9: ranks, scores and offsets of 14,280 questions, without texts.

The data set is `xquad-open`: XQuAD's 1,190 questions, the same in twelve languages, searched in the
20,963 paragraphs of SQuAD. The texts are not ours to ship; where the data set has been fetched, the
ids and offsets lead to them. The module `thousands_of_questions_recording` records it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from xorqa.datasets.catalog import find_dataset, load_dataset

from .show import Page, table

DATA = "xquad-open"
FILE = "thousands_of_questions.npz"
TRANSLATED = "BM25, translated"
"""BM25 with the English question: a perfect translation. The reader still gets the one as asked."""
PASSAGES = 2  # read for each question

Array = NDArray[Any]


@dataclass(frozen=True)
class Recording:
    """Arrays over languages (English first) and questions, the same in each language.

    `columns` maps "SYSTEM/MEASURE" to an array. The systems are "BM25", `TRANSLATED`, "dense",
    "fused" (the first and the third) and "fused, translated" (the second and the third). Each has
    the gold passage's `rank` from 1 (0 where it is not among the first hundred), the number of
    `hits`, and "R@2kt" and "R@5kt" of the official scorer; "questions/latin" is whether a question
    has a word in Latin letters. Two of them were read, `TRANSLATED` and "dense"; the columns of
    a `Reading` have a last axis for the two passages.
    """

    manifest: Mapping[str, Any]
    languages: tuple[str, ...]
    qids: tuple[str, ...]
    golds: Array  # of each question: the gold passage's number, start and end of its answer
    columns: Mapping[str, Array]

    @property
    def others(self) -> tuple[str, ...]:
        """The languages besides English."""
        return self.languages[1:]

    def ranks(self, system: str, lang: str) -> Array:
        """The gold passage's ranks in one language, infinite where it is not among the hits."""
        ranks = self._column(system, "rank", lang)
        return np.where(ranks == 0, np.inf, ranks)

    def hits(self, system: str, lang: str) -> Array:
        """How many passages each search returned, at most a hundred."""
        return self._column(system, "hits", lang)

    def latin(self, lang: str) -> Array:
        """Whether each question has a word in Latin letters."""
        return self._column("questions", "latin", lang)

    def answered(self, system: str, lang: str, budget: int) -> Array:
        """Whether the official scorer finds an answer in so many thousand tokens."""
        return self._column(system, f"R@{budget}kt", lang)

    def reading(self, system: str, lang: str) -> Reading:
        """What the reader did with the first two passages of each question in one language."""
        columns = {name: self._column(system, name, lang) for name in Reading.COLUMNS}
        return Reading(self.golds[:, 0], **columns)

    def _column(self, system: str, measure: str, lang: str) -> Array:
        column: Array = self.columns[f"{system}/{measure}"][self.languages.index(lang)]
        return column

    def dump(self) -> bytes:
        """The recording as the bytes of its file."""
        facts = {"manifest": self.manifest, "languages": self.languages, "qids": self.qids}
        arrays: dict[str, Any] = {"facts": json.dumps(facts), "golds": self.golds, **self.columns}
        stored = BytesIO()
        np.savez_compressed(stored, **arrays)
        return stored.getvalue()


@dataclass(frozen=True)
class Reading:
    """What the reader found: a row per question of one language, a column per passage.

    `gold` and `docid` are numbers of passages, `passage` and `span` log probabilities, `start` and
    `end` the best span's place; `f1` and `em` are the official scores of its text, from 0 to 1.
    """

    gold: Array
    docid: Array
    passage: Array
    span: Array
    start: Array
    end: Array
    f1: Array
    em: Array

    COLUMNS: ClassVar = ("docid", "passage", "span", "start", "end", "f1", "em")

    @property
    def right(self) -> Array:
        """Whether each passage is the gold one."""
        right: Array = self.docid == self.gold[:, None]
        return right

    def best(self, scores: Array) -> Array:
        """Which passage, 0 or 1, has the higher score for each question; the first one if equal."""
        best: Array = np.argmax(scores, axis=1)
        return best

    def taken(self, column: str, passages: Array | None = None) -> Array:
        """A column of the passages (0 or 1) that are taken, by default those of the answers.

        The answer is the best span of the passage with the higher P(passage).
        """
        passages = self.best(self.passage) if passages is None else passages
        values: Array = getattr(self, column)[np.arange(len(self.gold)), passages]
        return values.astype(float)


@cache
def load() -> Recording:
    """The recording in the package."""
    return parse((files(__package__) / "data" / FILE).read_bytes())


def parse(data: bytes) -> Recording:
    """A recording from the bytes of its file."""
    with np.load(BytesIO(data), allow_pickle=False) as stored:
        columns = {name: stored[name] for name in stored.files}
    facts = json.loads(str(columns.pop("facts")))
    golds = columns.pop("golds")
    languages, qids = tuple(facts["languages"]), tuple(facts["qids"])
    return Recording(facts["manifest"], languages, qids, golds, columns)


def docid_of(number: int) -> str:
    """The docid of a passage of `xquad-open`."""
    return f"squad-{number:05d}"


def texts(recording: Recording, system: str, at: Sequence[int], langs: Sequence[str]) -> Page:
    """Questions (positions `at`), gold answers and predicted spans, from the fetched data set.

    Without the data set it is a line that says how to fetch it.
    """
    if absent := find_dataset(DATA).absent():
        fetch = f"xorqa data fetch {' '.join(absent)}"
        line = f"The texts are not in the package. Fetch them ({fetch}) and run this cell again."
        return Page(f"<p>{line}</p>", line)
    dataset = load_dataset(DATA)
    questions = {example.question.qid: example.question.text for example in dataset.examples}
    passages = {passage.docid: passage.text for passage in dataset.corpora["en"]}

    def place(docid: int, start: int, end: int) -> str:
        return passages[docid_of(docid)][start:end]

    rows = []
    for row in at:
        for lang in langs:
            read = recording.reading(system, lang)
            best = read.best(read.passage)[row]
            rows.append(
                (
                    questions[f"{recording.qids[row]}.{lang}"],
                    place(*recording.golds[row]),
                    place(*(getattr(read, name)[row, best] for name in ("docid", "start", "end"))),
                    f"{100 * read.f1[row, best]:.0f}",
                )
            )
    return table("Looked up", ("question", "gold", "predicted", "F1"), rows, labels=3)
