"""A small encoder-decoder: upper encoder layers, a decoder, and words to copy.

The decoder attends to the encoder's states and, behind them, to hints: the source in Latin
letters, cut into pieces of the target vocabulary. A hint's piece may be copied: the output is
one softmax over the vocabulary and the hints (Gu et al. 2016, CopyNet, section 3.3), so that
names and numbers need not be learned by heart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .transformer import (
    decoder_layer,
    drop,
    encoder_layer,
    feed,
    keys_values,
    linear,
    norm,
    positions,
)

if TYPE_CHECKING:
    import torch

    from .transformer import Heads, Weights


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes. With a `source_vocabulary` the encoder begins with embeddings of its own."""

    width: int
    heads: int
    feed: int
    encoder_feed: int
    encoder_layers: int
    decoder_layers: int
    vocabulary: int
    source_vocabulary: int = 0
    hints: bool = True


@dataclass(frozen=True, slots=True)
class SourceBatch:
    """What is translated: states (batch, tokens, width), or token ids without lower layers.

    `hints` are target pieces (batch, hints), `covers` the source tokens they come from.
    """

    states: torch.Tensor
    mask: torch.Tensor
    hints: torch.Tensor
    covers: torch.Tensor
    hint_mask: torch.Tensor


@dataclass(frozen=True, slots=True)
class Memory:
    """What a decoder looks at, one row a text."""

    seen: list[Heads]
    mask: torch.Tensor
    hints: torch.Tensor
    hint_mask: torch.Tensor
    keys: torch.Tensor

    def rows(self, at: torch.Tensor) -> Memory:
        """Some of the rows, in that order."""
        seen = [(keys[at], values[at]) for keys, values in self.seen]
        return Memory(seen, self.mask[at], self.hints[at], self.hint_mask[at], self.keys[at])


class Network:
    """The network over its weights; dropout only in training."""

    def __init__(self, weights: Weights, shape: Shape, *, dropout: float = 0.0) -> None:
        self.weights, self.shape, self.dropout = weights, shape, dropout

    def memory(self, source: SourceBatch) -> Memory:
        """Encode, and prepare what every layer of the decoder attends to."""
        import torch

        states, hint_mask = self._encoded(source), source.hint_mask
        if self.shape.hints:
            hints = self._hinted(source, states)
            keys = linear(self.weights, "copy.key", hints)
        else:
            keys = hints = states[:, :0]
            hint_mask = hint_mask[:, :0]
        both = torch.cat([states, hints], 1)
        mask = torch.cat([source.mask, hint_mask], 1)[:, None, None]
        seen = [
            keys_values(self.weights, f"decoder.{at}.memory", both, self.shape.heads)
            for at in range(self.shape.decoder_layers)
        ]
        return Memory(seen, mask, source.hints[:, : hint_mask.shape[1]], hint_mask, keys)

    def decode(
        self, tokens: torch.Tensor, memory: Memory, past: list[Heads] | None = None
    ) -> tuple[torch.Tensor, list[Heads]]:
        """States (batch, tokens, width) of target tokens, and what the next step needs."""
        first = past[0][0].shape[2] if past else 0
        x = self._embedded(tokens, first)
        now = []
        for at in range(self.shape.decoder_layers):
            x, kept = decoder_layer(
                self.weights,
                f"decoder.{at}",
                x,
                past[at] if past else None,
                memory.seen[at],
                memory.mask,
                dropout=self.dropout,
            )
            now.append(kept)
        return norm(self.weights, "decoder.norm", x), now

    def scores(self, x: torch.Tensor, memory: Memory) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores before the softmax: of the vocabulary, and of each hint (-inf: none there)."""
        words = x @ self.weights["target"].T
        if not self.shape.hints:
            return words, words[..., :0]
        queries = linear(self.weights, "copy.query", x)
        copies = queries @ memory.keys.transpose(1, 2) / math.sqrt(self.shape.width)
        return words, copies.masked_fill(~memory.hint_mask[:, None], -math.inf)

    def _encoded(self, source: SourceBatch) -> torch.Tensor:
        shape, x = self.shape, source.states
        if shape.source_vocabulary:
            x = self.weights["source"][x] * math.sqrt(shape.width)
            x = x + positions(0, x.shape[1], shape.width).to(x.device)
        x = drop(x, self.dropout)
        mask = source.mask[:, None, None]
        for at in range(shape.encoder_layers):
            x = encoder_layer(
                self.weights, f"encoder.{at}", x, mask, heads=shape.heads, dropout=self.dropout
            )
        return norm(self.weights, "memory.norm", x)

    def _hinted(self, source: SourceBatch, states: torch.Tensor) -> torch.Tensor:
        """A hint is its piece, its place, and the state of the source token it comes from."""
        covers = source.covers[..., None].expand(-1, -1, self.shape.width)
        x = self._embedded(source.hints, 0) + states.gather(1, covers)
        return norm(self.weights, "hints.norm", x + feed(self.weights, "hints.feed", x))

    def _embedded(self, tokens: torch.Tensor, first: int) -> torch.Tensor:
        x = self.weights["target"][tokens] * math.sqrt(self.shape.width)
        places = positions(first, tokens.shape[1], self.shape.width).to(x.device)
        return drop(x + places, self.dropout)


def fresh(shape: Shape, *, seed: int) -> dict[str, torch.Tensor]:
    """Random weights by name; matrices as Glorot and Bengio 2010, embeddings of unit length."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    weights: dict[str, torch.Tensor] = {}

    def matrix(name: str, rows: int, columns: int) -> None:
        reach = math.sqrt(6 / (rows + columns))
        weights[f"{name}.weight"] = (2 * torch.rand(rows, columns, generator=generator) - 1) * reach
        weights[f"{name}.bias"] = torch.zeros(rows)

    for name, rows, columns in _matrices(shape):
        matrix(name, rows, columns)
    for name in _norms(shape):
        weights[f"{name}.weight"] = torch.ones(shape.width)
        weights[f"{name}.bias"] = torch.zeros(shape.width)
    for name, count in (("target", shape.vocabulary), ("source", shape.source_vocabulary)):
        if count:
            spread = shape.width**-0.5
            weights[name] = torch.randn(count, shape.width, generator=generator) * spread
    return weights


def _matrices(shape: Shape) -> list[tuple[str, int, int]]:
    width = shape.width
    parts: list[tuple[str, tuple[str, ...], int]] = [
        (f"encoder.{at}", ("self",), shape.encoder_feed) for at in range(shape.encoder_layers)
    ]
    parts += [
        (f"decoder.{at}", ("self", "memory"), shape.feed) for at in range(shape.decoder_layers)
    ]
    found = [
        (f"{part}.{one}.{way}", width, width)
        for part, attentions, _ in parts
        for one in attentions
        for way in "qkvo"
    ]
    feeds = [(part, size) for part, _, size in parts]
    if shape.hints:
        feeds.append(("hints", width))
        found += [("copy.query", width, width), ("copy.key", width, width)]
    for part, size in feeds:
        found += [(f"{part}.feed.in", size, width), (f"{part}.feed.out", width, size)]
    return found


def _norms(shape: Shape) -> list[str]:
    encoder = [
        f"encoder.{at}.{part}"
        for at in range(shape.encoder_layers)
        for part in ("self_norm", "feed_norm")
    ]
    decoder = [
        f"decoder.{at}.{part}"
        for at in range(shape.decoder_layers)
        for part in ("self_norm", "memory_norm", "feed_norm")
    ]
    hints = ["hints.norm"] if shape.hints else []
    return [*encoder, *decoder, "decoder.norm", "memory.norm", *hints]
