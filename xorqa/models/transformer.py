"""The layers of a Transformer over plain tensors by name (Vaswani et al. 2017, section 3).

Encoder layers normalise after each sublayer, as BERT does, so that they can start from BERT's
layers; decoder layers normalise before it, which trains without a long warm-up.
Shapes are (batch, tokens, width). A mask is True at the positions to attend to.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    Weights = Mapping[str, torch.Tensor]
    KeysValues = tuple[torch.Tensor, torch.Tensor]

EPSILON = 1e-12  # BERT's


def linear(weights: Weights, name: str, x: torch.Tensor) -> torch.Tensor:
    """A linear layer."""
    from torch.nn import functional

    return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])


def norm(weights: Weights, name: str, x: torch.Tensor) -> torch.Tensor:
    """Layer normalisation."""
    from torch.nn import functional

    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    return functional.layer_norm(x, weight.shape, weight, bias, EPSILON)


def drop(x: torch.Tensor, rate: float) -> torch.Tensor:
    """Dropout; the identity at rate 0."""
    from torch.nn import functional

    return functional.dropout(x, rate) if rate else x


def keys_values(weights: Weights, name: str, x: torch.Tensor, heads: int) -> KeysValues:
    """The keys and values of attention, each (batch, heads, tokens, width / heads)."""
    return (
        _split(linear(weights, f"{name}.k", x), heads),
        _split(linear(weights, f"{name}.v", x), heads),
    )


def attend(
    weights: Weights,
    name: str,
    x: torch.Tensor,
    attended: KeysValues,
    *,
    mask: torch.Tensor | None = None,
    causal: bool = False,
) -> torch.Tensor:
    """Multi-head attention from `x` to keys and values.

    Plain matrix products: on CPUs the gradient of fused attention takes several times as long.
    """
    import torch

    keys, values = attended
    queries = _split(linear(weights, f"{name}.q", x), keys.shape[1])
    scores = queries @ keys.transpose(2, 3) / math.sqrt(queries.shape[3])
    if causal:
        mask = torch.ones(scores.shape[2:], dtype=torch.bool, device=scores.device).tril()
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    mixed = scores.softmax(-1).to(values.dtype) @ values
    return linear(weights, f"{name}.o", mixed.transpose(1, 2).flatten(2))


def feed_forward(weights: Weights, name: str, x: torch.Tensor) -> torch.Tensor:
    """The position-wise feed-forward network."""
    from torch.nn import functional

    return linear(weights, f"{name}.out", functional.gelu(linear(weights, f"{name}.in", x)))


def encoder_layer(
    weights: Weights, name: str, x: torch.Tensor, mask: torch.Tensor, *, heads: int, dropout: float
) -> torch.Tensor:
    """An encoder layer."""
    attended = keys_values(weights, f"{name}.self", x, heads)
    mixed = attend(weights, f"{name}.self", x, attended, mask=mask)
    x = norm(weights, f"{name}.self_norm", x + drop(mixed, dropout))
    return norm(
        weights, f"{name}.feed_norm", x + drop(feed_forward(weights, f"{name}.feed", x), dropout)
    )


def decoder_layer(
    weights: Weights,
    name: str,
    x: torch.Tensor,
    past: KeysValues | None,
    memory: KeysValues,
    mask: torch.Tensor,
    *,
    dropout: float,
) -> tuple[torch.Tensor, KeysValues]:
    """A decoder layer; also returns the keys and values of all tokens so far.

    Without a `past`, `x` is the text from its beginning; with one, it is the next token only.
    `x` may have several adjacent rows (beams) for each row of `memory`.
    """
    import torch

    normed = norm(weights, f"{name}.self_norm", x)
    attended = keys_values(weights, f"{name}.self", normed, memory[0].shape[1])
    if past is not None:
        keys, values = (torch.cat(pair, 2) for pair in zip(past, attended, strict=True))
        attended = keys, values
    mixed = attend(weights, f"{name}.self", normed, attended, causal=past is None)
    x = x + drop(mixed, dropout)
    normed = norm(weights, f"{name}.memory_norm", x).view(len(memory[0]), -1, x.shape[2])
    mixed = attend(weights, f"{name}.memory", normed, memory, mask=mask).view_as(x)
    x = x + drop(mixed, dropout)
    normed = norm(weights, f"{name}.feed_norm", x)
    return x + drop(feed_forward(weights, f"{name}.feed", normed), dropout), attended


def positions(first: int, count: int, width: int) -> torch.Tensor:
    """Sinusoidal encodings (count, width) of the positions from `first` on (section 3.5)."""
    import torch

    indices = torch.arange(first, first + count, dtype=torch.float32)[:, None]
    rates = torch.exp(torch.arange(0, width, 2, dtype=torch.float32) * (-math.log(1e4) / width))
    return torch.cat([torch.sin(indices * rates), torch.cos(indices * rates)], 1)


def _split(x: torch.Tensor, heads: int) -> torch.Tensor:
    return x.view(*x.shape[:2], heads, -1).transpose(1, 2)
