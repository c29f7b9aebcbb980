"""A recorded run over real data for lesson 7b: ids, scores and offsets, without texts.

The data set is `xquad-open` in small: a sample of XQuAD's questions, the same in twelve languages,
searched in XQuAD's 240 English paragraphs and a sample of SQuAD's others. The texts are not ours to
ship; where the data set has been fetched, the ids and offsets lead to them. The module
`coda_recording` records it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from xorqa.datasets.catalog import find_dataset, load_dataset
from xorqa.io.strict_json import parse_json
from xorqa.metrics.report import Score

from .show import Page, table

DATA = "xquad-open"
PASSAGES = 2  # read


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one question in one language.

    `rank` is that of the gold passage among the hits, from 1; None where it is not among them.
    `docid`, `start` and `end` are the predicted span's place; the values after the scores are the
    official scorers', from 0 to 1.
    """

    qid: str
    lang: str
    rank: int | None
    docids: tuple[str, ...]
    scores: tuple[float, ...]
    docid: str
    start: int
    end: int
    passage_score: float
    span_score: float
    recall: float
    f1: float
    em: float


@dataclass(frozen=True, slots=True)
class Recording:
    """`manifest`: system, versions, seed and command; `golds`: qid to docid, start and end."""

    manifest: Mapping[str, Any]
    golds: Mapping[str, tuple[str, int, int]]
    rows: tuple[Row, ...]

    def scores(self, lang: str, *, label: str = "") -> list[Score]:
        """One language's scores; as `label` they pair with those of another language."""
        return [
            Score(row.qid, label or lang, {"R@2kt": row.recall, "f1": row.f1, "em": row.em})
            for row in self.rows
            if row.lang == lang
        ]

    @property
    def languages(self) -> list[str]:
        """English, then the others."""
        return sorted({row.lang for row in self.rows}, key=lambda lang: (lang != "en", lang))


@cache
def load() -> Recording:
    """The recording in the package."""
    data = (files(__package__) / "data" / "coda.json").read_bytes()
    return parse(parse_json(data))


def parse(value: Mapping[str, Any]) -> Recording:
    """A recording from the value of its file."""
    golds = {qid: (docid, start, end) for qid, docid, start, end in value["golds"]}
    names = [field.name for field in fields(Row)]
    rows = (Row(**dict(zip(names, map(_frozen, row), strict=True))) for row in value["rows"])
    return Recording(value["manifest"], golds, tuple(rows))


def _frozen(field: Any) -> Any:
    return tuple(field) if isinstance(field, list) else field


def texts(recording: Recording, qids: Sequence[str], langs: Sequence[str]) -> Page:
    """Questions, gold answers and predicted spans, looked up in the fetched data set.

    Without the data set it is a line that says how to fetch it.
    """
    if absent := find_dataset(DATA).absent():
        fetch = f"xorqa data fetch {' '.join(absent)}"
        line = f"The texts are not in the package. Fetch them ({fetch}) and run this cell again."
        return Page(f"<p>{line}</p>", line)
    dataset = load_dataset(DATA)
    questions = {example.question.qid: example.question.text for example in dataset.examples}
    passages = {passage.docid: passage.text for passage in dataset.corpora["en"]}

    def place(docid: str, start: int, end: int) -> str:
        return passages[docid][start:end]

    rows = [
        (
            questions[f"{qid}.{row.lang}"],
            place(*recording.golds[qid]),
            place(row.docid, row.start, row.end),
            f"{100 * row.f1:.0f}",
        )
        for qid in qids
        for row in recording.rows
        if row.qid == qid and row.lang in langs
    ]
    return table("Looked up", ("question", "gold", "predicted", "F1"), rows, labels=3)
