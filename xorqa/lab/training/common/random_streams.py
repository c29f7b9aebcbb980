"""Named random streams: one seed, and an independent generator for each use of it."""

import random


def stream(seed: int, *name: str | int) -> random.Random:
    """The generator that `seed` gives to one use, such as "batches" or ("dropout", 17).

    Each name has its own stream, so a draw in one place does not shift the draws elsewhere.
    """
    return random.Random(":".join(map(str, (seed, *name))))


def torch_seed(seed: int, *name: str | int) -> int:
    """The first number of a stream, to seed torch's generator with."""
    return stream(seed, *name).getrandbits(63)
