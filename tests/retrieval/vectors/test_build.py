from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.retrieval.vectors import build
from xorqa.retrieval.vectors.build import filled, make, nearest, recall
from xorqa.retrieval.vectors.kinds import KINDS, check_kind, lists, open_index

pytest.importorskip("faiss")

DIMENSIONS = 32


@dataclass
class Part:
    places: Any
    vectors: Any

    def read(self) -> Any:
        return self.vectors


def vectors(count: int, *, seed: int = 0) -> Any:
    """Unit vectors around forty middles, as texts on forty subjects would be."""
    chance = np.random.default_rng(seed)
    middles = np.random.default_rng(99).standard_normal((40, DIMENSIONS))
    found = middles[chance.integers(40, size=count)]
    found = found + 0.7 * chance.standard_normal(found.shape)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def parts(count: int = 1500, *, of: int = 300) -> list[Part]:
    """Vectors in parts, the places shuffled as hashing does."""
    rows, places = vectors(count), np.random.default_rng(1).permutation(count)
    return [Part(places[at : at + of], rows[at : at + of]) for at in range(0, count, of)]


ASKED = vectors(60, seed=5)


def test_the_exact_search_is_that_of_all_inner_products() -> None:
    some = parts()
    whole = np.empty((1500, DIMENSIONS), np.float32)
    for part in some:
        whole[part.places] = part.vectors
    assert (nearest(ASKED, some, k=7) == np.argsort(-ASKED @ whole.T)[:, :7]).all()
    few = nearest(ASKED, some[:1], k=999)
    assert few.shape == (60, 300) and (np.sort(few[0]) == np.sort(some[0].places)).all()


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
    some, path = parts(), tmp_path / "index.faiss"
    calls: list[tuple[int, int]] = []
    measured = make(
        kind,
        some,
        lambda: ASKED,
        path,
        draft=tmp_path / "draft",
        progress=lambda *call: calls.append(call),
    )
    assert calls[-1] == (1500, 1500)
    index = open_index(path)
    assert index.ntotal == 1500
    found = index.search(ASKED, 100)[1]
    measured_again = recall(found, nearest(ASKED, some))
    assert measured_again >= least
    assert measured.get("recall@100", 1) == pytest.approx(measured_again, abs=1e-3)
    effort = measured.get("nprobe")
    assert effort is None or 1 <= effort < lists(kind, 1500)


@pytest.mark.parametrize("kind", ["ivf-sq8", "hnsw-sq8"])
def test_a_build_killed_while_it_fills_goes_on(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "SNAPSHOT", 600)
    some, killed, calls = parts(), tmp_path / "killed", []

    def kill(done: int, total: int) -> None:
        if done > 900:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(kind, some, lambda: ASKED, tmp_path / "index.faiss", draft=killed, progress=kill)
    assert open_index(killed).ntotal == 600
    assert not (tmp_path / "index.faiss").exists()
    resumed = filled(kind, some, killed, lambda done, total: calls.append(done))
    assert calls == [900, 1200, 1500]
    whole = filled(kind, some, tmp_path / "whole", lambda done, total: None)
    for one, other in zip(resumed.search(ASKED, 50), whole.search(ASKED, 50), strict=True):
        assert (one == other).all()


def test_the_file_is_the_same_every_time(tmp_path: Path) -> None:
    for name in "ab":
        make("ivf-sq8", parts(), lambda: ASKED, tmp_path / name, draft=tmp_path / f"{name}.draft")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_one_clear_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "index.faiss"
    make(kind, parts(400, of=100), lambda: ASKED, path, draft=tmp_path / "draft")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DataError, match=r"index\.faiss is damaged; .*--rebuild"):
        open_index(path)


@pytest.mark.parametrize("count", [1, 3, 70])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "pq" not in kind])
def test_few_passages_make_an_index_too(tmp_path: Path, kind: str, count: int) -> None:
    some, path = parts(count, of=50), tmp_path / "index.faiss"
    measured = make(kind, some, lambda: ASKED, path, draft=tmp_path / "draft")
    assert measured.get("recall@100", 1) > 0.98
    assert open_index(path).ntotal == count


def test_what_a_kind_needs_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="called 'ivf'; there are: flat, hnsw-sq8, "):
        check_kind("ivf")
    with pytest.raises(ConfigError, match="'ivf-pq' needs 256 passages or more, not 90"):
        filled("ivf-pq", parts(90), tmp_path / "draft", lambda done, total: None)
    odd = [Part(np.arange(300), vectors(300)[:, :30].copy())]
    with pytest.raises(ConfigError, match="a multiple of 4 dimensions, not 30"):
        filled("ivf-pq", odd, tmp_path / "draft", lambda done, total: None)


def test_lists_grow_with_the_root_of_the_corpus() -> None:
    assert lists("ivf-sq8", 1_000_000) == 4000
    assert lists("ivf-pq", 18_000_000) == 4 * 4242
    assert lists("ivf-sq8", 6400) == 100
    assert lists("ivf-sq8", 5) == lists("sq8", 1_000_000) == 1
