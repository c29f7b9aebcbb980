"""Reading arrays."""

from pathlib import Path

import numpy as np
import pytest

from xorqa.lab.common.arrays import read_array


def test_a_damaged_header_is_a_value_error(tmp_path: Path) -> None:
    path = tmp_path / "counts.npy"
    np.save(path, np.arange(3))
    assert read_array(path).tolist() == [0, 1, 2]
    path.write_bytes(path.read_bytes().replace(b"(3,), }", b"(3,)   "))
    with pytest.raises(ValueError, match=r"counts\.npy has a damaged header"):
        read_array(path)
