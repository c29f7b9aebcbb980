"""Choose one answer per question by a learned, calibrated probability that it is right.

The calibration maps the chooser's probability to the share of right answers that its card observed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, WeightsError, one_of
from ...core.lang import LANGUAGES
from ...core.stages import BaseChooser, Configured
from ...core.text.detection import script_share
from ...core.types import Answer, Question
from ...core.validation import SETTINGS, Share
from ...io.files import digest, read_json, write_json
from ...models.adapters import SHIPPED
from .features import FEATURES, OLD_FEATURES, features

DEFAULT = "chooser"
"""The default weights."""


class Bin(NamedTuple):
    """Held-out answers of similar probability: share of all, mean probability, share right."""

    share: float
    p: float
    right: float


def read_bins(card: Mapping[str, Any]) -> tuple[Bin, ...]:
    """The bins of the table `reliability` in a chooser's card; empty if it has none.

    Raises:
        WeightsError: if it is damaged.
    """
    try:
        rows = card.get("calibration", {}).get("reliability", [])
        return tuple(Bin(*(float(row[name]) for name in Bin._fields)) for row in rows)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise WeightsError(
            f"the chooser's card has a damaged table 'reliability': {error}"
        ) from error


def observed_share(p: float, bins: Sequence[Bin]) -> float:
    """The share of held-out answers as probable as `p` that were right, from 0 to 1.

    Neighbouring bins with decreasing shares are pooled (isotonic regression). The share is
    interpolated between bins and constant above the last one. Without bins it is `p`.
    """
    if not bins:
        return p
    pools: list[Bin] = []
    for observed in sorted(bins, key=lambda observed: observed.p):
        pool = observed
        while pools and pools[-1].right >= pool.right:
            pool = _pooled(pools.pop(), pool)
        pools.append(pool)
    points = [Bin(0.0, 0.0, 0.0), *pools]
    return float(np.interp(p, [point.p for point in points], [point.right for point in points]))


def _pooled(a: Bin, b: Bin) -> Bin:
    share = a.share + b.share
    means = ((a.share * x + b.share * y) / share for x, y in ((a.p, b.p), (a.right, b.right)))
    return Bin(share, *means)


@dataclass(frozen=True, slots=True)
class ChooserWeights:
    """A logistic regression over the named features; `card` records how it was trained."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    card: Mapping[str, Any] = field(default_factory=dict)

    def log_p(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """(answers, features) to the log probability that each is right."""
        odds = (rows * np.array(self.weights)).sum(axis=1) + self.intercept
        log_p: NDArray[np.float64] = -np.logaddexp(0.0, -odds)
        return log_p


class LearnedChooser(Configured, BaseChooser):
    """Choose the answer most likely to be right, by logistic regression over `FEATURES`.

    `Answer.score` becomes the log of that probability. `Answer.confidence` becomes the share of
    right answers among held-out training answers with a similar probability (`reliability` in the
    card); it is measured before localisation, and a partly right answer counts by its F1.

    `foreign` is the value of a right answer in a script that the question's language is not
    written in: 1 if it is worth as much as any other, 0 if nothing (in XOR-Full's scorers it
    matches no gold answer). Ties: the reader's better score, then the earlier in the list.

    Of generated answers, which it was not trained on, the best score is chosen, unchanged.

    `weights` is the name of shipped weights or the path of a JSON file (`xorqa train chooser`).

    Example:
        >>> from xorqa import Answer, Candidate, CandidateScores, Hit, LearnedChooser
        >>> from xorqa import Passage, Question, Span
        >>> hits = [Hit(Passage("a", "It was 1871."), 9.0), Hit(Passage("b", "Perhaps 1872."), 2.0)]
        >>> scores = [CandidateScores(-0.05, -0.01, 9.0), CandidateScores(-2.0, -6.0, 0.5)]
        >>> sources = [Candidate(hits[i], i, Span(7, 11), scores[i], "eng") for i in range(2)]
        >>> answers = [Answer(read.text, "en", read.score, "span", read) for read in sources]
        >>> [best] = LearnedChooser().choose([Question("q", "When?", "en")], [answers])
        >>> best.text, round(best.confidence, 2)
        ('1871', 0.53)

    Raises:
        ConfigError: if `foreign` is not from 0 to 1.
        WeightsError: if the weights do not exist; on first use, if they have other features.
    """

    version: int = 1

    def __init__(self, *, weights: str = DEFAULT, foreign: Share = 1.0) -> None:
        self.path = find_chooser(weights)
        self.foreign = foreign

    def fingerprint(self) -> str:
        """A hash of the weights and the settings."""
        model = self.model
        return digest(model.features, model.weights, model.intercept, self.foreign)

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer]:
        """One answer per question; without candidates an empty one of method "none"."""
        return [self._best(question, row) for question, row in zip(questions, answers, strict=True)]

    @cached_property
    def model(self) -> ChooserWeights:
        """The weights."""
        return open_chooser(self.path)

    @cached_property
    def bins(self) -> tuple[Bin, ...]:
        """The calibration table of the card."""
        return read_bins(self.model.card)

    def _best(self, question: Question, answers: Sequence[Answer]) -> Answer:
        if not answers:
            return Answer("", question.lang, float("-inf"), method="none")
        if any(answer.source and answer.source.generated for answer in answers):
            return max(answers, key=lambda answer: answer.score)
        log_p = self.model.log_p(features(question, answers)).tolist()
        of_foreign = math.log(self.foreign) if self.foreign else float("-inf")
        keys = [
            (p + (of_foreign if is_foreign(answer, question.lang) else 0.0), p, answer.score)
            for p, answer in zip(log_p, answers, strict=True)
        ]
        best = keys.index(max(keys))
        confidence = observed_share(math.exp(log_p[best]), self.bins)
        return replace(answers[best], score=log_p[best], confidence=confidence)


def is_foreign(answer: Answer, lang: str) -> bool:
    """Whether an answer is in another language and in a script that `lang` does not use."""
    language = LANGUAGES.get(lang)
    letters = any(map(str.isalpha, answer.text))
    if language is None or answer.lang == lang or not letters:
        return False
    return script_share(answer.text, language.script) < 0.5


def shipped_choosers() -> dict[str, Path]:
    """The files of the shipped weights of choosers, by name."""
    return {path.stem: path for path in SHIPPED.glob("chooser*.json")}


def find_chooser(name: str) -> Path:
    """The file of weights: the name of shipped weights, or a path.

    Raises:
        WeightsError: if there is no such file.
    """
    shipped = shipped_choosers()
    path = shipped.get(name, Path(name).expanduser())
    if not path.is_file():
        raise WeightsError(
            f"no weights of a chooser are called '{name}'; valid: {one_of(shipped)}; "
            "or train your own with: xorqa train chooser"
        )
    return path


def open_chooser(path: Path) -> ChooserWeights:
    """Read weights that `save_chooser` wrote, with the current names of features.

    Raises:
        WeightsError: if they are damaged, or their features are not `FEATURES`.
    """
    try:
        weights = SETTINGS.fill(ChooserWeights, read_json(path), where=str(path))
    except (ConfigError, TypeError) as error:
        raise WeightsError(f"{path} does not hold a chooser's weights: {error}") from error
    names = tuple(OLD_FEATURES.get(name, name) for name in weights.features)
    if names != FEATURES or len(weights.weights) != len(FEATURES):
        raise WeightsError(
            f"{path} was trained on other features; train again with: xorqa train chooser"
        )
    return replace(weights, features=names)


def save_chooser(path: Path, weights: ChooserWeights) -> None:
    """Write weights as JSON."""
    write_json(path, asdict(weights))
