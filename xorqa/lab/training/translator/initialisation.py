"""The weights that a new network of a translator starts from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....models.seq2seq import Shape

if TYPE_CHECKING:
    import torch


def init_weights(shape: Shape, *, seed: int) -> dict[str, torch.Tensor]:
    """Random weights by name: Glorot-uniform matrices (2010) and embeddings of unit length."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    weights: dict[str, torch.Tensor] = {}
    for name, rows, columns in _matrices(shape):
        reach = math.sqrt(6 / (rows + columns))
        weights[f"{name}.weight"] = (2 * torch.rand(rows, columns, generator=generator) - 1) * reach
        weights[f"{name}.bias"] = torch.zeros(rows)
    for name in _norms(shape):
        weights[f"{name}.weight"] = torch.ones(shape.width)
        weights[f"{name}.bias"] = torch.zeros(shape.width)
    if shape.glosses:
        weights["hints.rank"] = torch.zeros(1 + shape.glosses, shape.width)
    for name, count in (("target", shape.vocabulary), ("source", shape.source_vocabulary)):
        if count:
            spread = shape.width**-0.5
            weights[name] = torch.randn(count, shape.width, generator=generator) * spread
    return weights


def _layers(shape: Shape) -> list[tuple[str, tuple[str, ...], int]]:
    """The name, attentions and inner width of each layer."""
    encoder, decoder = range(shape.encoder_layers), range(shape.decoder_layers)
    return [
        *((f"encoder.{at}", ("self",), shape.encoder_feed) for at in encoder),
        *((f"decoder.{at}", ("self", "memory"), shape.feed) for at in decoder),
    ]


def _matrices(shape: Shape) -> list[tuple[str, int, int]]:
    width = shape.width
    matrices = [
        (f"{layer}.{attention}.{projection}", width, width)
        for layer, attentions, _ in _layers(shape)
        for attention in attentions
        for projection in "qkvo"
    ]
    feeds = [(layer, size) for layer, _, size in _layers(shape)]
    if shape.hints:
        feeds.append(("hints", width))
        matrices += [("copy.query", width, width), ("copy.key", width, width)]
    for block, size in feeds:
        matrices += [(f"{block}.feed.in", size, width), (f"{block}.feed.out", width, size)]
    return matrices


def _norms(shape: Shape) -> list[str]:
    sublayers = [
        f"{layer}.{sublayer}_norm"
        for layer, attentions, _ in _layers(shape)
        for sublayer in (*attentions, "feed")
    ]
    return [*sublayers, "decoder.norm", "memory.norm", *(["hints.norm"] if shape.hints else [])]
