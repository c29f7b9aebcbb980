import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from xorqa.lab.training.common.training_folder import Arrays, compute_in_chunks


class Squares:
    """Squares numbers, and remembers which."""

    def __init__(self, fail_at: int | None = None) -> None:
        self.fail_at, self.computed = fail_at, list[int]()

    def __call__(self, chunk: Sequence[int]) -> Arrays:
        if self.fail_at in chunk:
            raise KeyboardInterrupt
        self.computed += chunk
        return {"squares": np.array([number**2 for number in chunk], np.float16)}


def run(squares: Squares, folder: Path, last: int = 10, version: int = 1) -> list[float]:
    chunks = compute_in_chunks(
        range(last), squares, folder=folder, depends_on={"version": version}, size=4
    )
    return [float(value) for chunk in chunks for value in chunk["squares"]]


def test_an_interrupted_computation_continues(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(Squares(fail_at=5), tmp_path)
    again = Squares()
    assert run(again, tmp_path) == [number**2 for number in range(10)]
    assert again.computed == [4, 5, 6, 7, 8, 9]
    assert run(last := Squares(), tmp_path) == [number**2 for number in range(10)]
    assert not last.computed


def test_other_items_and_other_weights_are_computed_anew(tmp_path: Path) -> None:
    run(Squares(), tmp_path)
    assert run(fewer := Squares(), tmp_path, last=6) == [0, 1, 4, 9, 16, 25]
    assert fewer.computed == [4, 5]
    run(newer := Squares(), tmp_path, version=2)
    assert newer.computed == list(range(10))


def test_a_damaged_chunk_is_computed_again(tmp_path: Path) -> None:
    run(Squares(), tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["version"], manifest["items"], len(manifest["files"])) == (1, 10, 3)
    (tmp_path / manifest["files"][1]).write_bytes(b"damaged")
    run(again := Squares(), tmp_path)
    assert again.computed == [4, 5, 6, 7]
