"""The kinds of FAISS index: creating, training, filling, opening and reading them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from math import isqrt
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, DataError, one_of
from .shards import Floats

EXACT = "flat"
COMPRESSED = "ivf-sq8"  # the recommended kind where flat is too large or too slow
KINDS = {
    "flat": "IDMap,Flat",  # exact, 4 bytes per dimension
    "sq8": "IDMap,SQ8",  # 1 byte per dimension, exhaustive
    "ivf-sq8": "IVF{lists},SQ8",  # the same, but searches only the nearest lists
    "ivf-pq": "IVF{lists},PQ{subvectors}x8np",  # 1 byte per 4 dimensions; no polysemous codes
    "hnsw-sq8": "IDMap,HNSW16_SQ8",  # 1 byte per dimension and a graph: the fastest to search
}
BYTES_PER_DIMENSION = {"flat": 4.0, "ivf-pq": 0.25}  # others: 1
BYTES_PER_VECTOR = {"hnsw-sq8": 136}  # others: 8, the position
VECTORS_PER_LIST = 64  # at least, so that small corpora have few lists and enough training vectors
VECTORS_PER_CENTROID = 40  # for training; FAISS warns below 39
PQ_CENTROIDS = 256
GRAPH_SEED = 12345  # of the random levels of a graph


class VectorChunk(Protocol):
    """A chunk of a corpus's vectors, with their positions in the corpus."""

    @property
    def positions(self) -> NDArray[np.int64]:
        """The position in the corpus of each row."""

    def read(self) -> Floats:
        """The vectors (passages, dimensions)."""


@dataclass(frozen=True, slots=True, eq=False)
class MemoryChunk:
    """A chunk of vectors in memory, with their positions in the corpus."""

    positions: NDArray[np.int64]
    vectors: Floats

    def read(self) -> Floats:
        """The vectors (passages, dimensions)."""
        return self.vectors


def check_kind(kind: str) -> None:
    """Raise a ConfigError that lists the valid kinds if `kind` is not one of them."""
    if kind not in KINDS:
        raise ConfigError(f"no kind of dense index is called '{kind}'; valid: {one_of(KINDS)}")


def index_size(kind: str, count: int, dimensions: int) -> float:
    """The bytes of an index of `count` vectors, approximately."""
    vector = BYTES_PER_DIMENSION.get(kind, 1.0) * dimensions + BYTES_PER_VECTOR.get(kind, 8)
    return count * vector + 4.0 * dimensions * list_count(kind, count)


def list_count(kind: str, count: int) -> int:
    """The number of IVF lists for `count` vectors: 4 sqrt(count), or fewer if there are few."""
    return max(1, min(4 * isqrt(count), count // VECTORS_PER_LIST)) if kind.startswith("ivf") else 1


def train_index(kind: str, chunks: Sequence[VectorChunk]) -> Any:
    """An empty index of that kind, trained on the first chunks.

    Raises:
        ConfigError: if the kind needs more vectors or another number of dimensions.
    """
    import faiss

    count = sum(len(chunk.positions) for chunk in chunks)
    if kind == "ivf-pq" and count < PQ_CENTROIDS:
        raise ConfigError(f"kind 'ivf-pq' needs {PQ_CENTROIDS} passages or more, not {count}")
    lists = list_count(kind, count)
    sample = _sample(chunks, max(VECTORS_PER_CENTROID * lists, 64 * PQ_CENTROIDS))
    width = sample.shape[1]
    if kind == "ivf-pq" and width % 4:
        raise ConfigError(f"kind 'ivf-pq' needs a multiple of 4 dimensions, not {width}")
    factory = KINDS[kind].format(lists=lists, subvectors=width // 4)
    index = faiss.index_factory(width, factory, faiss.METRIC_INNER_PRODUCT)
    index.train(sample)
    return index


def add_chunk(index: Any, chunk: VectorChunk) -> None:
    """Add a chunk's vectors, deterministically."""
    faiss: Any = import_module("faiss")  # its stubs lack the generator
    graph = graph_of(index)  # depends on the order and on random numbers
    if graph:
        graph.hnsw.rng = faiss.RandomGenerator(GRAPH_SEED + index.ntotal)
    with one_thread() if graph else nullcontext():
        index.add_with_ids(chunk.read(), chunk.positions)


def graph_of(index: Any) -> Any:
    """The HNSW index inside, or None."""
    import faiss

    inner = faiss.downcast_index(index.index) if isinstance(index, faiss.IndexIDMap) else index
    return inner if isinstance(inner, faiss.IndexHNSW) else None


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which FAISS uses one thread."""
    import faiss

    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(threads)


def open_index(path: Path, *, mapped: bool = True, passages: int | None = None) -> Any:
    """Open an index from disk, memory-mapped by default; `passages` is the expected number.

    Raises:
        DataError: if it is missing, damaged, or of another number of passages.
    """
    import faiss

    try:
        index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC if mapped else 0)
    except RuntimeError as error:
        raise DataError(f"{path} is damaged; rebuild it with xorqa index --rebuild") from error
    if passages not in {None, index.ntotal}:
        raise DataError(
            f"{path} has {index.ntotal} vectors for {passages} passages; "
            "rebuild it with xorqa index --rebuild"
        )
    return index


def row_positions(index: Any) -> NDArray[np.int64]:
    """The position in the corpus of each row of the index, in the index's order."""
    import faiss

    if isinstance(index, faiss.IndexIDMap):
        ids: NDArray[np.int64] = faiss.vector_to_array(index.id_map)
        return ids
    if not isinstance(index, faiss.IndexIVF):  # without ids, rows are in corpus order
        return np.arange(index.ntotal)
    lists: Any = index.invlists
    by_list = [
        faiss.rev_swig_ptr(lists.get_ids(number), size)
        for number, size in enumerate(_sizes(index))
        if size
    ]
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
    for vector, row, number in zip(vectors, rows.tolist(), lists.tolist(), strict=True):
        start = ends[number - 1] if number else 0
        index.reconstruct_from_offset(number, int(row - start), faiss.swig_ptr(vector))
    return vectors


def _sample(chunks: Sequence[VectorChunk], count: int) -> Floats:
    """At least `count` vectors, or all: whole chunks, which are random samples of the corpus."""
    sample: list[Floats] = []
    for chunk in chunks:
        sample.append(chunk.read())
        if sum(map(len, sample)) >= count:
            break
    return np.concatenate(sample)


def _sizes(index: Any) -> list[int]:
    """The number of rows in each list of an IVF index."""
    return [index.invlists.list_size(number) for number in range(index.nlist)]
