"""Held-out questions: how well a model in training reads them, and how sure it should be."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import fmean as mean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...io.squad_xor import SquadQuestion
from ...metrics.official.squad import f1
from ...metrics.overlap import best
from ...reading.pairs import PairReader, PairSettings, Reading
from ..common.sources import names
from .recipe import ReaderRecipe
from .windows import negatives, usable

BINS = 10


@dataclass(frozen=True, slots=True)
class Calibration:
    """The temperature that divides relevance logits, and the error without and with it.

    The error is the expected calibration error (Guo et al. 2017, section 2): how far, over
    bins of equal width, the mean probability is from the share of passages that answer.
    """

    temperature: float
    error_before: float
    error_after: float


@dataclass(frozen=True, slots=True)
class Development:
    """Held-out questions with their passages, and pairs in which the passage does not answer.

    `sizes` has the files and the number of questions of each source, in order.
    """

    questions: list[SquadQuestion]
    unanswered: list[tuple[str, str]]
    sizes: list[tuple[list[str], int]]

    def card(self, reader: Judged) -> dict[str, Any]:
        """What a card says of a trained reader: F1 on held-out articles, and its calibration.

        The calibration's error is without (`error_before`) and with the temperature.
        """
        pairs = [(question.question, question.context) for question in self.questions]
        logits = reader.relevance([*pairs, *self.unanswered])
        found = calibrate(logits, np.arange(len(logits)) < len(pairs))
        scores = f1_scores(reader, self.questions)
        about = {"questions": len(pairs), "f1": 100 * mean(scores), **asdict(found)}
        rest = iter(scores)
        by_source = [
            {"files": files, "questions": size, "f1": 100 * mean(islice(rest, size))}
            for files, size in self.sizes
            if size
        ]
        about |= {"unanswered": len(self.unanswered), "sources": by_source}
        return {"development": about, "temperature": found.temperature}


def held_out(
    sources: Sequence[Sequence[SquadQuestion]], recipe: ReaderRecipe
) -> Development | None:
    """Up to `recipe.development` questions of the held-out articles of each source.

    Each comes once more with a passage that does not answer it. None if there is no question.
    """
    rng = random.Random(recipe.seed)
    questions: list[SquadQuestion] = []
    unanswered: list[tuple[str, str]] = []
    sizes = []
    for source, some in zip(recipe.sources, sources, strict=True):
        there = usable(some, source, held_out=True)
        chosen = rng.sample(there, min(recipe.development, len(there)))
        questions += chosen
        unanswered += negatives(chosen, there, rng)
        sizes.append((names(source.files), len(chosen)))
    return Development(questions, unanswered, sizes) if questions else None


class Judged(PairReader):
    """A reader that tells what a card wants to know of it; it remembers nothing."""

    def spans(self, questions: Sequence[SquadQuestion]) -> list[str]:
        """The best span of each question's context, or nothing."""
        self._known.clear()
        readings = self.read([(question.question, question.context) for question in questions])
        return [
            question.context[reading.spans[0].span.start : reading.spans[0].span.end]
            if reading.spans
            else ""
            for question, reading in zip(questions, readings, strict=True)
        ]

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """The logit that the passage answers, of each (question, passage)."""
        self._known.clear()
        log_p = np.array([reading.passage_score for reading in self.read(pairs)])
        logits: NDArray[np.float64] = log_p - np.log(-np.expm1(np.minimum(log_p, -1e-9)))
        return logits


class InTraining(Judged):
    """A reader around a model that is being trained."""

    def __init__(self, model: Any, tokenizer: Any, *, max_tokens: int, dtype: str) -> None:
        super().__init__(judged_settings("", max_tokens=max_tokens, dtype=dtype))
        self.__dict__ |= {"_model": model, "_tokenizer": tokenizer, "temperature": 1.0}

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """As every reader does: without dropout."""
        learning = self._model.training
        self._model.eval()
        found = super().read(pairs)
        self._model.train(learning)
        return found


def judged_settings(adapter: str, *, max_tokens: int, dtype: str) -> PairSettings:
    """How held-out questions are read: spans of 30 tokens at most."""
    return PairSettings(adapter, max_tokens, longest=30, dtype=dtype)


def mean_f1(reader: Judged, questions: Sequence[SquadQuestion]) -> float:
    """The mean of SQuAD v1.1's F1 in percent."""
    return 100 * mean(f1_scores(reader, questions))


def f1_scores(reader: Judged, questions: Sequence[SquadQuestion]) -> list[float]:
    """SQuAD v1.1's F1 of each question, from 0 to 1."""
    answers = reader.spans(questions)
    return [best(f1, text, q.answers) for text, q in zip(answers, questions, strict=True)]


def calibrate(logits: NDArray[np.float64], answers: NDArray[np.bool_]) -> Calibration:
    """Temperature scaling (Guo et al. 2017, section 4.2) of a binary score.

    The temperature, from 0.1 to 10, is the one under which what was held out is most likely.
    """
    grid = np.geomspace(0.1, 10, 401)
    signed = np.where(answers, logits, -logits)
    losses = [np.logaddexp(0, -signed / temperature).mean() for temperature in grid]
    temperature = float(grid[int(np.argmin(losses))])
    before, after = (_error(logits / t, answers) for t in (1.0, temperature))
    return Calibration(temperature, before, after)


def _error(logits: NDArray[np.float64], answers: NDArray[np.bool_]) -> float:
    probabilities = 1 / (1 + np.exp(-logits))
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    gaps = [abs((probabilities - answers)[bins == at].sum()) for at in range(BINS)]
    return float(sum(gaps) / len(logits))
