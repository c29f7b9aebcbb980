"""Update a filled FAISS index: delete and move rows, and add new ones; nothing is trained again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kinds import KINDS, VectorChunk, add_chunk, row_positions, row_vectors
from .shards import Floats

DELETED = -1
SEED = 2026
BATCH = 2048  # vectors decoded at a time


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
    return [both[at] for at in np.random.default_rng(SEED).permutation(len(both))]


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

    if not isinstance(index, faiss.IndexIVF | faiss.IndexIDMap) or _graph(index):
        chunks = [*_stored(faiss.clone_index(index), moves), *chunks]
        index = _emptied(kind, index)
    else:
        index.remove_ids(faiss.IDSelectorBatch(np.flatnonzero(moves == DELETED)))
        _move(index, moves)
    for chunk in chunks:
        add_chunk(index, chunk)
    return index


def _graph(index: Any) -> Any:
    """The HNSW index inside, or None."""
    import faiss

    inner = faiss.downcast_index(index.index) if isinstance(index, faiss.IndexIDMap) else None
    return inner if isinstance(inner, faiss.IndexHNSW) else None


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


def _emptied(kind: str, index: Any) -> Any:
    """An index without rows; a graph keeps its trained quantiser and its effort."""
    import faiss

    if _graph(index):
        index.reset()
        return index
    return faiss.index_factory(index.d, KINDS[kind], faiss.METRIC_INNER_PRODUCT)
