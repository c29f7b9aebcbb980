"""Beam search over a small encoder-decoder, with the keys and values of past tokens kept."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from .seq2seq import Memory, Network
    from .transformer import Heads

AHEAD = 3  # likely tokens that an open output may still have, and so a better mean
SPARED = 0.75  # texts that are over go once so few are open: to copy the others takes time too


def search(
    network: Network,
    memory: Memory,
    *,
    start: int,
    end: int,
    beams: int,
    longest: int,
) -> list[list[int]]:
    """The best target tokens of each row of `memory`, neither `start` nor `end` among them.

    Best is the sum of log-probabilities divided by the length (Wu et al. 2016, section 7, with
    alpha 1 and without coverage). A text is over once an ended output of it is better than all
    open ones would be with `AHEAD` more tokens of probability 1, or after `longest` tokens. One
    beam is greedy search.
    """
    found: list[list[int]] = [[] for _ in memory.hints]
    state = _begin(memory, start, beams)
    for length in range(1, longest + 1):
        state = _longer(network, state, end)
        ahead = AHEAD * ~state.done if length < longest else 0
        best = (state.totals / (state.lengths + ahead)).argmax(1)
        ended = state.done.gather(1, best[:, None])[:, 0]
        over = state.open & (ended | (length == longest))
        for row in over.nonzero()[:, 0].tolist():
            ids = state.tokens[row, best[row], 1:].tolist()
            found[state.texts[row]] = ids[: ids.index(end)] if end in ids else ids
        state.open &= ~over
        if not state.open.any():
            break
        if state.open.float().mean() <= SPARED:
            state = state.rows(state.open.nonzero()[:, 0])
    return found


@dataclass(slots=True)
class _State:
    """Texts with their beams: each tensor is (texts, ...) or (texts, beams, ...).

    `past` has the heads of (texts * beams) rows. A text that is not open has its output.
    """

    texts: torch.Tensor
    open: torch.Tensor
    memory: Memory
    tokens: torch.Tensor
    totals: torch.Tensor
    done: torch.Tensor
    lengths: torch.Tensor
    past: list[Heads] | None = None

    def rows(self, at: torch.Tensor) -> _State:
        """Some of the texts."""
        import torch

        count, beams = self.totals.shape
        flat = torch.arange(count * beams, device=at.device).view(count, beams)[at].flatten()
        return _State(
            self.texts[at],
            self.open[at],
            self.memory.rows(at),
            self.tokens[at],
            self.totals[at],
            self.done[at],
            self.lengths[at],
            _picked(self.past, flat),
        )


def _begin(memory: Memory, start: int, beams: int) -> _State:
    """One token a beam; all beams begin alike, so only the first may go on."""
    import torch

    count, device = len(memory.hints), memory.hints.device
    totals = torch.full((count, beams), -math.inf, device=device)
    totals[:, 0] = 0.0
    return _State(
        torch.arange(count, device=device),
        torch.ones(count, dtype=torch.bool, device=device),
        memory,
        torch.full((count, beams, 1), start, device=device),
        totals,
        torch.zeros(count, beams, dtype=torch.bool, device=device),
        torch.zeros(count, beams, device=device),
    )


def _longer(network: Network, state: _State, end: int) -> _State:
    """The best beams of one more token; what has ended stays as it is."""
    import torch

    count, beams = state.totals.shape
    x, past = network.decode(state.tokens[..., -1].view(-1, 1), state.memory, state.past)
    new = log_probabilities(network, x.view(count, beams, -1), state.memory)
    new[state.done] = -math.inf
    new[..., end][state.done] = 0.0
    totals, flat = (state.totals[..., None] + new).flatten(1).topk(beams)
    parents, chosen = flat // new.shape[2], flat % new.shape[2]
    every = torch.arange(count, device=parents.device)[:, None]
    done = state.done[every, parents]
    return _State(
        state.texts,
        state.open,
        state.memory,
        torch.cat([state.tokens[every, parents], chosen[..., None]], 2),
        totals,
        done | (chosen == end),
        state.lengths[every, parents] + ~done,
        _picked(past, (every * beams + parents).flatten()),
    )


def _picked(past: list[Heads] | None, rows: torch.Tensor) -> list[Heads] | None:
    return past and [(keys[rows], values[rows]) for keys, values in past]


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
