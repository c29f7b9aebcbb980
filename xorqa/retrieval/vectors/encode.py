"""Encode a corpus into shards of vectors, here or by workers; complete shards are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, one_of
from ...core.progress import Progress
from ...core.types import Passage
from ...models.towers import Text
from . import shards
from .shards import Encode, EncodeJob, Shard, encode_shard
from .workers import RUNNERS


def encode_corpus(
    passages: Sequence[Passage],
    folder: Path,
    *,
    text_of: Callable[[Passage], Text],
    encode_here: Callable[..., Any],
    encode_in_worker: Encode,
    workers: int = 0,
    on: str = "processes",
    progress: Progress,
) -> list[Shard]:
    """Encode the shards of a corpus in `folder`, except those already complete.

    `text_of` selects the text of a passage. With workers, `encode_in_worker` must pickle;
    without, `encode_here` encodes in this process and calls its option `progress`.

    Raises:
        ConfigError: if `on` is not a way to run workers.
    """
    if on not in RUNNERS:
        raise ConfigError(f"workers cannot run on '{on}'; valid: {one_of(RUNNERS)}")
    corpus_shards = shards.split(passages, folder, size=shards.SIZE)
    missing = [shard for shard in corpus_shards if not shard.is_complete()]
    done = len(passages) - sum(len(shard.positions) for shard in missing)

    def within_shard(encoded: int) -> None:
        progress(done + encoded, len(passages))

    within_shard(0)
    jobs = (_job(shard, passages, text_of) for shard in missing)
    here = partial(encode_here, progress=within_shard)
    counts = (
        RUNNERS[on](jobs, encode_in_worker, workers)
        if workers
        else (encode_shard(job, here) for job in jobs)
    )
    for count in counts:
        done += count
        within_shard(0)
    return corpus_shards


def _job(
    shard: Shard, passages: Sequence[Passage], text_of: Callable[[Passage], Text]
) -> EncodeJob:
    batch = [passages[at] for at in shard.positions]
    return EncodeJob(shard.path, tuple(map(text_of, batch)), tuple(p.lang for p in batch))
