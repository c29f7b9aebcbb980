from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.retrieval.vectors import build
from xorqa.retrieval.vectors.build import build_index, exact_search, fill_index, recall
from xorqa.retrieval.vectors.kinds import KINDS, check_kind, list_count, open_index

pytest.importorskip("faiss")

DIMENSIONS = 32


@dataclass
class Chunk:
    positions: Any
    vectors: Any

    def read(self) -> Any:
        return self.vectors


def vectors(count: int, *, seed: int = 0) -> Any:
    """Unit vectors around forty middles, as texts on forty subjects would be."""
    rng = np.random.default_rng(seed)
    middles = np.random.default_rng(99).standard_normal((40, DIMENSIONS))
    found = middles[rng.integers(40, size=count)]
    found = found + 0.7 * rng.standard_normal(found.shape)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def in_chunks(count: int = 1500, *, size: int = 300) -> list[Chunk]:
    """Vectors in chunks, the positions shuffled as hashing does."""
    rows, positions = vectors(count), np.random.default_rng(1).permutation(count)
    return [Chunk(positions[at : at + size], rows[at : at + size]) for at in range(0, count, size)]


QUESTIONS = vectors(60, seed=5)


def test_the_exact_search_is_that_of_all_inner_products() -> None:
    chunks = in_chunks()
    whole = np.empty((1500, DIMENSIONS), np.float32)
    for chunk in chunks:
        whole[chunk.positions] = chunk.vectors
    assert (exact_search(QUESTIONS, chunks, k=7) == np.argsort(-QUESTIONS @ whole.T)[:, :7]).all()
    few = exact_search(QUESTIONS, chunks[:1], k=999)
    assert few.shape == (60, 300) and (np.sort(few[0]) == np.sort(chunks[0].positions)).all()


def test_recall_is_the_share_found() -> None:
    exact = np.array([[1, 2], [3, 4]])
    assert recall(np.array([[2, 1], [3, 4]]), exact) == 1
    assert recall(np.array([[2, 9], [8, -1]]), exact) == 0.25


@pytest.mark.parametrize(
    ("kind", "least"), [(kind, 0.6 if "pq" in kind else 0.97) for kind in KINDS]
)
def test_each_kind_finds_from_disk_what_its_manifest_says(
    tmp_path: Path, kind: str, least: float
) -> None:
    chunks, path = in_chunks(), tmp_path / "index.faiss"
    calls: list[tuple[int, int]] = []
    measured = build_index(
        kind,
        chunks,
        lambda: QUESTIONS,
        path,
        draft=tmp_path / "draft",
        progress=lambda *call: calls.append(call),
    )
    assert calls[-1] == (1500, 1500)
    index = open_index(path)
    assert index.ntotal == 1500
    found = index.search(QUESTIONS, 100)[1]
    measured_again = recall(found, exact_search(QUESTIONS, chunks))
    assert measured_again >= least
    assert measured.get("recall@100", 1) == pytest.approx(measured_again, abs=1e-3)
    effort = measured.get("nprobe")
    assert effort is None or 1 <= effort < list_count(kind, 1500)


@pytest.mark.parametrize("kind", ["ivf-sq8", "hnsw-sq8"])
def test_a_killed_build_resumes(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "SNAPSHOT", 600)
    chunks, killed, calls = in_chunks(), tmp_path / "killed", []

    def kill(done: int, total: int) -> None:
        if done > 900:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(
            kind, chunks, lambda: QUESTIONS, tmp_path / "index.faiss", draft=killed, progress=kill
        )
    assert open_index(killed).ntotal == 600
    assert not (tmp_path / "index.faiss").exists()
    resumed = fill_index(kind, chunks, killed, lambda done, total: calls.append(done))
    assert calls == [900, 1200, 1500]
    whole = fill_index(kind, chunks, tmp_path / "whole", lambda done, total: None)
    for one, other in zip(resumed.search(QUESTIONS, 50), whole.search(QUESTIONS, 50), strict=True):
        assert (one == other).all()


def test_the_file_is_the_same_every_time(tmp_path: Path) -> None:
    for name in "ab":
        build_index(
            "ivf-sq8",
            in_chunks(),
            lambda: QUESTIONS,
            tmp_path / name,
            draft=tmp_path / f"{name}.draft",
        )
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_one_clear_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "index.faiss"
    build_index(kind, in_chunks(400, size=100), lambda: QUESTIONS, path, draft=tmp_path / "draft")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DataError, match=r"index\.faiss is damaged; .*--rebuild"):
        open_index(path)


@pytest.mark.parametrize("count", [1, 3, 70])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "pq" not in kind])
def test_few_passages_make_an_index_too(tmp_path: Path, kind: str, count: int) -> None:
    chunks, path = in_chunks(count, size=50), tmp_path / "index.faiss"
    measured = build_index(kind, chunks, lambda: QUESTIONS, path, draft=tmp_path / "draft")
    assert measured.get("recall@100", 1) > 0.98
    assert open_index(path).ntotal == count


def test_requirements_of_a_kind_are_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="called 'ivf'; valid: flat, hnsw-sq8, "):
        check_kind("ivf")
    with pytest.raises(ConfigError, match="'ivf-pq' needs 256 passages or more, not 90"):
        fill_index("ivf-pq", in_chunks(90), tmp_path / "draft", lambda done, total: None)
    odd = [Chunk(np.arange(300), vectors(300)[:, :30].copy())]
    with pytest.raises(ConfigError, match="a multiple of 4 dimensions, not 30"):
        fill_index("ivf-pq", odd, tmp_path / "draft", lambda done, total: None)


def test_lists_grow_with_the_root_of_the_corpus() -> None:
    assert list_count("ivf-sq8", 1_000_000) == 4000
    assert list_count("ivf-pq", 18_000_000) == 4 * 4242
    assert list_count("ivf-sq8", 6400) == 100
    assert list_count("ivf-sq8", 5) == list_count("sq8", 1_000_000) == 1
