from typing import Any

import numpy as np
import pytest

from xorqa.lab.bench.synthetic import NOISE, in_chunks, resize


def units(count: int, *, seed: int = 0) -> Any:
    rows = np.random.default_rng(seed).standard_normal((count, 48))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_enlarging_keeps_all_real_vectors() -> None:
    real = units(300)
    resized = resize(real, 1000)
    assert resized.shape == (1000, 48)
    assert np.linalg.norm(resized, axis=1) == pytest.approx(np.ones(1000), abs=1e-5)
    nearest = (resized @ real.T).max(axis=1)
    assert (nearest > 1 - 1e-6).sum() == 300
    assert np.median(nearest) == pytest.approx(1 / np.sqrt(1 + NOISE**2), abs=0.01)
    assert (resized == resize(real, 1000)).all()


def test_fewer_vectors_are_real_and_different() -> None:
    real = units(300)
    resized = resize(real, 50)
    assert len({row.tobytes() for row in resized} & {row.tobytes() for row in real}) == 50


def test_chunks_are_all_the_vectors_in_order() -> None:
    vectors = units(10)
    chunks = in_chunks(vectors, 4)
    assert [chunk.positions.tolist() for chunk in chunks] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert (np.concatenate([chunk.read() for chunk in chunks]) == vectors).all()
