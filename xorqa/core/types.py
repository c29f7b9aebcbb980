"""The nouns of cross-lingual question answering, as frozen records.

A question becomes a query, a query finds hits, hits are read into candidates, and one
candidate becomes the answer. Gold lives in `Example` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

AnsweredIn = Literal["target", "en", "nowhere"]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked. `lang` is an ISO 639-1 code."""

    qid: str
    text: str
    lang: str


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched with; keeps its question, which a multilingual encoder prefers."""

    question: Question
    text: str
    lang: str


@dataclass(frozen=True, slots=True)
class Passage:
    """One retrievable piece of a corpus."""

    docid: str
    text: str
    title: str = ""
    lang: str = "en"

    @property
    def titled(self) -> str:
        """Title and text together, which is what indexes see."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found; its rank is its position in the list of hits."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character offsets into `Passage.text`."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Whether they share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Candidate:
    """One span read from one passage. Scores are natural logarithms of probabilities.

    `margin` is the distance to the best other span of the same passage, None without one;
    `retrieval_rank` counts from 0.
    """

    text: str
    lang: str
    route: str
    docid: str
    span: Span
    span_score: float
    passage_score: float
    margin: float | None
    retrieval_score: float
    retrieval_rank: int

    @property
    def score(self) -> float:
        """log P(passage answers) + log P(span | passage): comparable across passages."""
        return self.passage_score + self.span_score


@dataclass(frozen=True, slots=True)
class Answer:
    """What is shown. `made` says how: "span", "rule:date", ..., "translated", "copied"."""

    text: str
    lang: str
    score: float
    made: str
    source: Candidate | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """One acceptable answer, and where it stands if that is known."""

    text: str
    lang: str
    docid: str | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A question with what is known about it.

    `answered_in` is the one Wikipedia that answers it: "target" (the question's language's),
    "en", "nowhere", or None where that is unknown or both do.
    """

    question: Question
    golds: tuple[Gold, ...]
    human_translation: str | None = None
    answered_in: AnsweredIn | None = None

    def answers(self, lang: str) -> tuple[str, ...]:
        """The gold texts in one language."""
        return tuple(gold.text for gold in self.golds if gold.lang == lang)


@dataclass(frozen=True, slots=True)
class Trace:
    """All that happened to one question: queries and hits by route, candidates, the answer."""

    question: Question
    by_route: Mapping[str, tuple[Query, Sequence[Hit]]]
    candidates: tuple[Candidate, ...]
    answer: Answer | None
    timings: Mapping[str, float] = field(default_factory=dict)

    @property
    def evidence(self) -> Passage | None:
        """The passage the answer was read from, None without one."""
        if self.answer is None or self.answer.source is None:
            return None
        source = self.answer.source
        _, hits = self.by_route[source.route]
        return next(hit.passage for hit in hits if hit.passage.docid == source.docid)
