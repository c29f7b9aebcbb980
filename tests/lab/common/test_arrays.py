"""Reading arrays."""

from pathlib import Path

import numpy as np
import pytest

from xorqa.lab.common.arrays import read_array


@pytest.mark.parametrize("damage", [(b"(3,), }", b"(3,)   "), (b"'<i8'", b"'(,)'")])
def test_a_damaged_header_is_a_value_error(tmp_path: Path, damage: tuple[bytes, bytes]) -> None:
    path = tmp_path / "counts.npy"
    np.save(path, np.arange(3))
    whole = path.read_bytes()
    assert read_array(path).tolist() == [0, 1, 2]
    path.write_bytes(whole.replace(*damage))
    with pytest.raises(ValueError, match=r"counts\.npy has a damaged header"):
        read_array(path)
