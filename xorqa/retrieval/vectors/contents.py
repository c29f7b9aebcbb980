"""What an index file holds: whose vectors, and the vectors themselves as far as codes keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .shards import Floats


def places(index: Any) -> NDArray[np.int64]:
    """The position in the corpus of each row, in the order the index keeps them."""
    import faiss

    if isinstance(index, faiss.IndexIDMap):
        ids: NDArray[np.int64] = faiss.vector_to_array(index.id_map)
        return ids
    if not isinstance(index, faiss.IndexIVF):  # rows without names stand in the corpus's order
        return np.arange(index.ntotal)
    lists: Any = index.invlists
    sizes = _sizes(index)
    found = [faiss.rev_swig_ptr(lists.get_ids(at), size) for at, size in enumerate(sizes) if size]
    return np.concatenate(found) if found else np.empty(0, np.int64)


def vectors(index: Any, rows: NDArray[np.int64]) -> Floats:
    """The vectors (rows, dimensions) of some rows, counted as `places` counts them."""
    import faiss

    if not isinstance(index, faiss.IndexIVF):
        inner = faiss.downcast_index(getattr(index, "index", index))
        return np.stack([inner.reconstruct(int(row)) for row in rows])
    ends = np.cumsum(_sizes(index))
    lists = np.searchsorted(ends, rows, side="right")
    found = np.empty((len(rows), index.d), np.float32)
    for at, (row, number) in enumerate(zip(rows.tolist(), lists.tolist(), strict=True)):
        start = ends[number - 1] if number else 0
        index.reconstruct_from_offset(number, int(row - start), faiss.swig_ptr(found[at]))
    return found


def _sizes(index: Any) -> list[int]:
    return [index.invlists.list_size(at) for at in range(index.nlist)]
