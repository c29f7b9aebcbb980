"""Token rows into batches of few different shapes.

CPU kernels for bfloat16 are compiled anew for every shape they meet, so widths are rounded up to
multiples of `STEP` and the size of a batch follows from its width. Those for float32 are not: there
`NARROW` spares an eighth of the time for passages and a third for short texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .device import pick_device

if TYPE_CHECKING:
    import torch

STEP, NARROW = 32, 8


def step_for(dtype: torch.dtype) -> int:
    """What widths are multiples of, when matrix products are in that precision."""
    import torch

    return NARROW if dtype is torch.float32 else STEP


def by_length(
    lengths: Sequence[int], *, budget: int = 6144, step: int = STEP
) -> Iterator[list[int]]:
    """Positions in batches of similar length, longest first, within `budget` padded tokens."""
    order = sorted(range(len(lengths)), key=lambda at: -lengths[at])
    start = 0
    while start < len(order):
        size = max(1, budget // width(lengths[order[start]], step=step))
        yield order[start : start + size]
        start += size


def pad(
    rows: Sequence[Sequence[int]],
    *,
    value: int,
    step: int = STEP,
    device: torch.device | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and attention mask, each (rows, width of the longest) of int64.

    They are on `device`, or where models compute if none is given.
    """
    import torch

    shape = (len(rows), width(max(map(len, rows)), step=step))
    ids, mask = np.full(shape, value, np.int64), np.zeros(shape, np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
        mask[at, : len(row)] = 1
    there = device or pick_device()
    return torch.from_numpy(ids).to(there), torch.from_numpy(mask).to(there)


def width(length: int, *, step: int = STEP) -> int:
    """The padded width of a row of `length` tokens."""
    return -(-max(1, length) // step) * step
