"""Batches of pairs of similar lengths, in random order."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....models.batches import width
from ....models.source_encoding import STEP

SORTED_TOGETHER = 4096  # pairs


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions of pairs; `number` seeds the dropout of its step."""

    number: int
    pairs: Sequence[int]


def make_batches(
    lengths: Sequence[tuple[int, int]], passes: Sequence[float], *, budget: int, rng: random.Random
) -> list[Batch]:
    """Batches of at most `budget` padded target tokens (or a pair alone).

    `lengths` are those of the target and the source. A pair occurs once per pass; a fraction of a
    pass is the probability of one more occurrence.
    """
    sampled = [
        pair
        for pair, times in enumerate(passes)
        for _ in range(int(times) + (rng.random() < times % 1))
    ]
    rng.shuffle(sampled)
    batches = []
    for start in range(0, len(sampled), SORTED_TOGETHER):
        window = sampled[start : start + SORTED_TOGETHER]
        window.sort(key=lambda pair: (lengths[pair], pair))
        cut = list(_cut(window, lengths, budget))
        rng.shuffle(cut)
        batches += cut
    return [Batch(number, pairs) for number, pairs in enumerate(batches)]


def _cut(
    order: Sequence[int], lengths: Sequence[tuple[int, int]], budget: int
) -> Iterator[list[int]]:
    batch: list[int] = []
    for pair in order:  # targets are sorted by length, so the last is the longest
        if batch and width(lengths[pair][0], step=STEP) * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(pair)
    if batch:
        yield batch
