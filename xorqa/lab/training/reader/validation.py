"""Validation of a reader on held-out questions: F1, and calibration of the relevance score."""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import fmean as mean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....io.squad_xor import SquadQuestion
from ....metrics.answers import best
from ....metrics.tasks.squad import f1
from ....reading.pairs import PairReader, PairSettings, QuestionPassage, Reading
from ..common.recipe import SquadSource, short_names
from .windows import sample_negatives, usable_questions

BINS = 10


@dataclass(frozen=True, slots=True)
class Calibration:
    """The temperature that divides relevance logits, and the error without and with it.

    The error is the expected calibration error (Guo et al. 2017, section 2): the mean gap, over
    bins of equal width, between the probability and the share of passages that answer.
    """

    temperature: float
    error_before: float
    error_after: float


class ValidationReader(PairReader):
    """A reader of validation questions; it caches nothing between calls."""

    def __init__(self, adapter: str, *, max_tokens: int, dtype: str) -> None:
        super().__init__(PairSettings(adapter, max_tokens, longest=30, dtype=dtype))

    def spans(self, questions: Sequence[SquadQuestion]) -> list[str]:
        """The best span in each question's context, empty if there is none."""
        self._readings.clear()
        readings = self.read(_pairs(questions))
        return [
            question.context[reading.best.start : reading.best.end] if reading.best else ""
            for question, reading in zip(questions, readings, strict=True)
        ]

    def relevance(self, pairs: Sequence[QuestionPassage]) -> NDArray[np.float64]:
        """For each (question, passage) the logit that the passage answers."""
        self._readings.clear()
        log_p = np.array([reading.passage_score for reading in self.read(pairs)])
        logits: NDArray[np.float64] = log_p - np.log(-np.expm1(np.minimum(log_p, -1e-9)))
        return logits


class LoadedReader(ValidationReader):
    """A reader around a model in memory, which may be in the middle of its training."""

    def __init__(self, model: Any, tokenizer: Any, *, max_tokens: int, dtype: str) -> None:
        super().__init__("", max_tokens=max_tokens, dtype=dtype)
        self._model, self._tokenizer, self.temperature = model, tokenizer, 1.0

    def read(self, pairs: Sequence[QuestionPassage]) -> list[Reading]:
        """Read without dropout, as a trained reader does."""
        training = self._model.training
        self._model.eval()
        readings = super().read(pairs)
        self._model.train(training)
        return readings


@dataclass(frozen=True, slots=True)
class ReaderValidationSet:
    """Held-out questions with their passages, and pairs whose passage does not answer.

    `sizes` has the files and the number of questions of each source, in order. The answers of
    `agreement` are a teacher's spans, not gold.
    """

    questions: list[SquadQuestion]
    unanswerable: list[QuestionPassage]
    sizes: list[tuple[list[str], int]]
    agreement: Sequence[SquadQuestion] = ()

    def card(self, reader: ValidationReader) -> dict[str, Any]:
        """A trained reader's F1 on held-out articles and its calibration, for its card.

        The calibration error is given without (`error_before`) and with the temperature.
        """
        pairs = _pairs(self.questions)
        logits = reader.relevance([*pairs, *self.unanswerable])
        calibration = calibrate(logits, np.arange(len(logits)) < len(pairs))
        scores = f1_scores(reader, self.questions)
        remaining = iter(scores)
        by_source = [
            {"files": files, "questions": size, "f1": 100 * mean(islice(remaining, size))}
            for files, size in self.sizes
            if size
        ]
        results = {"questions": len(pairs), "f1": 100 * mean(scores), **asdict(calibration)}
        results |= {"unanswered": len(self.unanswerable), "sources": by_source}
        if self.agreement:
            results["agreement"] = _agreement(reader, self.agreement)
        return {"validation": results, "temperature": calibration.temperature}


def validation_set(
    questions: Sequence[Sequence[SquadQuestion]],
    sources: Sequence[SquadSource],
    *,
    per_source: int,
    rng: random.Random,
) -> ReaderValidationSet | None:
    """Up to `per_source` questions from the held-out articles of each source.

    Each is used again with a passage that does not answer it. None if there is no question.
    """
    sampled: list[SquadQuestion] = []
    unanswerable: list[QuestionPassage] = []
    sizes = []
    for source, of_source in zip(sources, questions, strict=True):
        held_out = usable_questions(of_source, source, held_out=True)
        sample = rng.sample(held_out, min(per_source, len(held_out)))
        sampled += sample
        unanswerable += sample_negatives(sample, held_out, rng)
        sizes.append((short_names(source.files), len(sample)))
    return ReaderValidationSet(sampled, unanswerable, sizes) if sampled else None


def _pairs(questions: Sequence[SquadQuestion]) -> list[QuestionPassage]:
    return [QuestionPassage(question.question, question.context) for question in questions]


def _agreement(reader: ValidationReader, questions: Sequence[SquadQuestion]) -> dict[str, Any]:
    """The F1 of the reader's spans with the teacher's, by the question's language."""
    by_lang: dict[str, list[float]] = {}
    for question, score in zip(questions, f1_scores(reader, questions), strict=True):
        by_lang.setdefault(question.lang, []).append(score)
    every = [score for scores in by_lang.values() for score in scores]
    langs = {lang: 100 * mean(scores) for lang, scores in sorted(by_lang.items())}
    return {"questions": len(every), "f1": 100 * mean(every), "languages": langs}


def mean_f1(reader: ValidationReader, questions: Sequence[SquadQuestion]) -> float:
    """The mean of SQuAD v1.1's F1, in percent."""
    return 100 * mean(f1_scores(reader, questions))


def f1_scores(reader: ValidationReader, questions: Sequence[SquadQuestion]) -> list[float]:
    """SQuAD v1.1's F1 of each question, from 0 to 1."""
    answers = reader.spans(questions)
    return [best(f1, text, q.answers) for text, q in zip(answers, questions, strict=True)]


def calibrate(logits: NDArray[np.float64], answers: NDArray[np.bool_]) -> Calibration:
    """Temperature scaling (Guo et al. 2017, section 4.2) of a binary score.

    The temperature, from 0.1 to 10, maximises the likelihood of the held-out labels.
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
