"""Beam search over a small encoder-decoder, with the keys and values of past tokens kept."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from .seq2seq import Memory, Network


def search(
    network: Network,
    memory: Memory,
    *,
    start: int,
    end: int,
    beams: int,
    longest: int,
    length_power: float = 1.0,
) -> list[list[int]]:
    """The best target tokens of each row of `memory`, neither `start` nor `end` among them.

    Best is the sum of log-probabilities divided by the length to `length_power` (Wu et al.
    2016, section 7, without coverage). An output ends after `longest` tokens at the latest.
    One beam is greedy search.
    """
    import torch

    count, device = len(memory.hints), memory.hints.device
    every = torch.arange(count, device=device)
    memory = memory.rows(every.repeat_interleave(beams))
    tokens = torch.full((count * beams, 1), start, device=device)
    totals = torch.full((count, beams), -math.inf, device=device)
    totals[:, 0] = 0.0  # all beams begin alike: only one may go on at first
    done = torch.zeros(count, beams, dtype=torch.bool, device=device)
    lengths = torch.zeros(count, beams, device=device)
    past = None
    for _ in range(longest):
        x, past = network.decode(tokens[:, -1:], memory, past)
        new = log_probabilities(network, x, memory)[:, 0].view(count, beams, -1)
        new[done] = -math.inf
        new[..., end][done] = 0.0  # what has ended stays as it is
        totals, flat = (totals[..., None] + new).flatten(1).topk(beams)
        parents, chosen = flat // new.shape[2], flat % new.shape[2]
        rows = (parents + every[:, None] * beams).flatten()
        done, lengths = done.flatten()[rows].view_as(done), lengths.flatten()[rows].view_as(lengths)
        lengths += ~done
        done = done | (chosen == end)
        tokens = torch.cat([tokens[rows], chosen.view(-1, 1)], 1)
        past = [(keys[rows], values[rows]) for keys, values in past]
        if done.all():
            break
    best = (totals / lengths**length_power).argmax(1)
    texts = tokens.view(count, beams, -1)[every, best, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in texts]


def log_probabilities(network: Network, x: torch.Tensor, memory: Memory) -> torch.Tensor:
    """Log-probabilities (batch, tokens, vocabulary); a copied piece counts as that piece."""
    import torch

    words, copies = network.scores(x, memory)
    if not memory.hints.shape[1]:
        return words.log_softmax(-1)
    both = torch.cat([words, copies], -1).softmax(-1)
    size = words.shape[2]
    pieces = memory.hints[:, None].expand(-1, x.shape[1], -1)
    return both[..., :size].scatter_add(2, pieces, both[..., size:]).log()
