"""A calibrated probability that an answer is right, for every answer of a trace.

It is a logistic regression over `FEATURES`, trained on questions with and without their answer in
the corpus (`xorqa train confidence`), for the retrievers and the readers of one or more configs.

Names and numbers of a question that a passage lacks are evidence that it is about something else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, WeightsError
from ...core.text.normalize import ascii_digits
from ...core.text.words import word_spans
from ...core.types import Answer, Hit, Question, Trace
from ...core.validation import SETTINGS, Share
from ...io.files import read_json, write_json
from ...models.adapters import SHIPPED
from ..choosing import features as chooser

SHIPPED_CONFIDENCE = SHIPPED / "confidence.json"
"""The shipped weights."""

_OF_CHOOSER = ("relevance", "span", "margin", "retrieval", "rank", "lead", "in target language")
FEATURES = (
    *_OF_CHOOSER,  # as the learned chooser's
    "agreement",  # P that a similar answer is right, from another passage in any language
    "lead in retrieval",  # the first hit's score over the second's, in standard deviations
    "missing names",  # share of the question's names that a passage in its language lacks
)
"""The columns of `features`, in order."""
_COLUMNS = [chooser.FEATURES.index(name) for name in _OF_CHOOSER]
_SUPPORT = [chooser.FEATURES.index(name) for name in ("same language", "other language")]
_MOST = 8.0  # standard deviations
_STEM = 5  # letters that inflected forms of a name share


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """A logistic regression over the named features; `card` records how it was trained.

    `threshold` is the probability below which an answer counts as not found. `stages` are the
    fingerprints of the retriever and of the reader that the weights were trained with, by the
    retriever's config table.
    """

    features: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    threshold: Share
    stages: Mapping[str, tuple[str, str]]
    card: Mapping[str, Any] = field(default_factory=dict)

    def probability(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """(answers, features) to the probability that each is right, if it was chosen."""
        odds = (rows * np.array(self.weights)).sum(axis=1) + self.intercept
        p: NDArray[np.float64] = np.exp(-np.logaddexp(0.0, -odds))
        return p


def with_confidence(
    trace: Trace, model: ConfidenceModel, *, calibrated: bool, min_confidence: float
) -> Trace:
    """The trace with a confidence for every answer; the answers begin with the chosen one.

    The others are ranked by their confidence, and answers with the same text are merged.
    """
    trace = replace(trace, min_confidence=min_confidence)
    chosen = chosen_of(trace)
    if chosen is None or trace.answer is None:
        return trace
    p = of_all(model.probability(features(trace)), chosen)
    answers = [
        replace(answer, confidence=float(value), calibrated=calibrated)
        for answer, value in zip(trace.answers, p, strict=True)
    ]
    best = replace(answers[chosen], score=trace.answer.score)
    by_text = {best.text: best}
    for position in np.argsort(-p, kind="stable").tolist():
        by_text.setdefault(answers[position].text, answers[position])
    return replace(trace, answer=best, answers=tuple(by_text.values()))


def chosen_of(trace: Trace) -> int | None:
    """The position of a trace's answer among its `answers`, None if it is not one of them."""
    if trace.answer is None or trace.answer.source is None:
        return None
    keys = [(answer.text, answer.source) for answer in trace.answers]
    key = (trace.answer.text, trace.answer.source)
    return keys.index(key) if key in keys else None


def of_all(p: NDArray[np.float64], chosen: int) -> NDArray[np.float64]:
    """The probabilities of all answers: another one is right only if the chosen one is wrong."""
    others: NDArray[np.float64] = np.minimum(p * (1 - p[chosen]), p[chosen])
    others[chosen] = p[chosen]
    return others


def open_confidence(path: Path) -> ConfidenceModel:
    """Read weights that `save_confidence` wrote.

    Raises:
        DataError: if there is no such file.
        WeightsError: if it is damaged, or its features are not `FEATURES`.
    """
    try:
        model = SETTINGS.fill(ConfidenceModel, read_json(path), where=str(path))
    except (ConfigError, TypeError) as error:
        raise WeightsError(f"{path} does not hold a confidence model: {error}") from error
    if model.features != FEATURES or len(model.weights) != len(FEATURES):
        raise WeightsError(
            f"{path} was trained on other features; train again with: xorqa train confidence"
        )
    return model


@cache
def shipped_confidence() -> ConfidenceModel:
    """The shipped weights."""
    return open_confidence(SHIPPED_CONFIDENCE)


def save_confidence(path: Path, model: ConfidenceModel) -> None:
    """Write weights as JSON."""
    write_json(path, asdict(model))


def features(trace: Trace) -> NDArray[np.float64]:
    """(answers, `FEATURES`) for the answers of a trace; a row does not depend on their order.

    They do not depend on the scale of a retriever's scores.
    """
    rows = chooser.features(trace.question, trace.answers)
    agreement = 1 - (1 - rows[:, _SUPPORT]).prod(axis=1, keepdims=True)
    leads = {route: _lead(result.hits) for route, result in trace.by_route.items()}
    more = [
        (
            leads.get(answer.source.route, 0.0) if answer.source else 0.0,
            missing_names(trace.question, answer),
        )
        for answer in trace.answers
    ]
    return np.hstack([rows[:, _COLUMNS], agreement, np.array(more, np.float64).reshape(-1, 2)])


def _lead(hits: Sequence[Hit]) -> float:
    scores = np.array([hit.score for hit in hits])
    deviation = float(scores.std()) if len(hits) > 1 else 0.0
    return min(float(scores[0] - scores[1]) / deviation, _MOST) if deviation else 0.0


def missing_names(question: Question, answer: Answer) -> float:
    """The share of the question's names and numbers that its passage and title lack.

    It is 0 if the question has none, and for passages in another language, where names may have
    another form. Names are words with a capital, except the first word.
    """
    source = answer.source
    if source is None or source.lang != question.lang:
        return 0.0
    names = [
        word.casefold()
        for position, word in enumerate(_words(question.text))
        if any(map(str.isdigit, word)) or (position and len(word) > 1 and word[0].isupper())
    ]
    passage = _folded(source.hit.passage.titled)
    missing = 0
    for name in names:
        inflected = len(name) >= _STEM and any(word.startswith(name[:_STEM]) for word in passage)
        missing += not (inflected or name in passage)
    return missing / max(len(names), 1)


@lru_cache(maxsize=1024)
def _folded(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _words(text))


def _words(text: str) -> tuple[str, ...]:
    plain = ascii_digits(text)
    return tuple(plain[span.start : span.end] for span in word_spans(plain))
