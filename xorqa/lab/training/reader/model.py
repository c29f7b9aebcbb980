"""A reader in training: its trainable weights, its loss, and its validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ....io.squad_xor import SquadQuestion
from ....models.batches import pad
from ....models.checkpoints import Checkpoint, load
from ....models.device import Dtype, autocast
from ..common.finetuning import Finetuning, Full, LowRank, make_trainable, training_options
from ..common.training_data import torch_seed
from .samples import LabeledWindow

if TYPE_CHECKING:
    import torch
import random
from dataclasses import asdict
from itertools import islice
from statistics import fmean as mean

from numpy.typing import NDArray

from ....metrics.answers import best
from ....metrics.tasks.squad import f1
from ....reading.pairs import Pair, PairReader, PairSettings, QuestionPassage, Reading
from ..common.recipe import SquadSource
from ..common.training_data import short_names
from .samples import sample_negatives, usable_questions

BINS = 10  # of the calibration error

NumberedBatch = tuple[int, Sequence[LabeledWindow]]
"""A batch and its position, which seeds its dropout."""


def new_reader(base: Checkpoint, how: Finetuning, *, dropout: float, seed: int) -> LowRank | Full:
    """The base with a new head for spans and relevance, ready to be trained.

    Raises:
        ConfigError: if the start does not fit, or all layers are frozen.
    """
    import torch

    torch.manual_seed(torch_seed(seed, "weights"))
    body = load(base, "AutoModelForTokenClassification", num_labels=3, **training_options(dropout))
    return make_trainable(body, base, how, task="reader")


@dataclass(frozen=True, slots=True)
class ReaderInTraining:
    """A model in training, with the data and settings of its loss and validation."""

    model: Any
    tokenizer: Any
    max_tokens: int
    relevance_weight: float
    seed: int
    dtype: Dtype
    glosses: int = 0
    teacher_weight: float = 1.0
    temperature: float = 1.0

    def loss(self, batch: NumberedBatch) -> torch.Tensor:
        """The loss of a batch; its dropout is the same when training resumes."""
        import torch
        from torch.nn.utils import parametrize

        number, windows = batch
        torch.manual_seed(torch_seed(self.seed, "dropout", number))
        ids, mask = pad(
            [labeled.window.ids for labeled in windows], value=self.tokenizer.pad_token_id
        )
        with autocast(self.dtype), parametrize.cached():
            logits = self.model(input_ids=ids, attention_mask=mask).logits
        return self._loss(logits.float(), windows)

    def _loss(self, logits: torch.Tensor, windows: Sequence[LabeledWindow]) -> torch.Tensor:
        """The mean over the windows: of gold ones, and of ones with a teacher by its weight."""
        taught = [row for row, labeled in enumerate(windows) if labeled.teacher is not None]
        if not taught:
            return reader_loss(logits, windows, self.relevance_weight)
        loss = (
            self.teacher_weight
            * len(taught)
            * teacher_loss(
                logits[taught],
                [windows[row] for row in taught],
                weight=self.relevance_weight,
                temperature=self.temperature,
            )
        )
        if gold := [row for row, labeled in enumerate(windows) if labeled.teacher is None]:
            batch = [windows[row] for row in gold]
            loss = loss + len(gold) * reader_loss(logits[gold], batch, self.relevance_weight)
        return loss / len(windows)

    def f1(self, questions: Sequence[SquadQuestion]) -> float:
        """The mean F1 of its spans, in percent."""
        from torch.nn.utils import parametrize

        reader = LoadedReader(
            self.model,
            self.tokenizer,
            max_tokens=self.max_tokens,
            dtype=self.dtype,
            glosses=self.glosses,
        )
        with parametrize.cached():
            return mean_f1(reader, questions)


def reader_loss(
    logits: torch.Tensor, batch: Sequence[LabeledWindow], weight: float
) -> torch.Tensor:
    """Mean span loss of the windows with gold, plus `weight` times the relevance loss.

    `logits` is (batch, tokens, 3): start, end, and (at the first token) relevance. Relevance is
    a separate probability for each passage. DPR (Karpukhin et al. 2020, section 6.1) instead
    distributes one over a question's passages; ours can be calibrated and compared across
    languages and retrieval routes, even if none of the passages answers.
    """
    import torch
    from torch.nn import functional

    answered = [float(labeled.gold is not None) for labeled in batch]
    relevant = torch.tensor(answered, device=logits.device)
    loss = weight * functional.binary_cross_entropy_with_logits(logits[:, 0, 2], relevant)
    rows, spans = [], []
    for row, labeled in enumerate(batch):
        if labeled.gold is not None:
            rows.append(row)
            spans.append((labeled.gold.start, labeled.gold.end - 1))
    if not rows:
        return loss
    inside = _inside([batch[row] for row in rows], logits)
    lowest = torch.finfo(logits.dtype).min
    log_probs = logits[rows, :, :2].masked_fill(~inside, lowest).log_softmax(dim=1)
    gold = torch.tensor(spans, device=logits.device)
    return loss - log_probs.gather(1, gold[:, None]).mean()


def teacher_loss(
    logits: torch.Tensor, batch: Sequence[LabeledWindow], *, weight: float, temperature: float
) -> torch.Tensor:
    """Mean divergence from the teacher: of starts and ends, plus `weight` times of relevance.

    Each is KL(teacher || student) of logits divided by `temperature`, times its square, which
    keeps the size of the gradient (Hinton et al. 2015, section 2).
    """
    import torch
    from torch.nn import functional

    scores = np.zeros((*logits.shape[:2], 2), np.float32)
    for row, labeled in enumerate(batch):
        assert labeled.teacher is not None
        context = labeled.window.context
        scores[row, context.start : context.end] = labeled.teacher.spans
    theirs = torch.from_numpy(scores).to(logits.device)
    spans = _divergence(
        logits[:, :, :2] / temperature, theirs / temperature, _inside(batch, logits)
    )
    of_teacher = [labeled.teacher.relevance for labeled in batch if labeled.teacher]
    relevance = torch.tensor(of_teacher, device=logits.device) / temperature
    probability = torch.sigmoid(relevance)
    cross_entropy, entropy = (
        functional.binary_cross_entropy_with_logits(scores, probability)
        for scores in (logits[:, 0, 2] / temperature, relevance)
    )
    loss = spans.mean() / 2 + weight * (cross_entropy - entropy)
    return temperature**2 * loss


def _inside(batch: Sequence[LabeledWindow], logits: torch.Tensor) -> torch.Tensor:
    """Which tokens (batch, tokens, 1) are the passage's."""
    import torch

    inside = np.zeros((len(batch), logits.shape[1], 1), np.bool_)
    for row, labeled in enumerate(batch):
        inside[row, labeled.window.context.start : labeled.window.context.end] = True
    return torch.from_numpy(inside).to(logits.device)


def _divergence(ours: torch.Tensor, theirs: torch.Tensor, inside: torch.Tensor) -> torch.Tensor:
    """KL(theirs || ours) of logits (rows, tokens, columns) inside, summed for each row."""
    import torch

    lowest = torch.finfo(ours.dtype).min
    ours, theirs = (
        logits.masked_fill(~inside, lowest).log_softmax(dim=1) for logits in (ours, theirs)
    )
    return (theirs.exp() * (theirs - ours)).masked_fill(~inside, 0).sum(dim=(1, 2))


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

    def __init__(self, adapter: str, *, max_tokens: int, dtype: Dtype) -> None:
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

    def __init__(
        self, model: Any, tokenizer: Any, *, max_tokens: int, dtype: Dtype, glosses: int = 0
    ) -> None:
        super().__init__("", max_tokens=max_tokens, dtype=dtype)
        self._model, self._tokenizer, self.temperature = model, tokenizer, 1.0
        self.glosses = glosses

    def read(self, pairs: Sequence[Pair]) -> list[Reading]:
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

    @classmethod
    def sample(
        cls,
        by_source: Sequence[Sequence[SquadQuestion]],
        sources: Sequence[SquadSource],
        *,
        per_source: int,
        rng: random.Random,
    ) -> Self | None:
        """Up to `per_source` questions from the held-out articles of each source.

        Each is used again with a passage that does not answer it. None if there is no question.
        """
        questions: list[SquadQuestion] = []
        unanswerable: list[QuestionPassage] = []
        sizes = []
        for source, of_source in zip(sources, by_source, strict=True):
            held_out = usable_questions(of_source, source, held_out=True)
            sample = rng.sample(held_out, min(per_source, len(held_out)))
            questions += sample
            unanswerable += sample_negatives(sample, held_out, rng)
            sizes.append((short_names(source.files), len(sample)))
        return cls(questions, unanswerable, sizes) if questions else None

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
    gaps = [abs((probabilities - answers)[bins == number].sum()) for number in range(BINS)]
    return float(sum(gaps) / len(logits))
