"""The translator's input: source tokens, their hidden states in the base, and pieces to copy."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .batches import pad
from .bert import Bert, load_encoder
from .checkpoints import Checkpoint
from .device import autocast, pick_device
from .romanise import romanise
from .seq2seq import SourceBatch
from .vocabulary import PAD

if TYPE_CHECKING:
    import torch

STEP = 8  # padded widths are multiples of it


@dataclass(frozen=True, slots=True)
class EncodedSource:
    """A text's token ids, its hints, and the position of the token that each hint comes from."""

    ids: list[int]
    hints: list[int]
    hint_positions: list[int]


def encode_sources(
    texts: Sequence[str], source: Any, target: Any, *, max_tokens: int, hints: bool
) -> list[EncodedSource]:
    """Encode texts for the network, truncated to `max_tokens`.

    `source` and `target` are `tokenizers.Tokenizer`s.
    """
    source.enable_truncation(max_tokens)
    sources = []
    for text, encoded in zip(texts, source.encode_batch(list(texts)), strict=True):
        pieces, tokens = _hints(text, encoded.offsets, target) if hints else ([], [])
        sources.append(EncodedSource(encoded.ids, pieces[:max_tokens], tokens[:max_tokens]))
    return sources


def _hints(
    text: str, offsets: Sequence[tuple[int, int]], target: Any
) -> tuple[list[int], list[int]]:
    """Target pieces of the romanised text, and the source token that each comes from."""
    letters, characters = romanise(text)
    encoded = target.encode(letters)
    token_ends = [(end, token) for token, (start, end) in enumerate(offsets) if end > start]
    pieces, tokens = [], []
    for piece, (start, end) in zip(encoded.ids, encoded.offsets, strict=True):
        if not letters[start:end].strip() or not token_ends:
            continue
        after = bisect_left(token_ends, (characters[end - 1] + 1, 0))
        pieces.append(piece)
        tokens.append(token_ends[min(after, len(token_ends) - 1)][1])
    return pieces, tokens


class LowerLayers:
    """The base's lowest layers, frozen: token ids to hidden states."""

    def __init__(self, base: Checkpoint, count: int, *, dtype: str = "auto") -> None:
        self.base, self.count, self.dtype = base, count, dtype

    @cached_property
    def model(self) -> Any:
        """The base without the layers above."""
        return load_encoder(self.base, layers=self.count).to(pick_device())

    @property
    def width(self) -> int:
        """The dimensions of a hidden state."""
        if isinstance(self.model, Bert):
            return self.model.dimensions
        return int(self.model.config.hidden_size)

    def states(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        """Hidden states (rows, padded width, dimensions) in float32."""
        import torch

        ids, mask = pad(rows, value=1, step=STEP)
        with torch.inference_mode(), autocast(self.dtype):
            states: torch.Tensor = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        return states.float()


def pad_sources(sources: Sequence[EncodedSource], states: torch.Tensor | None) -> SourceBatch:
    """Pad sources into a batch of hidden states, or of token ids if there are no `states`."""
    ids, mask = pad([source.ids for source in sources], value=PAD, step=STEP)
    hints, hint_mask = pad([source.hints for source in sources], value=PAD, step=STEP)
    hint_positions, _ = pad([source.hint_positions for source in sources], value=0, step=STEP)
    inputs = ids if states is None else states
    return SourceBatch(inputs, mask.bool(), hints, hint_positions, hint_mask.bool())
