"""How the size and cost of an index grow with the number of passages."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from ...retrieval.vectors.kinds import PQ_CENTROIDS, VECTORS_PER_CENTROID, list_count

ITERATIONS = 10  # of k-means, when FAISS trains the lists
_WORDS = "postings, building and search linear; words by Heaps' law"
LAWS = {
    "bm25": _WORDS,
    "psq": _WORDS,
    "flat": "all linear",
    "sq8": "all linear",
    "ivf": "bytes linear, and 4 a dimension and list; search as lists + nprobe x passages / lists; "
    "building as passages x lists and lists squared",
    "hnsw": "bytes linear; search as log(passages), building as passages x log(passages)",
}


@dataclass(frozen=True, slots=True)
class Measurement:
    """A built index: bytes on disk, build seconds and median search latency.

    `effort` is its search effort (nprobe or efSearch), 0 for kinds without one.
    """

    passages: int
    disk: float
    build_s: float
    search_ms: float
    effort: int = 0


def growth_law(kind: str) -> str:
    """A description of how a kind of index grows."""
    return LAWS[kind.partition("-")[0]]


def extrapolate(low: tuple[float, float], high: tuple[float, float], x: float) -> float:
    """The value at `x` on the line through two points (x, value).

    If noise makes the slope or the intercept negative, the value is taken to be proportional to
    x, through the second point.
    """
    (x1, y1), (x2, y2) = low, high
    slope = (y2 - y1) / (x2 - x1) if x2 > x1 else 0.0
    intercept = y2 - slope * x2
    if slope <= 0 or intercept < 0:
        return y2 * x / x2
    return intercept + slope * x


def search_cost(kind: str, passages: int, effort: int) -> float:
    """The quantity that search time is linear in."""
    if kind.startswith("ivf"):
        lists = list_count(kind, passages)
        return lists + min(effort, lists) * passages / lists
    if kind.startswith("hnsw"):
        return effort * log(passages + 1)
    return passages


def build_cost(kind: str, passages: int) -> float:
    """The quantity that build time, without encoding, is linear in.

    For IVF it is the number of comparisons with centroids: of added vectors with those of the
    lists and codes, and of training vectors with those of the lists in each k-means iteration.
    """
    if kind.startswith("ivf"):
        lists = list_count(kind, passages)
        training = ITERATIONS * min(passages, VECTORS_PER_CENTROID * lists)
        return float(passages * (lists + PQ_CENTROIDS) + training * lists)
    if kind.startswith("hnsw"):
        return passages * log(passages + 1)
    return passages


def index_bytes(
    kind: str, small: Measurement, large: Measurement, count: int, *, width: int
) -> float:
    """The bytes of a dense index of `count` vectors of `width` dimensions."""

    def centroids(passages: int) -> float:
        return 4.0 * width * list_count(kind, passages) if kind.startswith("ivf") else 0.0

    low, high = ((m.passages, m.disk - centroids(m.passages)) for m in (small, large))
    return extrapolate(low, high, count) + centroids(count)


def vocabulary_size(measured: Sequence[int], samples: Sequence[int], count: int) -> float:
    """The vocabulary of `count` passages, from those `measured` in samples of two sizes.

    Heaps' law, K x count ** beta (Heaps 1978), with beta between 0.4 and 1.
    """
    (words1, words2), (size1, size2) = measured, samples
    beta = log(max(words2, 1) / max(words1, 1)) / log(size2 / size1)
    return words2 * math.pow(count / size2, min(1.0, max(0.4, beta)))
