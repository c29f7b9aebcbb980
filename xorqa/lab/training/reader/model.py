"""A reader in training: its trainable weights, its loss, and its validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ....io.squad_xor import SquadQuestion
from ....models.batches import pad
from ....models.checkpoints import Checkpoint, load
from ....models.device import autocast
from ..common.finetuning import Finetuning, Full, LowRank, make_trainable, training_options
from ..common.random_streams import torch_seed
from .validation import LoadedReader, mean_f1
from .windows import LabeledWindow

if TYPE_CHECKING:
    import torch

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
    dtype: str
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
        taught = [row for row, one in enumerate(windows) if one.teacher is not None]
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
        if gold := [row for row, one in enumerate(windows) if one.teacher is None]:
            batch = [windows[row] for row in gold]
            loss = loss + len(gold) * reader_loss(logits[gold], batch, self.relevance_weight)
        return loss / len(windows)

    def f1(self, questions: Sequence[SquadQuestion]) -> float:
        """The mean F1 of its spans, in percent."""
        from torch.nn.utils import parametrize

        reader = LoadedReader(
            self.model, self.tokenizer, max_tokens=self.max_tokens, dtype=self.dtype
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

    relevant = torch.tensor([float(one.gold is not None) for one in batch], device=logits.device)
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
    of_teachers = [one.teacher.relevance for one in batch if one.teacher]
    relevance = torch.tensor(of_teachers, device=logits.device) / temperature
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
    ours, theirs = (one.masked_fill(~inside, lowest).log_softmax(dim=1) for one in (ours, theirs))
    return (theirs.exp() * (theirs - ours)).masked_fill(~inside, 0).sum(dim=(1, 2))
