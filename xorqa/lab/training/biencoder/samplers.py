"""Batches of questions and answers by language: LAReQA's four ways (Roy et al. 2020, section 4).

- `en-en`: English questions with English answers; needs items in English.
- `x-x`: all languages in a batch, question and answer of a pair in the same one.
- `x-x-mono`: the same pairs, but each batch in one language, or all batches of a step.
- `x-y`: all languages in a batch, question and answer of a pair in any two of them, equal ones
  too: eleven languages are 121 pairs, which the paper's 9,680,000 examples count.

Our own `x-y-different` leaves out the pairs of `x-x`. Both need items with several languages: files
parallel by question id, or translated questions.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ....core.errors import ConfigError
from ..common.training_data import Pair, draw, endless_deck
from .pairs import Item


@dataclass(frozen=True, slots=True)
class Pick:
    """A question and its answer in a batch: the item's position and a language for each."""

    item: int
    question: str
    answer: str


def allowed_picks(item: Item, position: int, sampler: str) -> list[Pick]:
    """The pairs of languages in which a sampler may use the item at position `at`."""
    both = [Pick(position, q, a) for q in item.questions for a in item.answers]
    if sampler in ("x-y", "any"):  # `any`: its name while `x-y` meant `x-y-different`
        return both
    if sampler == "x-y-different":
        return [pick for pick in both if pick.question != pick.answer]
    same = [pick for pick in both if pick.question == pick.answer]
    return [pick for pick in same if pick.answer == "en"] if sampler == "en-en" else same


def question_batches(
    sources: Sequence[Sequence[Item]],
    weights: Sequence[float],
    *,
    sampler: str,
    size: int,
    steps: int,
    rng: random.Random,
    together: int = 1,
) -> list[list[Pick]]:
    """`steps` batches of picks; positions number the items of all sources consecutively.

    Sources are sampled by weight, whatever their sizes, and languages by their frequency (with
    x-x-mono for whole batches, `together` of them in a row, else for each pick). A source repeats
    no pick before it has used all others.

    Raises:
        ConfigError: if no item can be used.
    """
    decks: dict[tuple[int, str], list[Pick]] = {}  # by source, and language if monolingual
    shares: dict[tuple[int, str], float] = {}
    first = 0
    for source, (items, weight) in enumerate(zip(sources, weights, strict=True)):
        allowed = [
            pick
            for position, item in enumerate(items, first)
            for pick in allowed_picks(item, position, sampler)
        ]
        first += len(items)
        for pick in allowed if weight else ():
            deck = source, pick.answer if sampler == "x-x-mono" else ""
            decks.setdefault(deck, []).append(pick)
            shares[deck] = weight * len(decks[deck]) / len(allowed)
    if not decks:
        raise ConfigError(f"no question is left that sampler '{sampler}' can use")
    endless = {key: endless_deck(deck, rng) for key, deck in decks.items()}
    batches = []
    for step in range(steps):
        if step % together == 0:
            [(_, lang)] = rng.choices(list(shares), list(shares.values()))
        of_lang = {key: share for key, share in shares.items() if key[1] == lang}
        batches.append(draw(endless, of_lang, size, rng))
    return batches


def pair_batches(
    pairs: Sequence[Pair], *, size: int, steps: int, rng: random.Random
) -> list[list[Pair]]:
    """`steps` batches of sentence pairs of all languages.

    Languages are sampled in proportion to the square root of their number of pairs, so that rare
    ones occur.
    """
    decks: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        decks.setdefault((pair[0], pair[2]), []).append(pair)
    endless = {key: endless_deck(deck, rng) for key, deck in decks.items()}
    shares = {key: len(deck) ** 0.5 for key, deck in decks.items()}
    return [draw(endless, shares, size, rng) for _ in range(steps)]
