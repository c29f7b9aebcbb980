"""Which pairs are trained on together: similar lengths, in an order that the seed decides."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...models.batches import width
from ...models.source_encoding import STEP

WINDOW = 4096  # pairs sorted by length together


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions of pairs; `number` seeds what is random in its step."""

    number: int
    pairs: Sequence[int]


def make_batches(
    lengths: Sequence[tuple[int, int]], passes: Sequence[float], *, budget: int, seed: int
) -> list[Batch]:
    """Batches of at most `budget` padded target tokens (or a pair alone).

    `lengths` are of the target and the source. A pair comes as often as its passes say; a
    share of a pass is a chance.
    """
    rng = random.Random(seed)
    drawn = [
        at
        for at, often in enumerate(passes)
        for _ in range(int(often) + (rng.random() < often % 1))
    ]
    rng.shuffle(drawn)
    batches = []
    for start in range(0, len(drawn), WINDOW):
        some = sorted(drawn[start : start + WINDOW], key=lambda at: (lengths[at], at))
        cut = list(_cut(some, lengths, budget))
        rng.shuffle(cut)
        batches += cut
    return [Batch(number, pairs) for number, pairs in enumerate(batches)]


def _cut(
    order: Sequence[int], lengths: Sequence[tuple[int, int]], budget: int
) -> Iterator[list[int]]:
    batch: list[int] = []
    for at in order:  # targets ascend, so the last is the longest
        if batch and width(lengths[at][0], step=STEP) * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch
