"""How an index's figures grow with its passages, kind by kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from ..vectors.kinds import PQ_CENTROIDS, VECTORS_PER_CENTROID, list_count

ROUNDS = 10  # of k-means, when FAISS trains the lists
LAWS = {
    "bm25": "postings, building and search linear; words by Heaps' law",
    "flat": "all linear",
    "sq8": "all linear",
    "ivf": "bytes linear, and 4 a dimension and list; search as lists + nprobe x passages / lists; "
    "building as passages x lists and lists squared",
    "hnsw": "bytes linear; search as log(passages), building as passages x log(passages)",
}


@dataclass(frozen=True, slots=True)
class Measured:
    """An index that was built: bytes on disk, seconds, and a search's median.

    `effort` is what it was set to search with (nprobe or efSearch), 0 where there is nothing
    to set.
    """

    passages: int
    disk: float
    build_s: float
    search_ms: float
    effort: int = 0


def law(kind: str) -> str:
    """The law of a kind, in words."""
    return LAWS[kind.partition("-")[0]]


def extrapolate(low: tuple[float, float], high: tuple[float, float], at: float) -> float:
    """The value at `at` on the line through two points (x, value).

    Where noise makes the line fall or start below 0, the second point alone counts and the
    value is proportional to x.
    """
    (less, small), (more, large) = low, high
    slope = (large - small) / (more - less) if more > less else 0.0
    start = large - slope * more
    if slope <= 0 or start < 0:
        return large * at / more
    return start + slope * at


def searching(kind: str, passages: int, effort: int) -> float:
    """What a search's time is linear in."""
    if kind.startswith("ivf"):
        there = list_count(kind, passages)
        return there + min(effort, there) * passages / there
    if kind.startswith("hnsw"):
        return effort * log(passages + 1)
    return passages


def building(kind: str, passages: int) -> float:
    """What the time of building, encoding aside, is linear in.

    With lists it is how many vectors are compared with centroids: those added with the lists'
    and the codes', and those trained on with the lists' in every round of k-means.
    """
    if kind.startswith("ivf"):
        there = list_count(kind, passages)
        trained = ROUNDS * min(passages, VECTORS_PER_CENTROID * there)
        return float(passages * (there + PQ_CENTROIDS) + trained * there)
    if kind.startswith("hnsw"):
        return passages * log(passages + 1)
    return passages


def stored(kind: str, small: Measured, large: Measured, count: int, *, width: int) -> float:
    """Bytes of a dense index of `count` vectors of `width` dimensions."""

    def table(passages: int) -> float:  # the lists' centroids
        return 4.0 * width * list_count(kind, passages) if kind.startswith("ivf") else 0.0

    low, high = ((one.passages, one.disk - table(one.passages)) for one in (small, large))
    return extrapolate(low, high, count) + table(count)


def words(found: Sequence[int], sizes: Sequence[int], count: int) -> float:
    """Different words in `count` passages, from those found in samples of two sizes.

    Heaps' law, K x count ** beta (Heaps 1978), with a beta from 0.4 to 1.
    """
    (few, many), (less, more) = found, sizes
    beta = log(max(many, 1) / max(few, 1)) / log(more / less)
    return many * math.pow(count / more, min(1.0, max(0.4, beta)))
