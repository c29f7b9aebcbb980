"""A small encoder-decoder with a copy mechanism.

The decoder attends to the encoder's states and to hints: the romanised source, split into pieces
of the target vocabulary. Hints can be copied: the output is one softmax over the vocabulary and
the hints (Gu et al. 2016, CopyNet, section 3.2), so the model need not memorise names and numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.validation import Count, CountOrZero
from . import transformer
from .transformer import drop, feed_forward, keys_values, linear, norm, positions

if TYPE_CHECKING:
    import torch

    from .transformer import KeysValues, Weights


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network. With a `source_vocabulary` the encoder has its own embeddings.

    `glosses` are the translations of a word that are hints as well.
    """

    width: Count
    heads: Count
    feed: Count
    encoder_feed: Count
    encoder_layers: Count
    decoder_layers: Count
    vocabulary: Count
    source_vocabulary: CountOrZero = 0
    hints: bool = True
    glosses: CountOrZero = 0


@dataclass(frozen=True, slots=True)
class SourceBatch:
    """The network's input: hidden states (batch, tokens, width), or token ids.

    `hints` are target pieces (batch, hints), `hint_positions` the source tokens they come from, and
    `hint_ranks` those of translations.
    """

    states: torch.Tensor
    mask: torch.Tensor
    hints: torch.Tensor
    hint_positions: torch.Tensor
    hint_ranks: torch.Tensor
    hint_mask: torch.Tensor


@dataclass(frozen=True, slots=True)
class Memory:
    """What the decoder attends to, one row per text; `layers` has one item per decoder layer."""

    layers: list[KeysValues]
    mask: torch.Tensor
    hints: torch.Tensor
    hint_mask: torch.Tensor
    copy_keys: torch.Tensor

    def rows(self, indices: torch.Tensor) -> Memory:
        """A selection of the rows, in that order."""
        layers = [(keys[indices], values[indices]) for keys, values in self.layers]
        others = self.mask, self.hints, self.hint_mask, self.copy_keys
        return Memory(layers, *(tensor[indices] for tensor in others))


class Network:
    """The encoder-decoder over its weights; `dropout` is for training only."""

    def __init__(self, weights: Weights, shape: Shape, *, dropout: float = 0.0) -> None:
        self.weights, self.shape, self.dropout = weights, shape, dropout

    def memory(self, source: SourceBatch) -> Memory:
        """Encode the source and project it for each decoder layer."""
        import torch

        states, hint_mask = self._encode(source), source.hint_mask
        if self.shape.hints:
            hints = self._encode_hints(source, states)
            copy_keys = linear(self.weights, "copy.key", hints)
        else:
            copy_keys = hints = states[:, :0]
            hint_mask = hint_mask[:, :0]
        both = torch.cat([states, hints], 1)
        mask = torch.cat([source.mask, hint_mask], 1)[:, None, None]
        layers = [
            keys_values(self.weights, f"decoder.{layer}.memory", both, self.shape.heads)
            for layer in range(self.shape.decoder_layers)
        ]
        return Memory(layers, mask, source.hints[:, : hint_mask.shape[1]], hint_mask, copy_keys)

    def decode(
        self, tokens: torch.Tensor, memory: Memory, past: list[KeysValues] | None = None
    ) -> tuple[torch.Tensor, list[KeysValues]]:
        """Hidden states (batch, tokens, width) of target tokens, and the updated cache."""
        first = past[0][0].shape[2] if past else 0
        x = self._embed(tokens, first)
        cache = []
        for layer, attended in enumerate(memory.layers):
            name, earlier = f"decoder.{layer}", past[layer] if past else None
            x, keys_and_values = transformer.decoder_layer(
                self.weights, name, x, earlier, attended, memory.mask, dropout=self.dropout
            )
            cache.append(keys_and_values)
        return norm(self.weights, "decoder.norm", x), cache

    def scores(self, x: torch.Tensor, memory: Memory) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of the vocabulary and of each hint (-inf for padding)."""
        words = x @ self.weights["target"].T
        if not self.shape.hints:
            return words, words[..., :0]
        queries = linear(self.weights, "copy.query", x)
        copies = queries @ memory.copy_keys.transpose(1, 2) / math.sqrt(self.shape.width)
        return words, copies.masked_fill(~memory.hint_mask[:, None], -math.inf)

    def _encode(self, source: SourceBatch) -> torch.Tensor:
        shape, x = self.shape, source.states
        if shape.source_vocabulary:
            x = self.weights["source"][x] * math.sqrt(shape.width)
            x = x + positions(0, x.shape[1], shape.width).to(x.device)
        x = drop(x, self.dropout)
        mask = source.mask[:, None, None]
        for layer in range(shape.encoder_layers):
            x = transformer.encoder_layer(
                self.weights, f"encoder.{layer}", x, mask, heads=shape.heads, dropout=self.dropout
            )
        return norm(self.weights, "memory.norm", x)

    def _encode_hints(self, source: SourceBatch, states: torch.Tensor) -> torch.Tensor:
        """Piece and position embeddings plus the hidden states of the source tokens."""
        tokens = source.hint_positions[..., None].expand(-1, -1, self.shape.width)
        x = self._embed(source.hints, 0) + states.gather(1, tokens)
        if self.shape.glosses:
            x = x + self.weights["hints.rank"][source.hint_ranks]
        return norm(self.weights, "hints.norm", x + feed_forward(self.weights, "hints.feed", x))

    def _embed(self, tokens: torch.Tensor, first: int) -> torch.Tensor:
        x = self.weights["target"][tokens] * math.sqrt(self.shape.width)
        encodings = positions(first, tokens.shape[1], self.shape.width).to(x.device)
        return drop(x + encodings, self.dropout)
