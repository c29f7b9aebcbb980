"""What `xorqa bench encode --workers` measures: processes that encode, a thread each."""

from __future__ import annotations

import statistics
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..datasets.mini import load
from ..models.encoder import EncoderSettings
from ..retrieval.dense import encode_passages
from ..retrieval.vectors.shards import EncodeJob
from ..retrieval.vectors.workers import run_processes

SHARDS = 16  # a worker; of equal work, because each has passages of all languages


def measure(texts: int, workers: int, rounds: int) -> dict[str, Any]:
    """Passages per second of one process and of `workers`, in turn; the median counts."""
    one, many, ratios = [], [], []
    for _ in range(rounds):
        one.append(_speed(texts, 1))
        many.append(_speed(texts, workers))
        ratios.append(many[-1] / one[-1])
    speeds = {"one_per_s": statistics.median(one), "workers_per_s": statistics.median(many)}
    return {"texts": texts, "workers": workers, **speeds, "ratio": statistics.median(ratios)}


def _speed(texts: int, workers: int) -> float:
    """Passages per second from when each has a shard done, so that no start is counted."""
    world = [passage for corpus in load().corpora.values() for passage in corpus]
    passages = (world * (texts // len(world) + 1))[:texts]
    times: list[tuple[float, int]] = []
    with TemporaryDirectory() as folder:
        jobs = []
        for at in range(SHARDS * workers):
            some = passages[at :: SHARDS * workers]
            langs = tuple(passage.lang for passage in some)
            jobs.append(EncodeJob(Path(folder, str(at)), tuple(p.text for p in some), langs))
        run_processes(
            jobs,
            partial(encode_passages, EncoderSettings()),
            workers=workers,
            on_shard=lambda more: times.append((time.perf_counter(), more)),
        )
    began = times[workers - 1][0]
    return sum(more for _, more in times[workers:]) / (times[-1][0] - began)
