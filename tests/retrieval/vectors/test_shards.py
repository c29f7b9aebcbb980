from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.core.types import Passage
from xorqa.retrieval.vectors.shards import Job, Shard, encode, split

DOCIDS = st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=60)


def lengths(texts: Sequence[str], langs: Sequence[str]) -> Any:
    return np.array([[len(text), 1] for text in texts], np.float32)


@given(docids=DOCIDS, size=st.integers(1, 20))
def test_every_passage_is_in_one_shard(docids: list[str], size: int) -> None:
    parts = split([Passage(docid, "x") for docid in docids], Path("f"), size=size)
    places = [place for part in parts for place in part.places]
    assert sorted(places) == list(range(len(docids)))
    assert len({part.path for part in parts}) == len(parts)
    for part in parts:
        assert list(part.places) == sorted(part.places)


@given(docids=DOCIDS)
def test_a_shard_does_not_depend_on_the_order_of_the_corpus(docids: list[str]) -> None:
    def by_file(some: list[str]) -> dict[Path, set[str]]:
        parts = split([Passage(docid, "x") for docid in some], Path("f"), size=4)
        return {part.path: {some[place] for place in part.places} for part in parts}

    assert by_file(docids) == by_file(docids[::-1])


def test_shards_are_of_about_the_size_asked_for() -> None:
    parts = split([Passage(str(at), "x") for at in range(5000)], Path("f"), size=500)
    assert len(parts) == 10
    assert all(400 < len(part.places) < 600 for part in parts)


def test_a_shard_is_finished_when_it_is_whole(tmp_path: Path) -> None:
    part = Shard(tmp_path / "s" / "0.safetensors", np.array([4, 7]))
    assert not part.finished()
    assert encode(Job(part.path, ("one", "three"), ("en", "en")), lengths) == 2
    assert part.finished()
    assert part.read().tolist() == [[3, 1], [5, 1]]
    assert not Shard(part.path, np.array([4])).finished()
    assert [path.name for path in part.path.parent.iterdir()] == ["0.safetensors"]


@pytest.mark.parametrize("at", [10, -1])
def test_a_damaged_shard_is_not_finished(tmp_path: Path, at: int) -> None:
    part = Shard(tmp_path / "0.safetensors", np.array([4, 7]))
    encode(Job(part.path, ("one", "three"), ("en", "en")), lengths)
    data = bytearray(part.path.read_bytes())
    data[at] ^= 1
    part.path.write_bytes(data)
    assert not part.finished()
    with pytest.raises(DataError, match=r"0\.safetensors"):
        part.read()
