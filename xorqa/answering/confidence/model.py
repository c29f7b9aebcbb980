"""A calibrated probability that an answer is right, for every answer of a trace.

It is a logistic regression over `FEATURES`, trained on questions with and without their answer in
the corpus (`xorqa train confidence`), for one reader and the retrievers of one or more configs.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, WeightsError
from ...core.ranges import Share
from ...core.types import Answer, Trace
from ...core.validation import SETTINGS
from ...io.files import read_json, write_json
from ...models.adapters import SHIPPED
from .features import FEATURES, features

SHIPPED_CONFIDENCE = SHIPPED / "confidence.json"
"""The shipped weights."""


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """A logistic regression over the named features; `card` records how it was trained.

    `threshold` is the probability below which an answer counts as not found. `reader` is the
    fingerprint of the reader that the weights were trained with, `retrievers` those of the
    retrievers, by their config tables.
    """

    features: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    threshold: Share
    reader: str
    retrievers: Mapping[str, str]
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
    for at in np.argsort(-p, kind="stable").tolist():
        by_text.setdefault(answers[at].text, answers[at])
    return replace(trace, answer=best, answers=tuple(by_text.values()))


def chosen_of(trace: Trace) -> int | None:
    """The position of a trace's answer among its `answers`, None if it is not one of them."""
    if trace.answer is None or trace.answer.source is None:
        return None
    key = _key(trace.answer)
    return next((at for at, one in enumerate(trace.answers) if _key(one) == key), None)


def of_all(p: NDArray[np.float64], chosen: int) -> NDArray[np.float64]:
    """The probabilities of all answers: another one is right only if the chosen one is wrong."""
    others: NDArray[np.float64] = np.minimum(p * (1 - p[chosen]), p[chosen])
    others[chosen] = p[chosen]
    return others


def _key(answer: Answer) -> object:
    return answer.text, answer.source


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
