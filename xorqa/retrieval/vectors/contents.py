"""Read an index's contents: the position of each row, and the vectors as stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .shards import Floats


def row_positions(index: Any) -> NDArray[np.int64]:
    """The position in the corpus of each row of the index, in the index's order."""
    import faiss

    if isinstance(index, faiss.IndexIDMap):
        ids: NDArray[np.int64] = faiss.vector_to_array(index.id_map)
        return ids
    if not isinstance(index, faiss.IndexIVF):  # without ids, rows are in corpus order
        return np.arange(index.ntotal)
    lists: Any = index.invlists
    sizes = _sizes(index)
    by_list = [faiss.rev_swig_ptr(lists.get_ids(at), size) for at, size in enumerate(sizes) if size]
    return np.concatenate(by_list) if by_list else np.empty(0, np.int64)


def row_vectors(index: Any, rows: NDArray[np.int64]) -> Floats:
    """The vectors (rows, dimensions) of the rows, numbered as in `row_positions`."""
    import faiss

    if not isinstance(index, faiss.IndexIVF):
        inner = faiss.downcast_index(getattr(index, "index", index))
        return np.stack([inner.reconstruct(int(row)) for row in rows])
    ends = np.cumsum(_sizes(index))
    lists = np.searchsorted(ends, rows, side="right")
    vectors = np.empty((len(rows), index.d), np.float32)
    for at, (row, number) in enumerate(zip(rows.tolist(), lists.tolist(), strict=True)):
        start = ends[number - 1] if number else 0
        index.reconstruct_from_offset(number, int(row - start), faiss.swig_ptr(vectors[at]))
    return vectors


def _sizes(index: Any) -> list[int]:
    return [index.invlists.list_size(at) for at in range(index.nlist)]
