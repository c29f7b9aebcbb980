import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from xorqa.core.errors import DataError
from xorqa.lab.mining.encoding import encode_queries, encode_sides, read_vectors
from xorqa.lab.mining.sentences import Sentences
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import encoder_settings

SIDE = Sentences("a.fi", "fi", ("1", "2", "3"), ("Niili", "Oulu", "Niili"))


def test_sentences_are_encoded_as_queries_in_their_order(tiny: Path, tmp_path: Path) -> None:
    settings = encoder_settings(str(tiny))
    [vectors] = encode_sides(str(tiny), [SIDE], folder=tmp_path)
    np.testing.assert_allclose(vectors, Encoder(settings).queries(SIDE.texts), atol=1e-5)
    assert (vectors[0] == vectors[2]).all()
    work = pickle.loads(pickle.dumps(partial(encode_queries, settings)))  # for worker processes
    assert work(SIDE.texts, ["fi"] * 3).shape == vectors.shape


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"b": np.eye(3)}, "has no array 'a.fi'; name arrays like the files"),
        (
            {"a.fi": np.eye(2)},
            r"'a.fi' has type float64 and shape \(2, 2\); its file needs numbers",
        ),
        ({"a.fi": np.array(["x", "y", "z"])}, "'a.fi' has type <U1"),
        ({"a.fi": np.full((3, 2), np.nan)}, "'a.fi' has numbers that are not finite"),
        ({"a.fi": np.full((3, 2), 1e300)}, "'a.fi' has numbers that are not finite"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_vectors_of_another_layout(
    arrays: dict[str, np.ndarray], message: str, tmp_path: Path
) -> None:
    np.savez(tmp_path / "v.npz", **arrays)
    with pytest.raises(DataError, match=message):
        read_vectors(tmp_path / "v.npz", [SIDE])


def test_a_file_that_is_not_npz(tmp_path: Path) -> None:
    (tmp_path / "v.npz").write_text("x")
    with pytest.raises(DataError, match=r"cannot be read as an \.npz file"):
        read_vectors(tmp_path / "v.npz", [SIDE])


@pytest.mark.parametrize("flag", [1, 1 | 1 << 6])
def test_an_npz_that_seems_to_be_encrypted(tmp_path: Path, flag: int) -> None:
    np.savez(tmp_path / "v.npz", **{SIDE.name: np.zeros((len(SIDE), 2))})
    data = bytearray((tmp_path / "v.npz").read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] = flag
    (tmp_path / "v.npz").write_bytes(data)
    with pytest.raises(DataError, match=r"cannot be read as an \.npz file"):
        read_vectors(tmp_path / "v.npz", [SIDE])
