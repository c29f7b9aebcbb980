"""What `xorqa bench encode --workers` measures: encoding in processes of one thread each."""

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

SHARDS = 16  # per worker; of equal work, because each has passages in all languages


def measure(texts: int, workers: int, rounds: int) -> dict[str, Any]:
    """Passages per second of one process and of `workers`, alternating; medians of rounds."""
    one, many, ratios = [], [], []
    for _ in range(rounds):
        one.append(_speed(texts, 1))
        many.append(_speed(texts, workers))
        ratios.append(many[-1] / one[-1])
    speeds = {"one_per_s": statistics.median(one), "workers_per_s": statistics.median(many)}
    return {"texts": texts, "workers": workers, **speeds, "ratio": statistics.median(ratios)}


def _speed(texts: int, workers: int) -> float:
    """Passages per second after each worker has finished a shard, to exclude the start-up."""
    world = [passage for corpus in load().corpora.values() for passage in corpus]
    passages = (world * (texts // len(world) + 1))[:texts]
    times: list[tuple[float, int]] = []
    with TemporaryDirectory() as folder:
        jobs = []
        for at in range(SHARDS * workers):
            shard = passages[at :: SHARDS * workers]
            langs = tuple(passage.lang for passage in shard)
            jobs.append(EncodeJob(Path(folder, str(at)), tuple(p.text for p in shard), langs))
        run_processes(
            jobs,
            partial(encode_passages, EncoderSettings()),
            workers=workers,
            on_shard=lambda count: times.append((time.perf_counter(), count)),
        )
    started = times[workers - 1][0]
    return sum(count for _, count in times[workers:]) / (times[-1][0] - started)
