"""An updated FAISS index holds what a rebuilt one holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.lab.bench.synthetic import in_chunks
from xorqa.retrieval.vectors.build import (
    DELETED,
    exact_search,
    recall,
    save_index,
    tune,
    update_rows,
)
from xorqa.retrieval.vectors.kinds import (
    KINDS,
    MemoryChunk,
    add_chunk,
    open_index,
    row_positions,
    row_vectors,
    train_index,
)

faiss: Any = pytest.importorskip("faiss")

OLD, NEW, WIDTH = 900, 960, 16
MIN_COSINES = {"flat": 0.99999, "ivf-pq": 0.7}


def clusters(count: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(0).standard_normal((20, WIDTH))
    vectors = centres[rng.integers(20, size=count)]
    vectors += 0.6 * rng.standard_normal((count, WIDTH))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def filled(kind: str, vectors: Any) -> Any:
    index = train_index(kind, in_chunks(vectors, 300))
    for chunk in in_chunks(vectors, 300):
        add_chunk(index, chunk)
    return index


def moved() -> tuple[Any, Any, Any]:
    """Old vectors; where they move, 40 deleted and 30 replaced; new vectors by position."""
    old = clusters(OLD, 1)
    kept = np.sort(np.random.default_rng(2).permutation(OLD)[: OLD - 40])
    moves = np.full(OLD, DELETED)
    moves[kept] = np.arange(len(kept))
    moves[kept[::29]] = DELETED  # replaced
    new = clusters(NEW, 3)
    new[moves[moves >= 0]] = old[moves >= 0]
    return old, moves, new


@pytest.mark.parametrize("kind", KINDS)
def test_an_updated_index_holds_the_new_vectors(kind: str, tmp_path: Path) -> None:
    old, moves, new = moved()
    fresh = np.setdiff1d(np.arange(NEW), moves)
    questions = clusters(60, 4)
    exact = exact_search(questions, in_chunks(new, 500), k=20)
    rebuilt = filled(kind, new)
    effort = tune(kind, rebuilt, questions, exact)
    built = filled(kind, old)
    tune(kind, built, questions, exact_search(questions, in_chunks(old, 500), k=20))
    save_index(built, tmp_path / "old")
    before = (tmp_path / "old").read_bytes()
    opened = open_index(tmp_path / "old", mapped=False)
    updated = update_rows(kind, opened, moves, [MemoryChunk(fresh, new[fresh])])
    save_index(updated, tmp_path / "new")
    index = open_index(tmp_path / "new", passages=NEW)
    rows = row_positions(index)
    assert np.array_equal(np.sort(rows), np.arange(NEW))
    cosines = (row_vectors(index, np.arange(NEW)) * new[rows]).sum(axis=1)
    assert cosines.min() > MIN_COSINES.get(kind, 0.95)
    found = recall(index.search(questions, 20)[1], exact)
    assert found >= float(effort["recall@100"]) - 0.02
    assert (tmp_path / "old").read_bytes() == before


def test_only_deletions_and_an_index_without_ids() -> None:
    old, moves, _ = moved()
    kept = old[moves >= 0]
    places = np.full(OLD, DELETED)
    places[moves >= 0] = np.arange(len(kept))
    legacy = faiss.IndexFlatIP(WIDTH)
    legacy.add(old)
    for index in (legacy, filled("flat", old)):
        updated = update_rows("flat", index, places, [])
        scores, found = updated.search(kept[:50], 1)
        assert found[:, 0].tolist() == list(range(50))
        assert scores[:, 0] == pytest.approx(1.0, abs=1e-5)
        assert updated.ntotal == len(kept)


def test_a_graph_keeps_its_effort() -> None:
    old, moves, new = moved()
    index = filled("hnsw-sq8", old)
    faiss.ParameterSpace().set_index_parameter(index, "efSearch", 77)
    fresh = np.setdiff1d(np.arange(NEW), moves)
    updated = update_rows("hnsw-sq8", index, moves, [MemoryChunk(fresh, new[fresh])])
    assert faiss.downcast_index(updated.index).hnsw.efSearch == 77
