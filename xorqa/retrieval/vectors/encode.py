"""Encode a corpus into shards of vectors, here or by workers; complete shards are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(slots=True)
class _Counter:
    """Counts encoded passages and reports them."""

    done: int
    total: int
    progress: Progress

    def add(self, passages: int) -> None:
        """Count the passages of a finished shard."""
        self.done += passages
        self.progress(self.done, self.total)

    def within_shard(self, passages: int) -> None:
        """Report passages of a shard that is not written yet."""
        self.progress(self.done + passages, self.total)


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
    counter = _Counter(0, len(passages), progress)
    counter.add(len(passages) - sum(len(shard.positions) for shard in missing))
    jobs = (_job(shard, passages, text_of) for shard in missing)
    if workers:
        RUNNERS[on](jobs, encode_in_worker, workers=workers, on_shard=counter.add)
        return corpus_shards
    for job in jobs:
        counter.add(encode_shard(job, partial(encode_here, progress=counter.within_shard)))
    return corpus_shards


def _job(
    shard: Shard, passages: Sequence[Passage], text_of: Callable[[Passage], Text]
) -> EncodeJob:
    batch = [passages[at] for at in shard.positions]
    return EncodeJob(shard.path, tuple(map(text_of, batch)), tuple(p.lang for p in batch))
