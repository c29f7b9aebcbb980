"""From shards of vectors to an index file: trained, filled, measured, and written whole."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.progress import Progress, silent
from ...io.files import atomic_path
from .kinds import EXACT, Part, add, lists, open_index, trained

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .shards import Floats

DEPTH = 100  # recall is that of the first hundred
TARGET = 0.985  # recall that an index is set to, where its codes allow it
SLACK = 0.003  # recall given up for speed where they do not
EFFORTS = {"ivf-sq8": "nprobe", "ivf-pq": "nprobe", "hnsw-sq8": "efSearch"}
WIDEST = 2048  # efSearch
SNAPSHOT = 1 << 21  # vectors; a killed build adds at most so many again


def make(
    kind: str,
    parts: Sequence[Part],
    questions: Callable[[], Floats],
    path: Path,
    *,
    draft: Path,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Write an index of all parts to `path` and return what was measured of it.

    `questions` gives the vectors (n, dimensions) that its recall is
    measured with, and set to `TARGET` by, unless it is exact.
    `draft` keeps the index while it is filled, so that a killed build goes on.
    """
    import faiss

    index = filled(kind, parts, draft, progress)
    measured = {}
    if kind != EXACT:
        asked = questions()
        measured = tune(kind, index, asked, nearest(asked, parts))
    with atomic_path(path) as temporary:
        faiss.write_index(index, str(temporary))
    return measured


def filled(kind: str, parts: Sequence[Part], draft: Path, progress: Progress) -> Any:
    """An index of all parts' vectors, from the draft on if there is one."""
    total = sum(len(part.places) for part in parts)
    if draft.is_file():
        index = open_index(draft, mapped=False)
    else:
        index = trained(kind, parts)
        _save(index, draft)
    saved = there = index.ntotal
    after = np.cumsum([len(part.places) for part in parts])
    for part, end in zip(parts, after.tolist(), strict=True):
        if end <= saved:
            continue
        add(index, part)
        progress(end, total)
        if end - there >= SNAPSHOT:
            _save(index, draft)
            there = end
    return index


def nearest(questions: Floats, parts: Sequence[Part], *, k: int = DEPTH) -> NDArray[np.int64]:
    """The places (questions, k) with the highest inner products, by comparing all."""
    import faiss

    k = min(k, sum(len(part.places) for part in parts))
    best = faiss.ResultHeap(len(questions), k, keep_max=True)
    for part in parts:
        vectors = part.read()
        scores, rows = faiss.knn(
            questions, vectors, min(k, len(vectors)), metric=faiss.METRIC_INNER_PRODUCT
        )
        best.add_result(scores, part.places[rows])
    best.finalize()
    places: NDArray[np.int64] = best.I
    return places


def recall(found: NDArray[np.int64], exact: NDArray[np.int64]) -> float:
    """The mean share of each row of `exact` that the same row of `found` has."""
    shared = [np.isin(right, some).mean() for some, right in zip(found, exact, strict=True)]
    return float(np.mean(shared))


def tune(kind: str, index: Any, questions: Floats, exact: NDArray[np.int64]) -> dict[str, Any]:
    """Set the least effort that reaches the target; the recall against `exact`, as a table.

    Where even the greatest effort misses the target, because the codes are coarse, the goal
    is what it reaches, less `SLACK`.
    """
    import faiss

    def recall_at(effort: int) -> float:
        if name:
            faiss.ParameterSpace().set_index_parameter(index, name, effort)
        return recall(index.search(questions, exact.shape[1])[1], exact)

    name = EFFORTS.get(kind)
    most = lists(kind, index.ntotal) if name == "nprobe" else WIDEST
    ceiling = recall_at(most)
    table = {f"recall@{DEPTH}": ceiling, "measured_with": len(questions)}
    if name is None:
        return table
    efforts = range(1, most + 1)
    goal = min(TARGET, ceiling - SLACK)
    effort = efforts[min(bisect_left(efforts, goal, key=recall_at), most - 1)]
    return {**table, f"recall@{DEPTH}": recall_at(effort), name: effort}


def _save(index: Any, path: Path) -> None:
    import faiss

    with atomic_path(path) as temporary:
        faiss.write_index(index, str(temporary))
