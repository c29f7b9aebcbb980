"""Build an index file from chunks of vectors: train, fill, tune and write it, or update it.

An update deletes and moves rows of a filled index and adds new ones; nothing is trained again.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.progress import Progress, silent
from ...io.files import atomic_path
from .kinds import (
    EXACT,
    KINDS,
    VectorChunk,
    add_chunk,
    graph_of,
    list_count,
    open_index,
    row_positions,
    row_vectors,
    train_index,
)
from .shards import Floats

DEPTH = 100  # recall is measured on the first 100 results
TARGET_RECALL = 0.985
MAX_LOSS = 0.003  # recall given up for speed where the codes are too coarse for the target
EFFORTS = {"ivf-sq8": "nprobe", "ivf-pq": "nprobe", "hnsw-sq8": "efSearch"}
MAX_EF_SEARCH = 2048
DELETED = -1  # the new position of a row that an update deletes
SEED = 2026  # of the order of decoded rows
BATCH = 2048  # vectors decoded at a time
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
        if end <= resumed_at:  # the draft has them
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


@dataclass(frozen=True, slots=True, eq=False)
class StoredChunk:
    """Rows of an index, decoded when they are read, with their new positions in the corpus."""

    positions: NDArray[np.int64]
    index: Any
    rows: NDArray[np.int64]

    def read(self) -> Floats:
        """The vectors (passages, dimensions)."""
        return row_vectors(self.index, self.rows)


def mixed_chunks(
    index: Any, moves: NDArray[np.int64], chunks: Sequence[VectorChunk]
) -> list[VectorChunk]:
    """The rows that stay and the chunks in random order, as an index is trained on the first."""
    both = [*_stored(index, moves), *chunks]
    order = np.random.default_rng(SEED).permutation(len(both))
    return [both[number] for number in order]


def _stored(index: Any, moves: NDArray[np.int64]) -> list[VectorChunk]:
    """The rows that stay, each chunk a random sample of them."""
    positions = moves[row_positions(index)]
    rows = np.random.default_rng(SEED).permutation(np.flatnonzero(positions != DELETED))
    batches = np.split(rows, range(BATCH, len(rows), BATCH)) if len(rows) else []
    return [StoredChunk(positions[batch], index, batch) for batch in map(np.sort, batches)]


def update_rows(
    kind: str, index: Any, moves: NDArray[np.int64], chunks: Sequence[VectorChunk]
) -> Any:
    """The index with its rows at new positions in the corpus, and with the chunks' vectors.

    `moves` maps each old position to the new one, or to `DELETED`. Compressed rows keep their
    codes. A graph cannot lose rows and is linked again. The index passed in may be changed.
    """
    import faiss

    if not isinstance(index, faiss.IndexIVF | faiss.IndexIDMap):  # of an earlier version: no ids
        chunks = [*_stored(faiss.clone_index(index), moves), *chunks]
        index = faiss.index_factory(index.d, KINDS[kind], faiss.METRIC_INNER_PRODUCT)
    elif graph_of(index):
        chunks = [*_stored(faiss.clone_index(index), moves), *chunks]
        index.reset()  # keeps its trained quantiser and its effort
    else:
        index.remove_ids(faiss.IDSelectorBatch(np.flatnonzero(moves == DELETED)))
        _move(index, moves)
    for chunk in chunks:
        add_chunk(index, chunk)
    return index


def _move(index: Any, moves: NDArray[np.int64]) -> None:
    """Replace the position of each row."""
    import faiss

    if isinstance(index, faiss.IndexIDMap):
        faiss.copy_array_to_vector(moves[row_positions(index)], index.id_map)
        return
    lists: Any = index.invlists
    for number in range(index.nlist):
        if size := lists.list_size(number):
            ids = faiss.rev_swig_ptr(lists.get_ids(number), size)
            ids[:] = moves[ids]
