"""The layers of a Transformer over plain tensors by name (Vaswani et al. 2017, section 3).

Encoder layers normalise after each part, as BERT does, so that a BERT's layers can be taken
over; decoder layers normalise before it, which trains without a long warm-up.
Shapes: batch, tokens, width. A mask is True where there is something to attend to.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    Weights = Mapping[str, torch.Tensor]
    Heads = tuple[torch.Tensor, torch.Tensor]

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


def drop(x: torch.Tensor, share: float) -> torch.Tensor:
    """Dropout; a share of 0 leaves all as it is."""
    from torch.nn import functional

    return functional.dropout(x, share) if share else x


def keys_values(weights: Weights, name: str, x: torch.Tensor, heads: int) -> Heads:
    """What attention looks at: keys and values, each (batch, heads, tokens, width / heads)."""
    return (
        _split(linear(weights, f"{name}.k", x), heads),
        _split(linear(weights, f"{name}.v", x), heads),
    )


def attend(
    weights: Weights,
    name: str,
    x: torch.Tensor,
    seen: Heads,
    *,
    mask: torch.Tensor | None = None,
    causal: bool = False,
) -> torch.Tensor:
    """Multi-head attention from `x` to keys and values.

    In plain products: on CPUs the gradient of fused attention takes several times as long.
    """
    import torch

    keys, values = seen
    queries = _split(linear(weights, f"{name}.q", x), keys.shape[1])
    scores = queries @ keys.transpose(2, 3) / math.sqrt(queries.shape[3])
    if causal:
        mask = torch.ones(scores.shape[2:], dtype=torch.bool, device=scores.device).tril()
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    mixed = scores.softmax(-1).to(values.dtype) @ values
    return linear(weights, f"{name}.o", mixed.transpose(1, 2).flatten(2))


def feed(weights: Weights, name: str, x: torch.Tensor) -> torch.Tensor:
    """The position-wise part."""
    from torch.nn import functional

    return linear(weights, f"{name}.out", functional.gelu(linear(weights, f"{name}.in", x)))


def encoder_layer(
    weights: Weights, name: str, x: torch.Tensor, mask: torch.Tensor, *, heads: int, dropout: float
) -> torch.Tensor:
    """One layer of an encoder."""
    seen = keys_values(weights, f"{name}.self", x, heads)
    mixed = attend(weights, f"{name}.self", x, seen, mask=mask)
    x = norm(weights, f"{name}.self_norm", x + drop(mixed, dropout))
    return norm(weights, f"{name}.feed_norm", x + drop(feed(weights, f"{name}.feed", x), dropout))


def decoder_layer(
    weights: Weights,
    name: str,
    x: torch.Tensor,
    past: Heads | None,
    memory: Heads,
    mask: torch.Tensor,
    *,
    dropout: float,
) -> tuple[torch.Tensor, Heads]:
    """One layer of a decoder, and the keys and values of all tokens so far.

    Without a `past`, `x` is the text from its beginning; with one, it is the next token alone.
    `x` may have several rows for each of `memory`, next to each other.
    """
    import torch

    normed = norm(weights, f"{name}.self_norm", x)
    now = keys_values(weights, f"{name}.self", normed, memory[0].shape[1])
    if past is not None:
        now = torch.cat([past[0], now[0]], 2), torch.cat([past[1], now[1]], 2)
    mixed = attend(weights, f"{name}.self", normed, now, causal=past is None)
    x = x + drop(mixed, dropout)
    normed = norm(weights, f"{name}.memory_norm", x).view(len(memory[0]), -1, x.shape[2])
    mixed = attend(weights, f"{name}.memory", normed, memory, mask=mask).view_as(x)
    x = x + drop(mixed, dropout)
    normed = norm(weights, f"{name}.feed_norm", x)
    return x + drop(feed(weights, f"{name}.feed", normed), dropout), now


def positions(first: int, count: int, width: int) -> torch.Tensor:
    """Sinusoids (count, width) of the places from `first` on (section 3.5)."""
    import torch

    places = torch.arange(first, first + count, dtype=torch.float32)[:, None]
    rates = torch.exp(torch.arange(0, width, 2, dtype=torch.float32) * (-math.log(1e4) / width))
    return torch.cat([torch.sin(places * rates), torch.cos(places * rates)], 1)


def _split(x: torch.Tensor, heads: int) -> torch.Tensor:
    return x.view(*x.shape[:2], heads, -1).transpose(1, 2)
