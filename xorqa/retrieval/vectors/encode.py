"""A corpus to shards of vectors: what is missing is encoded, here or by workers."""

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
from .shards import Encode, Job, Shard
from .workers import RUNNERS


@dataclass(slots=True)
class Tally:
    """How many passages are encoded, and who wants to know."""

    done: int
    total: int
    progress: Progress

    def add(self, more: int) -> None:
        """A shard more is finished."""
        self.done += more
        self.progress(self.done, self.total)

    def inside(self, some: int) -> None:
        """Some passages of a shard are encoded, but not yet written."""
        self.progress(self.done + some, self.total)


def encode_corpus(
    passages: Sequence[Passage],
    folder: Path,
    *,
    searched: Callable[[Passage], Text],
    here: Callable[..., Any],
    there: Encode,
    workers: int = 0,
    on: str = "processes",
    progress: Progress,
) -> list[Shard]:
    """The finished shards of a corpus in `folder`; what is there and whole is not redone.

    `searched` says what of a passage is encoded. Without workers `here` encodes, and tells its
    option `progress` of texts done; else `there`, which pickles, in the workers.

    Raises:
        ConfigError: if nothing called `on` runs workers.
    """
    if on not in RUNNERS:
        raise ConfigError(f"workers cannot run on '{on}'; there are: {one_of(RUNNERS)}")
    parts = shards.split(passages, folder, size=shards.SIZE)
    left = [part for part in parts if not part.finished()]
    tally = Tally(0, len(passages), progress)
    tally.add(len(passages) - sum(len(part.places) for part in left))
    jobs = (_job(part, passages, searched) for part in left)
    if workers:
        RUNNERS[on](jobs, there, workers=workers, done=tally.add)
        return parts
    for job in jobs:
        tally.add(shards.encode(job, partial(here, progress=tally.inside)))
    return parts


def _job(part: Shard, passages: Sequence[Passage], searched: Callable[[Passage], Text]) -> Job:
    some = [passages[place] for place in part.places]
    return Job(part.path, tuple(map(searched, some)), tuple(passage.lang for passage in some))
