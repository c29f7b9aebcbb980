"""Kinds of FAISS index: how each is made, trained, and opened from disk."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ...core.errors import ConfigError, DataError, one_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .shards import Floats

EXACT = "flat"
COMPRESSED = "ivf-sq8"  # the one to take where flat is too large or too slow
KINDS = {
    "flat": "IDMap,Flat",  # exact, 4 bytes a dimension
    "sq8": "IDMap,SQ8",  # a byte a dimension, all compared
    "ivf-sq8": "IVF{lists},SQ8",  # the same, only the nearest lists compared
    "ivf-pq": "IVF{lists},PQ{parts}x8np",  # a byte for four dimensions; np: no polysemous codes
    "hnsw-sq8": "IDMap,HNSW16_SQ8",  # a byte a dimension and a graph: the fastest to search
}
ITEMS_A_LIST = 64  # so that a small corpus has few lists, and its training points enough
TRAINED_ON = 40  # vectors a centroid; FAISS warns below 39
PQ_CENTROIDS = 256
SEED = 12345


class Part(Protocol):
    """Some of a corpus's vectors, and where in the corpus each belongs."""

    @property
    def places(self) -> NDArray[np.int64]:
        """The position in the corpus of each row."""

    def read(self) -> Floats:
        """The vectors (passages, dimensions)."""


def check_kind(kind: str) -> None:
    """Raise ConfigError, listing the kinds there are, if `kind` is none."""
    if kind not in KINDS:
        raise ConfigError(f"no kind of dense index is called '{kind}'; there are: {one_of(KINDS)}")


def lists(kind: str, count: int) -> int:
    """How many lists an index of `count` vectors is cut into: 4 sqrt(count), fewer for few."""
    return max(1, min(4 * isqrt(count), count // ITEMS_A_LIST)) if kind.startswith("ivf") else 1


def trained(kind: str, parts: Sequence[Part]) -> Any:
    """An empty index of that kind, trained on the first of the parts.

    Raises:
        ConfigError: if the vectors are too few, or too short, for that kind.
    """
    import faiss

    count = sum(len(part.places) for part in parts)
    if kind == "ivf-pq" and count < PQ_CENTROIDS:
        raise ConfigError(f"kind 'ivf-pq' needs {PQ_CENTROIDS} passages or more, not {count}")
    sample = _sample(parts, max(TRAINED_ON * lists(kind, count), 64 * PQ_CENTROIDS))
    width = sample.shape[1]
    if kind == "ivf-pq" and width % 4:
        raise ConfigError(f"kind 'ivf-pq' needs a multiple of 4 dimensions, not {width}")
    recipe = KINDS[kind].format(lists=lists(kind, count), parts=width // 4)
    index = faiss.index_factory(width, recipe, faiss.METRIC_INNER_PRODUCT)
    index.train(sample)
    return index


def add(index: Any, part: Part) -> None:
    """Add a part's vectors, in the same way every time."""
    faiss: Any = import_module("faiss")  # its stubs lack the generator
    inner = faiss.downcast_index(index.index) if isinstance(index, faiss.IndexIDMap) else index
    threads = faiss.omp_get_max_threads()
    if isinstance(inner, faiss.IndexHNSW):  # its graph follows from the order and from chance
        inner.hnsw.rng = faiss.RandomGenerator(SEED + index.ntotal)
        faiss.omp_set_num_threads(1)
    try:
        index.add_with_ids(part.read(), part.places)
    finally:
        faiss.omp_set_num_threads(threads)


def open_index(path: Path, *, mapped: bool = True) -> Any:
    """An index from disk; mapped into memory, only what is searched is read.

    Raises:
        DataError: if it is not there or damaged.
    """
    import faiss

    try:
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC if mapped else 0)
    except RuntimeError as error:
        raise DataError(f"{path} is damaged; build it again (xorqa index --rebuild)") from error


def _sample(parts: Sequence[Part], count: int) -> Floats:
    """At least `count` vectors, or all: whole parts, which are random samples themselves."""
    taken: list[Floats] = []
    for part in parts:
        taken.append(part.read())
        if sum(map(len, taken)) >= count:
            break
    return np.concatenate(taken)
