"""A reader in training: its trainable weights, its loss, and its validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...io.squad_xor import SquadQuestion
from ...models.batches import pad
from ...models.checkpoints import Checkpoint, load
from ...models.device import autocast, training_options
from ..common.finetuning import Finetuning, Full, LowRank, make_trainable
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
    """A model under training with what its loss and its validation depend on."""

    model: Any
    tokenizer: Any
    max_tokens: int
    relevance_weight: float
    seed: int
    dtype: str

    def loss(self, batch: NumberedBatch) -> torch.Tensor:
        """The loss of a batch; its dropout is the same when training resumes."""
        import torch

        number, windows = batch
        torch.manual_seed(torch_seed(self.seed, "dropout", number))
        ids, mask = pad(
            [labeled.window.ids for labeled in windows], value=self.tokenizer.pad_token_id
        )
        with autocast(self.dtype):
            logits = self.model(input_ids=ids, attention_mask=mask).logits
        return reader_loss(logits.float(), windows, self.relevance_weight)

    def validate(self, questions: Sequence[SquadQuestion]) -> float:
        """The mean F1 of its spans, in percent."""
        reader = LoadedReader(
            self.model, self.tokenizer, max_tokens=self.max_tokens, dtype=self.dtype
        )
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
    spans = []
    for row, labeled in enumerate(batch):
        if labeled.gold is None:
            continue
        first, last = labeled.window.context.start, labeled.window.context.end
        log_probs = functional.log_softmax(logits[row, first:last, :2], dim=0)
        start, end = labeled.gold.start - first, labeled.gold.end - 1 - first
        spans.append(-log_probs[start, 0] - log_probs[end, 1])
    return loss + torch.stack(spans).mean() / 2 if spans else loss
