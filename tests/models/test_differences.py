"""Weights stored as their difference from others are restored to the bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from xorqa.core.errors import WeightsError
from xorqa.io.files import sha256
from xorqa.lab.training.common.weight_files import write_difference
from xorqa.models.adapters import card_path, find_adapter, open_adapter, shipped
from xorqa.models.differences import SUFFIX, restored

SHAPES = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 5), min_size=1)


def write(path: Path, sizes: dict[str, int], seed: int) -> Path:
    rng = np.random.default_rng(seed)
    tensors = {name: rng.integers(0, 256, size, dtype=np.uint8) for name, size in sizes.items()}
    tensors["half"] = rng.normal(size=3).astype(np.float16)
    save_file(tensors, path, {"card": f"{seed}"})
    return path


@given(sizes=SHAPES, others=SHAPES)
def test_a_file_is_restored_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, sizes: dict[str, int], others: dict[str, int]
) -> None:
    folder = tmp_path_factory.mktemp("weights")
    file = write(folder / "file.safetensors", sizes, 1)
    of = write(folder / "of.safetensors", others, 2)
    write_difference(folder / f"file{SUFFIX}", file, of)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XORQA_HOME", str(folder / "home"))
        path = restored(folder / f"file{SUFFIX}")
        assert path.read_bytes() == file.read_bytes()
        assert path.name == file.name


def test_another_or_a_damaged_file_is_refused(tmp_path: Path, home: Path) -> None:
    file = write(tmp_path / "file.safetensors", {"a": 5}, 1)
    of = write(tmp_path / "of.safetensors", {"a": 5}, 2)
    write_difference(tmp_path / f"file{SUFFIX}", file, of)
    write(tmp_path / "of.safetensors", {"a": 5}, 3)
    with pytest.raises(WeightsError, match="difference from another of"):
        restored(tmp_path / f"file{SUFFIX}")
    assert not list(home.rglob("*.safetensors"))


@pytest.mark.parametrize("name", [n for n, path in shipped().items() if path.suffix == SUFFIX])
def test_shipped_differences_are_whole(name: str) -> None:
    adapter = open_adapter(name)
    assert adapter.path == find_adapter(name)
    assert adapter.sha == sha256(adapter.path)[:16]
    assert adapter.path.stem == name
    assert card_path(adapter.path).parent == shipped()[name].parent


@pytest.mark.parametrize("name", ["encoder-queries", "reader-en"])
def test_a_retired_name_names_its_successor(name: str) -> None:
    with pytest.raises(WeightsError, match=r"no longer ships; use '\w+-\w+'"):
        find_adapter(name)
