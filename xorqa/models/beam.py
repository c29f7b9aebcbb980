"""Beam search over the encoder-decoder, with cached keys and values."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import torch

    from .seq2seq import Memory, Network
    from .transformer import KeysValues

LOOKAHEAD = 3  # tokens of probability 1 that an unfinished hypothesis is assumed to gain
COMPACT_BELOW = 0.75  # share of unfinished texts below which the finished rows are dropped


class Hypothesis(NamedTuple):
    """Target tokens without `start` and `end`, and their log-probability, that of `end` included.

    The log-probability is the sum over tokens.
    """

    tokens: list[int]
    log_probability: float


def hypotheses(
    network: Network, memory: Memory, *, start: int, end: int, beams: int, max_tokens: int
) -> list[list[Hypothesis]]:
    """The hypotheses for each row of `memory`, best first: the complete ones, or else the best.

    The score is the sum of log-probabilities divided by the length (the first form in Wu et
    al. 2016, section 7, without coverage penalty). A text is finished once a complete hypothesis
    beats all incomplete ones, even if those gained `LOOKAHEAD` more tokens of probability 1, or
    after `max_tokens` tokens. One beam is greedy search.
    """
    outputs: list[list[Hypothesis]] = [[] for _ in memory.hints]
    state = _initial(memory, start, beams)
    for length in range(1, max_tokens + 1):
        state = _extended(network, state, end)
        lookahead = LOOKAHEAD * ~state.complete if length < max_tokens else 0
        best = (state.totals / (state.lengths + lookahead)).argmax(1)
        complete = state.complete.gather(1, best[:, None])[:, 0]
        finished = state.active & (complete | (length == max_tokens))
        for row in finished.nonzero()[:, 0].tolist():
            outputs[state.texts[row]] = _ranked(state, row, int(best[row]), end)
        state.active &= ~finished
        if not state.active.any():
            break
        if state.active.float().mean() <= COMPACT_BELOW:
            state = state.rows(state.active.nonzero()[:, 0])
    return outputs


def _ranked(state: _State, row: int, best: int, end: int) -> list[Hypothesis]:
    """The beam `best` of a text, then the other complete ones by score."""
    scores = (state.totals[row] / state.lengths[row]).tolist()
    others = [beam for beam in state.complete[row].nonzero()[:, 0].tolist() if beam != best]
    ranked = []
    for beam in [best, *sorted(others, key=lambda beam: -scores[beam])]:
        ids = state.tokens[row, beam, 1:].tolist()
        tokens = ids[: ids.index(end)] if end in ids else ids
        ranked.append(Hypothesis(tokens, float(state.totals[row, beam])))
    return ranked


@dataclass(slots=True)
class _State:
    """Texts with their beams: each tensor is (texts, ...) or (texts, beams, ...).

    `past` holds the cached keys and values of (texts * beams) rows. A text that is not active is
    finished; a complete beam has reached the end token.
    """

    texts: torch.Tensor
    active: torch.Tensor
    memory: Memory
    tokens: torch.Tensor
    totals: torch.Tensor
    complete: torch.Tensor
    lengths: torch.Tensor
    past: list[KeysValues] | None = None

    def rows(self, indices: torch.Tensor) -> _State:
        """A selection of the texts."""
        import torch

        count, beams = self.totals.shape
        numbers = torch.arange(count * beams, device=indices.device).view(count, beams)
        return _State(
            self.texts[indices],
            self.active[indices],
            self.memory.rows(indices),
            self.tokens[indices],
            self.totals[indices],
            self.complete[indices],
            self.lengths[indices],
            _selected(self.past, numbers[indices].flatten()),
        )


def _initial(memory: Memory, start: int, beams: int) -> _State:
    """The start token in every beam; as all are alike, only the first has a finite score."""
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


def _extended(network: Network, state: _State, end: int) -> _State:
    """The best beams after one more token; complete ones stay unchanged."""
    import torch

    count, beams = state.totals.shape
    x, past = network.decode(state.tokens[..., -1].view(-1, 1), state.memory, state.past)
    new = log_probabilities(network, x.view(count, beams, -1), state.memory)
    new[state.complete] = -math.inf
    new[..., end][state.complete] = 0.0
    totals, flat = (state.totals[..., None] + new).flatten(1).topk(beams)
    parents, chosen = flat // new.shape[2], flat % new.shape[2]
    every = torch.arange(count, device=parents.device)[:, None]
    complete = state.complete[every, parents]
    return replace(
        state,
        tokens=torch.cat([state.tokens[every, parents], chosen[..., None]], 2),
        totals=totals,
        complete=complete | (chosen == end),
        lengths=state.lengths[every, parents] + ~complete,
        past=_selected(past, (every * beams + parents).flatten()),
    )


def _selected(past: list[KeysValues] | None, rows: torch.Tensor) -> list[KeysValues] | None:
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
