"""Choose one answer a question by a learned, calibrated probability that it is right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.configured import Configured
from ...core.errors import ConfigError, WeightsError, one_of
from ...core.lang import LANGUAGES
from ...core.types import Answer, Question
from ...core.validation import SETTINGS
from ...io.files import digest, read_json, write_json
from ...models.adapters import SHIPPED
from ...text.scripts import script_share
from .features import FEATURES, features

DEFAULT = "chooser"
"""The weights that are used where none are named."""


@dataclass(frozen=True, slots=True)
class ChooserWeights:
    """A logistic regression over the features named; `card` says how it was made."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    card: Mapping[str, Any] = field(default_factory=dict)

    def log_p(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """(answers, features) to the log probability that each is right."""
        odds = (rows * np.array(self.weights)).sum(axis=1) + self.intercept
        found: NDArray[np.float64] = -np.logaddexp(0.0, -odds)
        return found


class LearnedChooser(Configured):
    """The answer that is most likely to be right, by logistic regression over `FEATURES`.

    `Answer.score` becomes the log of that probability. `foreign` is what a right answer is
    worth that stays in a script which the question's language is not written in: 1 as much as
    any (right is right), 0 nothing (XOR-Full's scorers, where it matches no gold answer).
    Equal chances: the better score of the reader, then the earlier in the list.

    `weights` are the shipped ones' name, or the path of a JSON file (`xorqa train chooser`).

    Raises:
        ConfigError: if `foreign` is not from 0 to 1.
        WeightsError: if there are no such weights; on first use, if they have other features.
    """

    version: int = 1

    def __init__(self, *, weights: str = DEFAULT, foreign: float = 1.0) -> None:
        if not 0 <= foreign <= 1:
            raise ConfigError(f"[chooser] foreign must be from 0 to 1, not {foreign}")
        self.path = find_chooser(weights)
        self.foreign = foreign

    def fingerprint(self) -> str:
        """A hash of the weights and the settings."""
        found = self.model
        return digest(found.features, found.weights, found.intercept, self.foreign)

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer]:
        """One answer a question; an empty one, made "none", where there are no candidates."""
        return [self._best(question, row) for question, row in zip(questions, answers, strict=True)]

    @cached_property
    def model(self) -> ChooserWeights:
        """The weights, read."""
        return open_chooser(self.path)

    def _best(self, question: Question, answers: Sequence[Answer]) -> Answer:
        if not answers:
            return Answer("", question.lang, float("-inf"), made="none")
        log_p = self.model.log_p(features(question, answers)).tolist()
        worth = [p + self._log_worth(a, question) for p, a in zip(log_p, answers, strict=True)]
        best = max(range(len(answers)), key=lambda at: (worth[at], log_p[at], answers[at].score))
        return replace(answers[best], score=log_p[best])

    def _log_worth(self, answer: Answer, question: Question) -> float:
        worth = self.foreign if is_foreign(answer, question.lang) else 1.0
        return math.log(worth) if worth else float("-inf")


def is_foreign(answer: Answer, lang: str) -> bool:
    """Whether it stayed in another language, in a script that `lang` is not written in."""
    known = LANGUAGES.get(lang)
    letters = any(map(str.isalpha, answer.text))
    if known is None or answer.lang == lang or not letters:
        return False
    return script_share(answer.text, known.script) < 0.5


def find_chooser(name: str) -> Path:
    """The file of shipped weights, by their name, or any file.

    Raises:
        WeightsError: if there is none.
    """
    path = SHIPPED / f"{name}.json"
    if not path.is_file():
        path = Path(name).expanduser()
    if not path.is_file():
        there = one_of(file.stem for file in SHIPPED.glob("*.json"))
        raise WeightsError(
            f"no weights of a chooser are called '{name}'; there are: {there}; "
            "make some with: xorqa train chooser"
        )
    return path


def open_chooser(path: Path) -> ChooserWeights:
    """Weights as `save_chooser` wrote them.

    Raises:
        WeightsError: if they are damaged, or do not fit the features there are.
    """
    try:
        found = SETTINGS.fill(ChooserWeights, read_json(path), where=str(path))
    except (ConfigError, TypeError) as error:
        raise WeightsError(f"{path} does not hold a chooser's weights: {error}") from error
    if found.features != FEATURES or len(found.weights) != len(FEATURES):
        raise WeightsError(
            f"{path} was trained on other features; train again with: xorqa train chooser"
        )
    return found


def save_chooser(path: Path, weights: ChooserWeights) -> None:
    """Write weights as JSON; what is read again is equal."""
    write_json(path, asdict(weights))
