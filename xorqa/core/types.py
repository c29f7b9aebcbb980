"""The records of cross-lingual question answering, as frozen dataclasses.

A question becomes a query, a query retrieves hits, candidates are read from hits, and one
candidate becomes the answer. Only an `Example` contains gold answers.
Ranked results are ordered by score, the highest first, then by docid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

AnsweredIn = Literal["target", "en", "nowhere"]
SearchText = Literal["query", "question"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question in its original language; `lang` is an ISO 639-1 code."""

    qid: str
    text: str
    lang: str


@dataclass(frozen=True, slots=True)
class Query:
    """The text to search with, and the question, which multilingual encoders use instead.

    `confidence` is the translator's probability, from 0 to 1, that the text is right, if known.
    """

    question: Question
    text: str
    lang: str
    confidence: float | None = None

    def of(self, text: SearchText) -> Query | Question:
        """The query itself, or the question as asked: what the setting `text` of a stage names."""
        return self if text == "query" else self.question


@dataclass(frozen=True, slots=True)
class ReadingFailure:
    """A question whose passages could not be read, with the reason: it has no answer."""

    question: Question
    reason: str


@dataclass(frozen=True, slots=True)
class TranslationFailure:
    """A question that could not be translated and was searched as it is, with the reason."""

    question: Question
    reason: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a corpus, the unit of retrieval."""

    docid: str
    text: str
    title: str = ""
    lang: str = "en"

    @property
    def titled(self) -> str:
        """Title and text together, as they are indexed."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved passage; its rank is its position in the list of hits."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character offsets into `Passage.text`."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Whether the spans share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """A reader's scores of one span, natural logarithms of probabilities.

    `span` is log P(span | passage), `passage` log P(passage answers), and `margin` the difference
    to the best other span of the same passage, or None if there is no other.
    """

    span: float
    passage: float
    margin: float | None = None

    @property
    def joint(self) -> float:
        """log P(passage answers) + log P(span | passage)."""
        return self.passage + self.span


@dataclass(frozen=True, slots=True)
class Citation:
    """What a generated answer cites: the number of a passage, from 1, and a quotation from it.

    `docid` is "" if there is no passage of that number. `span` is the quotation's place in the
    passage's text, None if it does not occur there.
    """

    number: int
    quote: str
    docid: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """An answer that a model wrote, the language that it is in, and what it cites.

    `asked_again`: the model's first answer was in another language than it should have been.
    """

    text: str
    lang: str
    citations: tuple[Citation, ...] = ()
    asked_again: bool = False

    @property
    def supported(self) -> int:
        """The number of citations whose quotation occurs in its passage."""
        return sum(citation.span is not None for citation in self.citations)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One span read from the passage of a hit, or an answer generated from several hits.

    `rank` is the hit's position in its list, from 0; the pipeline fills in the route. For a
    `generated` answer, `hit` and `span` are its evidence: the first quotation that occurs in its
    passage, else an empty span of the first passage that it cites or was given.
    """

    hit: Hit
    rank: int
    span: Span
    scores: CandidateScores
    route: str = ""
    generated: Generated | None = None

    @property
    def text(self) -> str:
        """The generated answer, or the span's text."""
        return self.generated.text if self.generated else self.evidence

    @property
    def lang(self) -> str:
        """The generated answer's language, or the passage's."""
        return self.generated.lang if self.generated else self.hit.passage.lang

    @property
    def evidence(self) -> str:
        """The span's text."""
        return self.hit.passage.text[self.span.start : self.span.end]

    @property
    def docid(self) -> str:
        """The passage's docid."""
        return self.hit.passage.docid

    @property
    def score(self) -> float:
        """log P(passage answers), by which candidates are ranked across passages and routes.

        The span's own probability is low where several spans share the answer, and says little
        about which passage to prefer.
        """
        return self.scores.passage


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to show.

    `method` is how its text was produced: "span", "generated", "rule:date", ..., "translated",
    "copied", or "none" for an empty answer.

    `confidence` is the probability, from 0 to 1, that it is right, None if nothing estimated it.
    If it is not `calibrated`, it was estimated for a reader or a retriever of other weights.
    """

    text: str
    lang: str
    score: float
    method: str
    source: Candidate | None = None
    confidence: float | None = None
    calibrated: bool = True

    @property
    def original(self) -> str | None:
        """The passage's text if the answer was localised into another one, else None."""
        if self.source is None or self.source.text == self.text:
            return None
        return self.source.text

    @property
    def with_original(self) -> str:
        """The text to show to people, with its original: "에두아르 발라뒤르 (Édouard Balladur)"."""
        return f"{self.text} ({self.original})" if self.original else self.text


@dataclass(frozen=True, slots=True)
class Gold:
    """An acceptable answer, with its passage and span if they are known."""

    text: str
    lang: str
    docid: str | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its gold answers.

    `answered_in` is the Wikipedia that answers it: "target" (that of the question's language),
    "en", "nowhere", or None if that is unknown or both do.
    """

    question: Question
    golds: tuple[Gold, ...]
    human_translation: str | None = None
    answered_in: AnsweredIn | None = None

    def answers(self, lang: str) -> tuple[str, ...]:
        """The gold texts in one language."""
        return tuple(gold.text for gold in self.golds if gold.lang == lang)


@dataclass(frozen=True, slots=True)
class RouteResult:
    """What one route did for a question: its query, its hits, and the candidates read from them.

    `retrieved` has the hits before ranking, None if the route has no ranker.
    """

    query: Query
    hits: Sequence[Hit]
    candidates: Sequence[Candidate] = ()
    retrieved: Sequence[Hit] | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """Every intermediate result for one question: those of its routes, candidates, answer.

    `answers` are the localised answers of the candidates, from which `answer` was chosen. An answer
    less probable than `min_confidence` counts as not found.
    """

    question: Question
    by_route: Mapping[str, RouteResult]
    candidates: tuple[Candidate, ...]
    answer: Answer | None
    timings: Mapping[str, float] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    min_confidence: float = 0.0

    @property
    def retrieved(self) -> dict[str, Sequence[Hit]]:
        """The hits before ranking, by route with a ranker."""
        results = self.by_route.items()
        return {name: each.retrieved for name, each in results if each.retrieved is not None}

    @property
    def found(self) -> bool:
        """Whether there is an answer, and it is probable enough."""
        answer = self.answer
        if answer is None or answer.source is None:
            return False
        return answer.confidence is None or answer.confidence >= self.min_confidence

    @property
    def evidence(self) -> Passage | None:
        """The passage that the answer was read from, or None."""
        source = self.answer.source if self.answer else None
        return source.hit.passage if source else None


def rank_key(score: float, docid: str) -> tuple[float, str]:
    """The sort key of a result."""
    return -score, docid


def best_first(hits: Iterable[Hit]) -> list[Hit]:
    """Sort hits by rank."""
    return sorted(hits, key=lambda hit: rank_key(hit.score, hit.passage.docid))
