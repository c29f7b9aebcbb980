"""Mine sentence pairs by margin: forward, backward, and their intersection or union."""

from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...core.progress import TaskProgress, silent
from .margins import K, Margin, Vectors, best_by_margin, nearest

Retrieval = Literal["forward", "backward", "intersection", "max"]
RETRIEVALS: tuple[Retrieval, ...] = get_args(Retrieval)


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Pairs of rows (pairs,), best score first; equal scores by row of the source, then target."""

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

    def select(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> "Candidates":
        """The pairs of these positions, or where it is true."""
        return Candidates(self.sources[rows], self.targets[rows], self.scores[rows])


def mine(
    x: Vectors,
    y: Vectors,
    *,
    margin: Margin = "ratio",
    k: int = K,
    retrieval: Retrieval = "max",
    progress: TaskProgress = silent,
) -> Candidates:
    """Mine pairs of a row of `x` and a row of `y` (Artetxe and Schwenk 2019).

    A row's candidates are its k nearest rows of the other side. `forward` pairs each row of `x`
    with its best candidate, `backward` each row of `y`; `intersection` has the pairs of both, and
    `max` takes the pairs of either by score, each row at most once.
    """
    forward = nearest(x, y, k=k, progress=partial(progress, "searching forward"))
    backward = nearest(y, x, k=k, progress=partial(progress, "searching backward"))
    targets, forward_scores = best_by_margin(forward, backward, margin)
    sources, backward_scores = best_by_margin(backward, forward, margin)
    from_x = Candidates(np.arange(len(x)), targets, forward_scores)
    from_y = Candidates(sources, np.arange(len(y)), backward_scores)
    if retrieval == "forward":
        return _sorted(from_x)
    if retrieval == "backward":
        return _sorted(from_y)
    if retrieval == "intersection":
        return _sorted(from_x.select(sources[targets] == from_x.sources))
    return _each_once(_sorted(_joined(from_x, from_y)))


def _joined(first: Candidates, second: Candidates) -> Candidates:
    return Candidates(
        np.concatenate([first.sources, second.sources]),
        np.concatenate([first.targets, second.targets]),
        np.concatenate([first.scores, second.scores]),
    )


def _sorted(pairs: Candidates) -> Candidates:
    return pairs.select(np.lexsort((pairs.targets, pairs.sources, -pairs.scores)))


def _each_once(pairs: Candidates) -> Candidates:
    """The pairs whose rows are in no better pair that is taken."""
    sources: set[int] = set()
    targets: set[int] = set()
    selected = np.zeros(len(pairs), bool)
    rows = zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True)
    for index, (source, target) in enumerate(rows):
        if source not in sources and target not in targets:
            sources.add(source)
            targets.add(target)
            selected[index] = True
    return pairs.select(selected)
