"""Decks of training items: drawn from by share, and none twice before all others."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")
Key = TypeVar("Key")


def draw(
    decks: Mapping[Key, Iterator[T]], shares: Mapping[Key, float], size: int, rng: random.Random
) -> list[T]:
    """`size` items, each from a deck drawn with the probability of its share."""
    return [next(decks[key]) for key in rng.choices(list(shares), list(shares.values()), k=size)]


def endless_deck(deck: Sequence[T], rng: random.Random) -> Iterator[T]:
    """The deck without end, reshuffled in each round."""
    while True:
        yield from rng.sample(deck, len(deck))
