"""Predict the cost of mining two large collections from mining small ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.progress import timed
from ..bench.synthetic import resize
from ..mining.margins import BLOCK, SPARE, K
from ..mining.retrieval import mine
from .laws import Measurement, extrapolate
from .measure import Sample
from .plan import Forecast

if TYPE_CHECKING:
    from ...retrieval.vectors.shards import Floats

KIND = "mine"
LAW = (
    "two collections of this size; bytes and encoding linear, mining (building) as the product of "
    "the sizes; memory with both collections' vectors and texts"
)
SIDES = 2
PAIR_BYTES = 600  # a sentence on each side: neighbours, candidates, and the rows already paired
BLOCK_BYTES = 22 * BLOCK * (K + SPARE)  # per dimension, to compute cosines again with 64 bits


def plan_mining(
    vectors: Floats, sample: Sample, *, size: int, count: int, workers: int
) -> Forecast:
    """Mine `size` by `size` synthetic vectors, and half as many; predict `count` by `count`."""
    small, large = _measure(vectors, size // 2), _measure(vectors, size)
    disk = SIDES * 4.0 * sample.width * count
    working = float(PAIR_BYTES * count + BLOCK_BYTES * sample.width)
    return Forecast(
        KIND,
        LAW,
        (small, large),
        count,
        disk,
        building_disk=disk,
        memory=disk + working + SIDES * sample.memory * count,
        encode_s=SIDES * sample.passage_s * count / max(1, workers),
        build_s=extrapolate(_point(small), _point(large), count**2),
        query_ms=0.0,
    )


def _point(measured: Measurement) -> tuple[float, float]:
    return measured.passages**2, measured.build_s


def _measure(vectors: Floats, size: int) -> Measurement:
    """The time to mine `size` by `size` vectors, and the bytes of these."""
    x, y = resize(vectors, size), resize(vectors[::-1], size)
    seconds, _ = timed(lambda: mine(x, y))
    return Measurement(size, x.nbytes + y.nbytes, seconds, 0.0)
