"""The measurements of `xorqa bench encode`: against sentence-transformers, or in processes."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from ...core.named import require
from ...core.progress import timed
from ...core.types import Passage
from ...datasets.mini import load
from ...models.checkpoints import resolve
from ...models.device import pick_dtype
from ...models.encoder import Encoder
from ...models.encoder_settings import EncoderSettings
from ...retrieval.vectors.encoding import encode_passages
from ...retrieval.vectors.shards import EncodeJob, run_processes

SHARDS = 16  # per worker; equal work, since each has passages in all languages

Encode = Callable[[Sequence[str]], object]


def measure(count: int, rounds: int) -> dict[str, Any]:
    """Measure encoding time in seconds, of xorqa and the peer in turn; medians over rounds."""
    texts = [passage.text for passage in _passages(count)]
    encoders: dict[str, Encode] = {"xorqa": Encoder().passages, "peer": _sentence_transformers()}
    seconds: dict[str, list[float]] = {name: [] for name in encoders}
    for encode in encoders.values():
        encode(texts[:32])  # untimed: loads the weights
    for _ in range(rounds):
        for name, encode in encoders.items():
            seconds[name].append(timed(partial(encode, texts))[0])
    return {
        "dtype": str(pick_dtype("auto")).removeprefix("torch."),
        "texts": count,
        "xorqa_s": median(seconds["xorqa"]),
        "sentence_transformers_s": median(seconds["peer"]),
        "ratio": median(peer / xorqa for xorqa, peer in zip(*seconds.values(), strict=True)),
    }


def measure_workers(count: int, workers: int, rounds: int) -> dict[str, Any]:
    """Measure passages per second, of one process and of `workers` in turn; medians over rounds."""
    speeds = [(_speed(count, 1), _speed(count, workers)) for _ in range(rounds)]
    return {
        "texts": count,
        "workers": workers,
        "one_per_s": median(single for single, _ in speeds),
        "workers_per_s": median(many for _, many in speeds),
        "ratio": median(many / single for single, many in speeds),
    }


def _passages(count: int) -> list[Passage]:
    """Passages of the bundled world, in all its languages, repeated as needed."""
    world = [passage for corpus in load().corpora.values() for passage in corpus]
    return (world * (count // len(world) + 1))[:count]


def _sentence_transformers() -> Encode:
    """sentence-transformers with the same weights and its defaults, including mean pooling."""
    library = require("sentence_transformers", extra="hub")
    import_module("transformers").logging.set_verbosity_error()
    model = library.SentenceTransformer(str(resolve().path))
    return lambda texts: model.encode([f"passage: {text}" for text in texts])


def _speed(count: int, workers: int) -> float:
    """Passages per second after each worker has finished a shard, to exclude the start-up."""
    passages = _passages(count)
    with TemporaryDirectory() as folder:
        jobs = []
        for number in range(SHARDS * workers):
            shard = passages[number :: SHARDS * workers]
            langs = tuple(passage.lang for passage in shard)
            jobs.append(EncodeJob(Path(folder, str(number)), tuple(p.text for p in shard), langs))
        finished = run_processes(jobs, partial(encode_passages, EncoderSettings()), workers)
        times = [(time.perf_counter(), passages_done) for passages_done in finished]
    started = times[workers - 1][0]
    return sum(done for _, done in times[workers:]) / (times[-1][0] - started)
