from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.retrieval.vectors.build import make
from xorqa.retrieval.vectors.contents import places, vectors
from xorqa.retrieval.vectors.kinds import KINDS, open_index
from xorqa.retrieval.vectors.synthetic import Rows

faiss = pytest.importorskip("faiss")
COUNT = 300


def units() -> Any:
    rows = np.random.default_rng(5).standard_normal((COUNT, 32))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_its_passages_and_about_their_vectors(kind: str, tmp_path: Path) -> None:
    given, order = units(), np.random.default_rng(6).permutation(COUNT)
    path = tmp_path / "index.faiss"
    make(kind, [Rows(order, given)], lambda: given[:20], path, draft=tmp_path / "draft.faiss")
    index = open_index(path)
    found = places(index)
    assert sorted(found) == list(range(COUNT))
    rows = np.array([0, 1, 150, COUNT - 1])
    kept = vectors(index, rows)
    wanted = given[np.argsort(order)[found[rows]]]
    cosines = (kept * wanted).sum(axis=1) / np.linalg.norm(kept, axis=1)
    assert cosines.min() > {"flat": 0.99999, "ivf-pq": 0.9}.get(kind, 0.999)


def test_rows_without_names_stand_in_order() -> None:
    given, index = units(), faiss.IndexFlatIP(32)
    index.add(given)
    assert places(index).tolist() == list(range(COUNT))
    assert (vectors(index, np.array([7, 3])) == given[[7, 3]]).all()
