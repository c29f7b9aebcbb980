"""What synthetic contexts are about: persons and things, and the adjectives that describe them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from .frames import load, names, plural

PERSON = "person"


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective with its degrees."""

    base: str
    more: str
    most: str


Opposites = tuple[Adjective, Adjective]


@dataclass(frozen=True, slots=True)
class Entities:
    """Distinct entities of a kind, and the noun that a question asks for them with."""

    names: Sequence[str]
    noun: str

    @property
    def nouns(self) -> str:
        """The noun's plural."""
        return plural(self.noun)


def draw_kind(rng: random.Random, *, persons: float) -> str:
    """A kind of entities: persons with that probability, or one of the others."""
    others = sorted(set(opposites()) - {PERSON})
    return PERSON if rng.random() < persons else rng.choice(others)


def draw_entities(rng: random.Random, kind: str, count: int) -> Entities:
    """Distinct entities of a kind."""
    if kind == PERSON:
        return Entities(rng.sample(names("person"), count), "person")
    table = load("entities")[kind]
    nouns, collective = (table.get(key, "").split() for key in ("nouns", "asked"))
    noun = rng.choice(nouns) if nouns else ""
    if "{noun}" in table["name"] and collective:  # different things
        things = [f"the {thing}" for thing in rng.sample(nouns, count)]
        return Entities(things, rng.choice(collective))
    places, companies = (rng.sample(names(key), count) for key in ("place", "company"))
    drawn = [
        table["name"].format(place=place, company=company, noun=noun)
        for place, company in zip(places, companies, strict=True)
    ]
    return Entities(drawn, noun or rng.choice(collective))


@cache
def opposites() -> dict[str, list[Opposites]]:
    """Pairs of opposite adjectives, by the kind of entities that they describe."""
    pairs = load("adjectives")["pairs"]
    return {
        kind: [_opposites(row) for row in rows.splitlines() if row] for kind, rows in pairs.items()
    }


def _opposites(row: str) -> Opposites:
    one, other = (_adjective(side.split()) for side in row.split("/"))
    return one, other


def _adjective(forms: Sequence[str]) -> Adjective:
    base, *degrees = forms
    more, most = degrees or (f"more {base}", f"most {base}")
    return Adjective(base, more, most)
