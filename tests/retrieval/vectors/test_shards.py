from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.core.types import Passage
from xorqa.retrieval.vectors.shards import EncodeJob, Shard, encode_shard, split

DOCIDS = st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=60)


def lengths(texts: Sequence[str], langs: Sequence[str]) -> Any:
    return np.array([[len(text), 1] for text in texts], np.float32)


@given(docids=DOCIDS, size=st.integers(1, 20))
def test_every_passage_is_in_one_shard(docids: list[str], size: int) -> None:
    shards = split([Passage(docid, "x") for docid in docids], Path("f"), size=size)
    positions = [place for shard in shards for place in shard.positions]
    assert sorted(positions) == list(range(len(docids)))
    assert len({shard.path for shard in shards}) == len(shards)
    for shard in shards:
        assert list(shard.positions) == sorted(shard.positions)


@given(docids=DOCIDS)
def test_a_shard_does_not_depend_on_the_order_of_the_corpus(docids: list[str]) -> None:
    def by_file(docids: list[str]) -> dict[Path, set[str]]:
        shards = split([Passage(docid, "x") for docid in docids], Path("f"), size=4)
        return {shard.path: {docids[place] for place in shard.positions} for shard in shards}

    assert by_file(docids) == by_file(docids[::-1])


def test_shards_have_about_the_requested_size() -> None:
    shards = split([Passage(str(at), "x") for at in range(5000)], Path("f"), size=500)
    assert len(shards) == 10
    assert all(400 < len(shard.positions) < 600 for shard in shards)


def test_a_shard_is_complete_once_written(tmp_path: Path) -> None:
    shard = Shard(tmp_path / "s" / "0.safetensors", np.array([4, 7]))
    assert not shard.is_complete()
    assert encode_shard(EncodeJob(shard.path, ("one", "three"), ("en", "en")), lengths) == 2
    assert shard.is_complete()
    assert shard.read().tolist() == [[3, 1], [5, 1]]
    assert not Shard(shard.path, np.array([4])).is_complete()
    assert [path.name for path in shard.path.parent.iterdir()] == ["0.safetensors"]


@pytest.mark.parametrize("at", [10, -1])
def test_a_damaged_shard_is_not_complete(tmp_path: Path, at: int) -> None:
    shard = Shard(tmp_path / "0.safetensors", np.array([4, 7]))
    encode_shard(EncodeJob(shard.path, ("one", "three"), ("en", "en")), lengths)
    data = bytearray(shard.path.read_bytes())
    data[at] ^= 1
    shard.path.write_bytes(data)
    assert not shard.is_complete()
    with pytest.raises(DataError, match=r"0\.safetensors"):
        shard.read()
