from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, XorqaError
from xorqa.core.types import Passage
from xorqa.retrieval.vectors import shards
from xorqa.retrieval.vectors.shards import encode_corpus

PASSAGES = [Passage(f"p{at}", f"passage {at}", lang="fi") for at in range(40)]
FATAL = int(shards.split(PASSAGES, Path(), size=5)[-1].positions[0])
PASSAGES[FATAL] = Passage(f"p{FATAL}", "fatal")  # in the last shard, so that others are done


@pytest.fixture(autouse=True)
def _shards_of_five(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SIZE", 5)


def run(folder: Path, encoder: Any, *, workers: int, on: str = "processes") -> dict[str, bytes]:
    """Encode all passages; every file that is there then."""
    calls: list[tuple[int, int]] = []

    def here(texts: Sequence[str], langs: Sequence[str], *, progress: Any) -> Any:
        return encoder(texts, langs)

    parts = encode_corpus(
        PASSAGES,
        folder,
        text_of=lambda passage: passage.text,
        encode_here=here,
        encode_in_worker=encoder,
        workers=workers,
        on=on,
        progress=lambda *call: calls.append(call),
    )
    assert calls == sorted(calls) and calls[-1] == (40, 40)
    assert all(part.is_complete() for part in parts)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_shards_are_the_same_however_many_encode(tmp_path: Path, outside: Any) -> None:
    alone = run(tmp_path / "0", outside.encode, workers=0)
    assert len(alone) > 4
    assert run(tmp_path / "1", outside.encode, workers=1) == alone
    assert run(tmp_path / "3", outside.encode, workers=3) == alone


def test_a_killed_worker_loses_nothing_and_doubles_nothing(tmp_path: Path, outside: Any) -> None:
    folder = tmp_path / "shards"
    with pytest.raises(XorqaError, match=r"worker process was killed.*resumes") as caught:
        run(folder, outside.killed, workers=2)
    assert "\n" not in str(caught.value)
    finished = {path.name for path in folder.glob("[0-9]*")}
    assert 0 < len(finished) < 8
    log = tmp_path / "encoded.txt"
    before = Counter(log.read_text().splitlines())
    resumed = run(folder, outside.killed, workers=2)
    whole = run(tmp_path / "whole", outside.encode, workers=0)
    assert {name: data for name, data in resumed.items() if name[0] != "."} == whole
    again = Counter(log.read_text().splitlines()) - before
    finished_texts = {
        PASSAGES[place].text
        for part in shards.split(PASSAGES, folder, size=5)
        if part.path.name in finished
        for place in part.positions
    }
    assert finished_texts.isdisjoint(again)
    assert finished_texts | set(again) == {passage.text for passage in PASSAGES}


def test_a_worker_has_one_thread(
    tmp_path: Path, outside: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    run(tmp_path / "s", outside.threads, workers=1)
    for part in shards.split(PASSAGES, tmp_path / "s", size=5):
        assert np.unique(part.read()).tolist() == [1]


def test_an_unknown_runner_is_refused(tmp_path: Path, outside: Any) -> None:
    with pytest.raises(ConfigError, match="'spark'; valid: processes, ray"):
        run(tmp_path, outside.encode, workers=2, on="spark")


@pytest.mark.slow
def test_ray_makes_the_same_shards(
    tmp_path: Path, outside: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        found = run(tmp_path / "ray", outside.encode, workers=2, on="ray")
    finally:
        ray.shutdown()
    assert found == run(tmp_path / "alone", outside.encode, workers=0)
