"""Build an index file from shards of vectors: train, fill, tune and write it."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.progress import Progress, silent
from ...io.files import atomic_path
from .kinds import EXACT, VectorChunk, add_chunk, list_count, open_index, train_index
from .shards import Floats

DEPTH = 100  # recall is measured on the first 100 results
TARGET_RECALL = 0.985
MAX_LOSS = 0.003  # recall given up for speed where the codes are too coarse for the target
EFFORTS = {"ivf-sq8": "nprobe", "ivf-pq": "nprobe", "hnsw-sq8": "efSearch"}
MAX_EF_SEARCH = 2048
SNAPSHOT = 1 << 21  # vectors between snapshots; a killed build repeats at most as many


def build_index(
    kind: str,
    chunks: Sequence[VectorChunk],
    questions: Callable[[], Floats],
    path: Path,
    draft: Path,
    *,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Write an index of all chunks to `path` and return its measured recall and search effort.

    `questions` returns the vectors (n, dimensions) that an approximate index is tuned with.
    `draft` stores the index while it is filled, so that a killed build resumes.
    """
    index = fill_index(kind, chunks, draft, progress)
    measured = {}
    if kind != EXACT:
        query_vectors = questions()
        measured = tune(kind, index, query_vectors, exact_search(query_vectors, chunks))
    save_index(index, path)
    return measured


def fill_index(kind: str, chunks: Sequence[VectorChunk], draft: Path, progress: Progress) -> Any:
    """An index of all chunks' vectors, resumed from the draft if it exists."""
    total = sum(len(chunk.positions) for chunk in chunks)
    if draft.is_file():
        index = open_index(draft, mapped=False)
    else:
        index = train_index(kind, chunks)
        save_index(index, draft)
    resumed_at = last_saved = index.ntotal
    ends = np.cumsum([len(chunk.positions) for chunk in chunks])
    for chunk, end in zip(chunks, ends.tolist(), strict=True):
        if end <= resumed_at:
            continue
        add_chunk(index, chunk)
        progress(end, total)
        if end - last_saved >= SNAPSHOT:
            save_index(index, draft)
            last_saved = end
    return index


def exact_search(
    questions: Floats, chunks: Sequence[VectorChunk], *, k: int = DEPTH
) -> NDArray[np.int64]:
    """The positions (questions, k) with the highest inner products, by exhaustive search."""
    import faiss

    k = min(k, sum(len(chunk.positions) for chunk in chunks))
    best = faiss.ResultHeap(len(questions), k, keep_max=True)
    for chunk in chunks:
        vectors = chunk.read()
        scores, rows = faiss.knn(
            questions, vectors, min(k, len(vectors)), metric=faiss.METRIC_INNER_PRODUCT
        )
        best.add_result(scores, chunk.positions[rows])
    best.finalize()
    positions: NDArray[np.int64] = best.I
    return positions


def recall(retrieved: NDArray[np.int64], exact: NDArray[np.int64]) -> float:
    """The mean share of each row of `exact` that the same row of `retrieved` contains."""
    rows = zip(retrieved, exact, strict=True)
    return float(np.mean([np.isin(right, row).mean() for row, right in rows]))


def tune(kind: str, index: Any, questions: Floats, exact: NDArray[np.int64]) -> dict[str, Any]:
    """Set the lowest search effort that reaches the target; return it with the recall.

    If even the highest effort misses `TARGET_RECALL` because the codes are too coarse, the
    target is the recall that it reaches minus `MAX_LOSS`.
    """
    import faiss

    def recall_at(effort: int) -> float:
        if name:
            faiss.ParameterSpace().set_index_parameter(index, name, effort)
        return recall(index.search(questions, exact.shape[1])[1], exact)

    name = EFFORTS.get(kind)
    highest = list_count(kind, index.ntotal) if name == "nprobe" else MAX_EF_SEARCH
    ceiling = recall_at(highest)
    table = {f"recall@{DEPTH}": ceiling, "measured_with": len(questions)}
    if name is None:
        return table
    efforts = range(1, highest + 1)
    target = min(TARGET_RECALL, ceiling - MAX_LOSS)
    effort = efforts[min(bisect_left(efforts, target, key=recall_at), highest - 1)]
    return {**table, f"recall@{DEPTH}": recall_at(effort), name: effort}


def save_index(index: Any, path: Path) -> None:
    """Write an index, atomically."""
    import faiss

    with atomic_path(path) as temporary:
        faiss.write_index(index, str(temporary))
