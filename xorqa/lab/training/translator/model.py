"""A translator in training: its network's weights, and its loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....core.errors import ConfigError
from ....models.batches import pad
from ....models.checkpoints import Checkpoint, cannot_load, load_body
from ....models.device import autocast, pick_device
from ....models.seq2seq import Network, Shape
from ....models.source_encoding import PAD, STEP, pad_sources
from ..common.training_data import torch_seed
from .batches import Batch
from .hidden_states import HiddenStates
from .initialisation import init_weights
from .tokens import TokenizedPairs

if TYPE_CHECKING:
    import torch

_BERT = {
    "self.q": "attention.self.query",
    "self.k": "attention.self.key",
    "self.v": "attention.self.value",
    "self.o": "attention.output.dense",
    "self_norm": "attention.output.LayerNorm",
    "feed.in": "intermediate.dense",
    "feed.out": "output.dense",
    "feed_norm": "output.LayerNorm",
}


@dataclass(frozen=True, slots=True)
class TranslatorInTraining:
    """A network's weights and the data of its loss; `states` are those of the frozen layers."""

    parameters: Mapping[str, torch.nn.Parameter]
    shape: Shape
    data: TokenizedPairs
    states: HiddenStates | None
    dropout: float
    label_smoothing: float
    seed: int
    dtype: str

    def loss(self, batch: Batch) -> torch.Tensor:
        """The mean loss of a batch's target tokens; its number seeds the dropout."""
        import torch

        torch.manual_seed(torch_seed(self.seed, "dropout", batch.number))
        network = Network(dict(self.parameters), self.shape, dropout=self.dropout)
        return self._loss(network, batch.pairs, self.label_smoothing)

    def validate(self, batches: Sequence[Batch]) -> float:
        """The mean log-probability of a target token, without dropout; higher is better."""
        import torch

        network = Network(dict(self.parameters), self.shape)
        total, tokens = 0.0, 0
        with torch.inference_mode():
            for batch in batches:
                count = sum(len(self.data.targets[pair]) - 1 for pair in batch.pairs)
                total -= float(self._loss(network, batch.pairs, 0.0)) * count
                tokens += count
        return total / max(1, tokens)

    def _loss(self, network: Network, pairs: Sequence[int], smoothing: float) -> torch.Tensor:
        rows = [self.data.rows[pair] for pair in pairs]
        targets = [self.data.targets[pair] for pair in pairs]
        states = self.states.batch(rows).to(pick_device()) if self.states else None
        source = pad_sources([self.data.sources[row] for row in rows], states)
        inputs, mask = pad([target[:-1] for target in targets], value=PAD, step=STEP)
        labels, _ = pad([target[1:] for target in targets], value=PAD, step=STEP)
        with autocast(self.dtype):
            memory = network.memory(source)
            x, _ = network.decode(inputs, memory)
            words, copies = network.scores(x, memory)
        losses = token_losses(words.float(), copies.float(), memory.hints, labels, smoothing)
        mean: torch.Tensor = losses[mask.bool()].mean()
        return mean


def base_widths(
    base: Checkpoint, *, frozen_layers: int, encoder_layers: int
) -> tuple[int, int, int]:
    """The width, heads and inner width of a base's layers.

    Raises:
        ConfigError: if the base has fewer layers than are to be frozen and trained.
    """
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(base.path, trust_remote_code=False)
    except Exception as error:  # damaged files raise dozens of exception types
        raise cannot_load(base, error) from error
    most = config.num_hidden_layers - frozen_layers
    if encoder_layers > most:
        raise ConfigError(
            f"[translator] encoder_layers must be {max(most, 0)} or fewer above "
            f"{frozen_layers} frozen ones, not {encoder_layers}"
        )
    return config.hidden_size, config.num_attention_heads, config.intermediate_size


def new_weights(
    shape: Shape, base: Checkpoint, *, frozen_layers: int, seed: int
) -> dict[str, torch.nn.Parameter]:
    """New weights; encoder layers above frozen ones start from the base's."""
    import torch

    weights = init_weights(shape, seed=torch_seed(seed, "weights"))
    if frozen_layers and shape.encoder_layers:
        pretrained = dict(load_body(base).named_parameters())
        for number in range(shape.encoder_layers):
            layer = f"encoder.layer.{frozen_layers + number}"
            for name, bert in _BERT.items():
                for part in ("weight", "bias"):
                    value = pretrained[f"{layer}.{bert}.{part}"].detach()
                    weights[f"encoder.{number}.{name}.{part}"] = value.clone()
    device = pick_device()
    return {name: torch.nn.Parameter(value.to(device)) for name, value in weights.items()}


def token_losses(
    words: torch.Tensor,
    copies: torch.Tensor,
    hints: torch.Tensor,
    labels: torch.Tensor,
    smoothing: float,
) -> torch.Tensor:
    """Minus the log-probability of each label (batch, tokens), smoothed.

    A token's probability is that of its word plus that of all hints equal to it, in one softmax
    (Gu et al. 2016, section 3.2). `smoothing` is the share distributed evenly over all words
    (Szegedy et al. 2016, section 7).
    """
    import torch

    total = torch.cat([words, copies], -1).logsumexp(-1)
    right = words.gather(2, labels[..., None])
    if copies.shape[2]:
        matching = copies.masked_fill(hints[:, None] != labels[..., None], -torch.inf)
        right = torch.cat([right, matching], -1)
    loss = total - right.logsumexp(-1)
    return (1 - smoothing) * loss + smoothing * (total - words.mean(-1))
