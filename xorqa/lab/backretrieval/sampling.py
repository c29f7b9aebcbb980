"""The samples of Fain et al. 2021, section 3.1: matching for XLR, non-matching for BkR and CORR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, DataError

DEFAULT_TEXTS = 1000

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Source and target texts, by index; in a matching sample the i-th of both have the same id."""

    source: Indices
    target: Indices

    def __len__(self) -> int:
        return len(self.source)


class Sampler:
    """Draws samples from the ids of the source texts and of the target texts.

    Args:
        texts: the texts on each side of a sample; None: `DEFAULT_TEXTS`, or as many as there are.

    Raises:
        ConfigError: if there are fewer texts than `texts`.
        DataError: if there are no two texts with different ids.

    Attributes:
        n: the texts on each side of a non-matching sample.
        matching: those of a matching sample; fewer than n if fewer ids are shared.
    """

    def __init__(self, source: Sequence[str], target: Sequence[str], texts: int | None) -> None:
        self._source, self._target = np.array(source), np.array(target)
        _, of_source, of_target = np.intersect1d(
            self._source, self._target, assume_unique=True, return_indices=True
        )
        self._shared = of_source, of_target
        alone = len(target) - len(of_target)
        most = min(len(source), max(len(target) // 2, alone))
        if not most:
            raise DataError("at least two texts that do not belong to each other are needed")
        if texts is not None and texts > most:
            raise ConfigError(f"--texts {texts} is too large: the data has {most} texts a side")
        self.n = min(texts or DEFAULT_TEXTS, most)
        self.matching = min(self.n, len(of_source))

    def draw_matching(self, stream: np.random.Generator) -> Sample:
        """Texts that are on both sides."""
        drawn = stream.permutation(len(self._shared[0]))[: self.matching]
        return Sample(self._shared[0][drawn], self._shared[1][drawn])

    def draw_non_matching(self, stream: np.random.Generator) -> Sample:
        """Source texts, and target texts none of which belongs to a drawn source text."""
        source = stream.permutation(len(self._source))[: self.n]
        others = np.flatnonzero(~np.isin(self._target, self._source[source]))
        return Sample(source, stream.permutation(others)[: self.n])


def mean_and_error(values: Any) -> tuple[float, float | None]:
    """The mean and its standard error, None for a single value."""
    array = np.asarray(values, np.float64)
    error = float(array.std(ddof=1) / len(array) ** 0.5) if len(array) > 1 else None
    return float(array.mean()), error
