"""The frozen layers' hidden states of all sources, computed once and stored on disk.

One file of float16 rows, a row per token, longest texts first; an interrupted pass resumes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....core.progress import Progress, silent
from ....io.files import read_json, write_json
from ....io.locks import sweep
from ....models.batches import width
from ....models.source_encoding import STEP, LowerLayers

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

CHUNK = 64  # texts encoded together
SAVE_EVERY = 8  # chunks


class HiddenStates:
    """Hidden states of token rows, by the row's position."""

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
        """(rows, tokens, width) of the given rows, in float32, padded with zeros."""
        import torch

        longest = width(int(self.lengths[rows].max()), step=STEP)
        states = np.zeros((len(rows), longest, self.values.shape[1]), np.float32)
        for place, row in enumerate(rows):
            start, length = self.starts[row], self.lengths[row]
            states[place, :length] = self.values[start : start + length]
        return torch.from_numpy(states)

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
        sweep(folder)
        path, count_file = folder / "states.f16", folder / "states.json"
        done = read_json(count_file)["texts"] if count_file.is_file() and path.is_file() else 0
        if done == len(rows):
            return
        values = np.memmap(path, np.float16, mode="r+" if done else "w+", shape=size)
        for number, start in enumerate(range(done, len(rows), CHUNK), 1):
            chunk = order[start : start + CHUNK]
            padded = lower.states([rows[row] for row in chunk]).cpu().numpy()
            for row, states in zip(chunk, padded, strict=True):
                first, length = self.starts[row], self.lengths[row]
                values[first : first + length] = states[:length]
            ended = min(start + CHUNK, len(rows))
            if number % SAVE_EVERY == 0 or ended == len(rows):
                values.flush()
                write_json(count_file, {"texts": ended})
                progress(ended, len(rows))
