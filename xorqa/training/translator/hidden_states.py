"""The frozen layers' states of all sources, computed once and kept on disk.

One file of float16 rows, a row a token, texts longest first; killed, it goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.progress import Progress, silent
from ...io.files import read_json, write_json
from ...models.batches import width
from ...models.source_encoding import STEP, LowerLayers

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

CHUNK = 64  # texts encoded together
SAVED = 8  # chunks between two notes of how far it is


class States:
    """States of token rows, by the row's position."""

    def __init__(
        self,
        folder: Path,
        rows: Sequence[Sequence[int]],
        lower: LowerLayers,
        *,
        progress: Progress = silent,
    ) -> None:
        self.lengths = np.array([len(row) for row in rows])
        order = np.argsort(-self.lengths, kind="stable")
        self.starts = np.zeros(len(rows), np.int64)
        self.starts[order] = np.concatenate([[0], np.cumsum(self.lengths[order])[:-1]])
        size = int(self.lengths.sum()), lower.width
        self._fill(folder, rows, order, lower, size, progress)
        self.values: NDArray[np.float16] = np.memmap(
            folder / "states.f16", np.float16, mode="r", shape=size
        )

    def batch(self, rows: Sequence[int]) -> torch.Tensor:
        """States (rows, tokens, width) of some rows, in float32, padded with zeros."""
        import torch

        longest = width(int(self.lengths[rows].max()), step=STEP)
        found = np.zeros((len(rows), longest, self.values.shape[1]), np.float32)
        for at, row in enumerate(rows):
            start, length = self.starts[row], self.lengths[row]
            found[at, :length] = self.values[start : start + length]
        return torch.from_numpy(found)

    def _fill(
        self,
        folder: Path,
        rows: Sequence[Sequence[int]],
        order: NDArray[np.int64],
        lower: LowerLayers,
        size: tuple[int, int],
        progress: Progress,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path, note = folder / "states.f16", folder / "states.json"
        done = read_json(note)["texts"] if note.is_file() and path.is_file() else 0
        if done == len(rows):
            return
        values = np.memmap(path, np.float16, mode="r+" if done else "w+", shape=size)
        for at, start in enumerate(range(done, len(rows), CHUNK), 1):
            some = order[start : start + CHUNK]
            states = lower.states([rows[row] for row in some]).cpu().numpy()
            for row, found in zip(some, states, strict=True):
                first, length = self.starts[row], self.lengths[row]
                values[first : first + length] = found[:length]
            ended = min(start + CHUNK, len(rows))
            if at % SAVED == 0 or ended == len(rows):
                values.flush()
                write_json(note, {"texts": ended})
                progress(ended, len(rows))
