"""A translator in training: its sources and targets as tokens, its weights, and its loss."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import ConfigError
from ...core.progress import Progress, silent
from ...models.batches import pad
from ...models.checkpoints import load_body, load_tokenizer, resolve
from ...models.device import autocast, pick_device, pick_dtype
from ...models.seq2seq import Network, Shape, init_weights
from ...models.source_encoding import STEP, EncodedSource, LowerLayers, encode_sources, pad_sources
from ...models.vocabulary import END, PAD, style_token
from ..bitext.corpus import Pair
from .batches import Batch
from .hidden_states import States
from .recipe import TranslatorRecipe

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


class InTraining:
    """The network, its pairs as tokens, and the frozen layers' states of them."""

    def __init__(
        self,
        recipe: TranslatorRecipe,
        pairs: Sequence[Pair],
        target: Any,
        own: Any | None = None,
        *,
        folder: Path,
        progress: Progress = silent,
    ) -> None:
        self.recipe, self.base = recipe, resolve(recipe.base)
        self.tokenizers = {"english": target} | ({"foreign": own} if own else {})
        source = own or load_tokenizer(self.base).backend_tokenizer
        texts = {text: at for at, text in enumerate(dict.fromkeys(pair[1] for pair in pairs))}
        self._rows = [texts[pair[1]] for pair in pairs]
        self.sources: list[EncodedSource] = encode_sources(
            list(texts), source, target, max_tokens=recipe.longest, hints=recipe.hints
        )
        self.targets = [
            [style_token(pair[3]), *encoded.ids, END]
            for pair, encoded in zip(
                pairs, target.encode_batch([pair[3] for pair in pairs]), strict=True
            )
        ]
        self._folder, self._progress = folder, progress
        self.shape = self._shape(target.get_vocab_size(), own.get_vocab_size() if own else 0)
        self.parameters = self._weights()

    @property
    def lengths(self) -> list[tuple[int, int]]:
        """Tokens of each pair: of the target as it is fed, and of the source."""
        return [
            (len(target) - 1, len(self.sources[row].ids))
            for target, row in zip(self.targets, self._rows, strict=True)
        ]

    @cached_property
    def states(self) -> States | None:
        """The frozen layers' states of all sources, computed when they are first needed."""
        if not self.recipe.frozen_layers:
            return None
        lower = LowerLayers(self.base, self.recipe.frozen_layers, dtype=self.recipe.dtype)
        ids = [one.ids for one in self.sources]
        return States(self._folder, ids, lower, progress=self._progress)

    def loss(self, batch: Batch) -> torch.Tensor:
        """The mean loss of a batch's target tokens; its number seeds the dropout."""
        import torch

        torch.manual_seed(self.recipe.seed * 1_000_003 + batch.number)
        network = Network(self.parameters, self.shape, dropout=self.recipe.dropout)
        return self._loss(network, batch.pairs, self.recipe.label_smoothing)

    def score(self, batches: Sequence[Batch]) -> float:
        """The mean log-probability of a target token, without dropout; higher is better."""
        import torch

        network = Network(self.parameters, self.shape)
        total, tokens = 0.0, 0
        with torch.inference_mode():
            for batch in batches:
                count = sum(len(self.targets[at]) - 1 for at in batch.pairs)
                total -= float(self._loss(network, batch.pairs, 0.0)) * count
                tokens += count
        return total / max(1, tokens)

    def _loss(self, network: Network, pairs: Sequence[int], smoothing: float) -> torch.Tensor:
        rows = [self._rows[at] for at in pairs]
        device = pick_device()
        states = self.states.batch(rows).to(device) if self.states else None
        source = pad_sources([self.sources[row] for row in rows], states)
        fed, mask = pad([self.targets[at][:-1] for at in pairs], value=PAD, step=STEP)
        wanted, _ = pad([self.targets[at][1:] for at in pairs], value=PAD, step=STEP)
        with autocast(device, pick_dtype(self.recipe.dtype, device)):
            memory = network.memory(source)
            x, _ = network.decode(fed, memory)
            words, copies = network.scores(x, memory)
        losses = token_losses(words.float(), copies.float(), memory.hints, wanted, smoothing)
        found: torch.Tensor = losses[mask.bool()].mean()
        return found

    def _shape(self, vocabulary: int, source_vocabulary: int) -> Shape:
        recipe = self.recipe
        width, heads, inner = recipe.width, recipe.heads, recipe.feed
        if recipe.frozen_layers:
            from transformers import AutoConfig

            config = AutoConfig.from_pretrained(self.base.path)
            width, heads = config.hidden_size, config.num_attention_heads
            inner = config.intermediate_size
            most = config.num_hidden_layers - recipe.frozen_layers
            if recipe.encoder_layers > most:
                raise ConfigError(
                    f"[translator] encoder_layers must be {max(most, 0)} or fewer above "
                    f"{recipe.frozen_layers} frozen ones, not {recipe.encoder_layers}"
                )
        layers = recipe.encoder_layers, recipe.decoder_layers
        return Shape(
            width, heads, recipe.feed, inner, *layers, vocabulary, source_vocabulary, recipe.hints
        )

    def _weights(self) -> dict[str, torch.nn.Parameter]:
        """New weights; those of encoder layers above frozen ones are the base's own."""
        import torch

        weights = init_weights(self.shape, seed=self.recipe.seed)
        if self.recipe.frozen_layers and self.shape.encoder_layers:
            model = load_body(self.base)
            own = dict(model.named_parameters())
            for at in range(self.shape.encoder_layers):
                layer = f"encoder.layer.{self.recipe.frozen_layers + at}"
                for name, bert in _BERT.items():
                    for part in ("weight", "bias"):
                        value = own[f"{layer}.{bert}.{part}"].detach()
                        weights[f"encoder.{at}.{name}.{part}"] = value.clone()
        device = pick_device()
        return {name: torch.nn.Parameter(value.to(device)) for name, value in weights.items()}


def token_losses(
    words: torch.Tensor,
    copies: torch.Tensor,
    hints: torch.Tensor,
    wanted: torch.Tensor,
    smoothing: float,
) -> torch.Tensor:
    """Minus the log-probability of each wanted token (batch, tokens), smoothed.

    A token's probability is that of its word and of all hints that are it, out of one softmax
    (Gu et al. 2016, equation 4). `smoothing` is the share given to all words alike (Szegedy et
    al. 2016, section 7).
    """
    import torch

    whole = torch.cat([words, copies], -1).logsumexp(-1)
    right = words.gather(2, wanted[..., None])
    if copies.shape[2]:
        others = copies.masked_fill(hints[:, None] != wanted[..., None], -torch.inf)
        right = torch.cat([right, others], -1)
    loss = whole - right.logsumexp(-1)
    return (1 - smoothing) * loss + smoothing * (whole - words.mean(-1))
