"""Calibration by language in lesson 3b: pairs of the bundled world and of a recorded run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bundled_reader import question
from .how_sure_passages import answered_in_english, readings
from .intervals import middle
from .thousands_of_questions_data import Reading, load

BINS = 10
SAMPLES = 1000  # of the bootstrap, and of the labels of a calibrated reader

Values = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of question and passage, a row each; `questions` number them across languages."""

    languages: NDArray[np.str_]
    questions: NDArray[np.int_]
    chances: Values
    right: Truths

    def of(self, language: str) -> Pairs:
        """The pairs of one language."""
        rows = self.languages == language
        return Pairs(*(column[rows] for column in self.columns))

    @property
    def columns(self) -> tuple[Any, ...]:
        """The arrays, in the order of the fields."""
        return self.languages, self.questions, self.chances, self.right


@dataclass(frozen=True, slots=True)
class Reliability:
    """One language's calibration: its error with a 95 % interval over questions.

    `by_chance` is the error below which 95 % of calibrated readers with these probabilities stay.
    """

    language: str
    pairs: int
    mean: float
    right: float
    error: float
    low: float
    high: float
    by_chance: float


def world_pairs() -> Pairs:
    """Each question of `answered_in_english` with its right and with its alike passage."""
    qids = list(answered_in_english())
    scores = [one.passage_score for kind in ("right", "alike") for one in readings()[kind]]
    right = np.repeat([True, False], len(qids))
    languages = np.array([question(qid).lang for qid in qids] * 2)
    return Pairs(languages, np.tile(np.arange(len(qids)), 2), np.exp(scores), right)


def recorded_pairs() -> Pairs:
    """Each recorded question with the passage of its answer, right if it is the gold one."""
    recording, readings = load(), recorded_readings()
    languages = np.repeat(recording.languages, len(recording.qids))
    questions = np.tile(np.arange(len(recording.qids)), len(readings))
    scores, right = (
        np.concatenate([reading.taken(column) for reading in readings])
        for column in ("passage", "right")
    )
    return Pairs(languages, questions, np.exp(scores), right.astype(bool))


def gold_was_read() -> Truths:
    """For each of `recorded_pairs` whether the gold passage was among those that were read."""
    read: Truths = np.concatenate([reading.right.any(axis=1) for reading in recorded_readings()])
    return read


def where_gold_was_read() -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Of the recorded run by language, where the reader got the gold passage.

    Returns the share of the questions, by how many points the mean P(passage) is too high, and the
    calibration error.
    """
    run, was_read = recorded_pairs(), gold_was_read()
    shares, too_high, errors = {}, {}, {}
    for lang in dict.fromkeys(run.languages):
        here = was_read & (run.languages == lang)
        shares[lang] = float(was_read[run.languages == lang].mean())
        too_high[lang] = float(100 * (run.chances[here] - run.right[here]).mean())
        errors[lang] = error_of(run.chances[here], run.right[here])
    return shares, too_high, errors


def recorded_readings() -> list[Reading]:
    """What was read of the passages that dense retrieval found, one language after the other."""
    return [load().reading("dense", lang) for lang in load().languages]


def error_of(chances: Values, right: Truths | Values) -> float:
    """The expected calibration error of pairs, in ten bins of equal width."""
    places = np.minimum((chances * BINS).astype(int), BINS - 1)
    return float(abs(np.bincount(places, chances - right)).sum() / len(chances))


def error_by_chance(chances: Values, stream: np.random.Generator) -> float:
    """The error below which 95 % of calibrated readers with these probabilities stay."""
    drawn = [error_of(chances, stream.random(len(chances)) < chances) for _ in range(SAMPLES)]
    return float(np.quantile(drawn, 0.95))


@cache
def reliability(source: str) -> list[Reliability]:
    """Each language's calibration in the bundled "world" or in the "recorded" run."""
    pairs = {"world": world_pairs, "recorded": recorded_pairs}[source]()
    return [_reliability(pairs.of(lang), lang) for lang in dict.fromkeys(pairs.languages.tolist())]


def _reliability(pairs: Pairs, language: str) -> Reliability:
    chances, right = pairs.chances, pairs.right
    stream = np.random.default_rng(1)
    rows = [np.flatnonzero(pairs.questions == number) for number in np.unique(pairs.questions)]
    drawn = (
        np.concatenate([rows[at] for at in stream.integers(len(rows), size=len(rows))])
        for _ in range(SAMPLES)
    )
    low, high = middle([error_of(chances[sample], right[sample]) for sample in drawn])
    return Reliability(
        language,
        len(chances),
        mean=float(chances.mean()),
        right=float(right.mean()),
        error=error_of(chances, right),
        low=low,
        high=high,
        by_chance=error_by_chance(chances, stream),
    )
