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
from ...models.device import DTYPES, Dtype, pick_dtype
from ...models.encoder import Encoder
from ...models.encoder_settings import EncoderSettings
from ...retrieval.vectors.encoding import encode_passages
from ...retrieval.vectors.shards import EncodeJob, run_processes

SHARDS = 16  # per worker; equal work, since each has passages in all languages

Encode = Callable[[Sequence[str]], object]


def measure(count: int, rounds: int) -> dict[str, Any]:
    """Measure encoding time in seconds, of xorqa and sentence-transformers in turn.

    `precisions` has both and the ratio of the peer's time to xorqa's, medians over rounds, in the
    precision that `auto` chooses on this machine and in float32, the peer's default here.
    """
    texts = [passage.text for passage in _passages(count)]
    chosen = str(pick_dtype("auto")).removeprefix("torch.")
    names = [name for name in DTYPES if name in (chosen, "float32")]
    pairs = {name: (_xorqa(name), _sentence_transformers(name)) for name in names}
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for encode in (encode for pair in pairs.values() for encode in pair):
        encode(texts[:32])  # untimed: loads the weights
    for _ in range(rounds):
        for name, (ours, peers) in pairs.items():
            pair = timed(partial(ours, texts))[0], timed(partial(peers, texts))[0]
            seconds[name].append(pair)
    return {
        "texts": count,
        "precisions": {
            name: {
                "xorqa_s": median(ours for ours, _ in times),
                "sentence_transformers_s": median(peers for _, peers in times),
                "ratio": median(peers / ours for ours, peers in times),
            }
            for name, times in seconds.items()
        },
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


def _xorqa(dtype: Dtype) -> Encode:
    return Encoder(EncoderSettings(dtype=dtype)).passages


def _sentence_transformers(dtype: Dtype) -> Encode:
    """sentence-transformers with the same weights in that precision, and mean pooling."""
    library = require("sentence_transformers", extra="hub")
    import_module("transformers").logging.set_verbosity_error()
    model = library.SentenceTransformer(
        str(resolve().path), model_kwargs={"dtype": dtype}, trust_remote_code=False
    )
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
