from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.retrieval.vectors.build import build_index
from xorqa.retrieval.vectors.kinds import KINDS, MemoryChunk, open_index, row_positions, row_vectors

faiss = pytest.importorskip("faiss")
COUNT = 300


def units() -> Any:
    rows = np.random.default_rng(5).standard_normal((COUNT, 32))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_returns_its_positions_and_approximate_vectors(
    kind: str, tmp_path: Path
) -> None:
    original, order = units(), np.random.default_rng(6).permutation(COUNT)
    path = tmp_path / "index.faiss"
    build_index(
        kind,
        [MemoryChunk(order, original)],
        lambda: original[:20],
        path,
        draft=tmp_path / "draft.faiss",
    )
    index = open_index(path)
    positions = row_positions(index)
    assert sorted(positions) == list(range(COUNT))
    rows = np.array([0, 1, 150, COUNT - 1])
    stored = row_vectors(index, rows)
    expected = original[np.argsort(order)[positions[rows]]]
    cosines = (stored * expected).sum(axis=1) / np.linalg.norm(stored, axis=1)
    assert cosines.min() > {"flat": 0.99999, "ivf-pq": 0.9}.get(kind, 0.999)


def test_rows_without_ids_are_in_order() -> None:
    original, index = units(), faiss.IndexFlatIP(32)
    index.add(original)
    assert row_positions(index).tolist() == list(range(COUNT))
    assert (row_vectors(index, np.array([7, 3])) == original[[7, 3]]).all()
