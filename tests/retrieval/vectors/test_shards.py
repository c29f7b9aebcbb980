from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.core.types import Passage
from xorqa.retrieval.vectors.shards import (
    SIZE,
    WORK,
    EncodeJob,
    Shard,
    encode_shard,
    passages_per_shard,
    split,
    text_work,
    vector_width,
)

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


def test_the_work_of_a_text_grows_with_its_bytes_up_to_the_models_limit() -> None:
    assert text_work("joki") - text_work("") == 4
    assert text_work("東京") - text_work("") == 6
    assert text_work(("joki", "on joki")) - text_work("") == 11
    assert text_work("x" * 5000) == text_work("x" * 100_000)
    assert text_work("\ud800") > 0


@pytest.mark.parametrize("letters", [1, 200, 700, 50_000])
def test_a_shard_takes_less_than_a_minute_on_a_slow_core(letters: int) -> None:
    work = text_work("x" * letters)
    size = passages_per_shard(10_000 * work, 10_000)
    tokens = size * min(512, 4 + letters / 4)
    assert tokens / 1600 < 60
    assert size == SIZE or size * work > WORK / 2


def test_one_passage_is_a_shard_at_least() -> None:
    assert passages_per_shard(10 * WORK, 2) == 1


def test_the_width_of_vectors_is_known_from_the_first_shard_on(tmp_path: Path) -> None:
    assert vector_width(tmp_path) is None
    encode_shard(EncodeJob(tmp_path / "000003.safetensors", ("one",), ("en",)), lengths)
    assert vector_width(tmp_path) == 2


def test_a_shard_is_complete_once_written(tmp_path: Path) -> None:
    shard = Shard(tmp_path / "s" / "0.safetensors", np.array([4, 7]))
    assert not shard.is_complete()
    job = EncodeJob(shard.path, ("one", "three"), ("en", "en"))
    assert encode_shard(job, lengths) == job.work == text_work("one") + text_work("three")
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
