"""The cost of mining, predicted from small collections."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np

from xorqa.lab.mining import margins
from xorqa.lab.mining.retrieval import mine
from xorqa.lab.planning.measure import Sample
from xorqa.lab.planning.mining import BLOCK_BYTES, KIND, PAIR_BYTES, plan_mining

MILLION = 1_000_000


def unit(rows: int, width: int) -> np.ndarray:
    vectors = np.random.default_rng(rows).standard_normal((rows, width)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def peak(call: Callable[[], object]) -> int:
    """The bytes that a call allocates at most."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_million_by_a_million() -> None:
    sample = Sample("s", 9, 60, memory=300, encoded=9, width=384, passage_s=0.01, question_ms=1)
    forecast = plan_mining(unit(64, 384), sample, size=400, count=MILLION, workers=4)
    assert (forecast.kind, forecast.passages) == (KIND, MILLION)
    assert [measurement.passages for measurement in forecast.measured] == [200, 400]
    assert forecast.disk == 2 * 4 * 384 * MILLION
    assert forecast.encode_s == 2 * 0.01 * MILLION / 4
    assert forecast.build_s > 1000 * forecast.measured[1].build_s
    assert forecast.disk + 2 * 300 * MILLION < forecast.memory < 8 * 2**30


def test_the_bytes_of_a_pair_are_those_that_mining_needs() -> None:
    sides = [(unit(n, 2), unit(n, 2)) for n in (6000, 12_000)]
    small, large = (peak(partial(mine, x, y)) for x, y in sides)
    measured = (large - small) / 6000
    assert 0.5 * PAIR_BYTES < measured < PAIR_BYTES


def test_the_bytes_of_a_block_are_those_that_mining_needs() -> None:
    width, rows = 64, margins.BLOCK
    x, y = unit(rows, width), unit(rows, width)
    needed = peak(lambda: mine(x, y)) - PAIR_BYTES * rows
    assert 0.5 * BLOCK_BYTES * width < needed < 1.1 * BLOCK_BYTES * width


def test_unit_vectors_are_not_copied() -> None:
    x = unit(4 * margins.BLOCK, 64)
    assert peak(lambda: margins._unit(x)) < x.nbytes / 2
    assert margins._unit(x) is x
    assert np.allclose(margins._unit(3 * x), x, atol=1e-6)
