"""What a translator reads: a text's tokens, their states in the base, and hints to copy from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .batches import pad
from .checkpoints import Checkpoint, load_body
from .device import autocast, pick_device, pick_dtype
from .romanise import romanise
from .seq2seq import SourceBatch
from .vocabulary import PAD

if TYPE_CHECKING:
    import torch

STEP = 8  # widths are multiples of it


@dataclass(frozen=True, slots=True)
class Source:
    """A text's token ids; its hints, and the token that each hint comes from."""

    ids: list[int]
    hints: list[int]
    covers: list[int]


def read_sources(
    texts: Sequence[str], source: Any, target: Any, *, longest: int, hints: bool
) -> list[Source]:
    """Texts as the network takes them, cut at `longest` tokens.

    `source` and `target` are `tokenizers.Tokenizer`s.
    """
    source.enable_truncation(longest)
    found = []
    for text, encoded in zip(texts, source.encode_batch(list(texts)), strict=True):
        pieces, covers = _hints(text, encoded.offsets, target) if hints else ([], [])
        found.append(Source(encoded.ids, pieces[:longest], covers[:longest]))
    return found


def _hints(
    text: str, offsets: Sequence[tuple[int, int]], target: Any
) -> tuple[list[int], list[int]]:
    letters, places = romanise(text)
    encoded = target.encode(letters)
    real = [(end, at) for at, (start, end) in enumerate(offsets) if end > start]
    pieces, covers = [], []
    for piece, (start, end) in zip(encoded.ids, encoded.offsets, strict=True):
        if not letters[start:end].strip() or not real:
            continue
        after = bisect_left(real, (places[end - 1] + 1, 0))
        pieces.append(piece)
        covers.append(real[min(after, len(real) - 1)][1])
    return pieces, covers


class LowerLayers:
    """The base's lowest layers, frozen: token rows to hidden states."""

    def __init__(self, base: Checkpoint, count: int, *, dtype: str = "auto") -> None:
        self.base, self.count, self.dtype = base, count, dtype

    @cached_property
    def model(self) -> Any:
        """The base, cut above those layers."""
        model = load_body(self.base).to(pick_device())
        model.encoder.layer = model.encoder.layer[: self.count]
        return model

    @property
    def width(self) -> int:
        """Dimensions of a state."""
        return int(self.model.config.hidden_size)

    def states(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        """(rows, width of the longest, dimensions) in float32."""
        import torch

        device = pick_device()
        ids, mask = pad(rows, value=1, step=STEP)
        with torch.inference_mode(), autocast(device, pick_dtype(self.dtype, device)):
            states: torch.Tensor = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        return states.float()


def source_batch(sources: Sequence[Source], states: torch.Tensor | None) -> SourceBatch:
    """Sources padded together; without `states` of lower layers, their ids stand for them."""
    ids, mask = pad([one.ids for one in sources], value=PAD, step=STEP)
    hints, hint_mask = pad([one.hints for one in sources], value=PAD, step=STEP)
    covers, _ = pad([one.covers for one in sources], value=0, step=STEP)
    first = ids if states is None else states
    return SourceBatch(first, mask.bool(), hints, covers, hint_mask.bool())
