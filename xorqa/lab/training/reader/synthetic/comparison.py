"""Comparisons: two or three entities, and questions with the same or the opposite adjective."""

import random

from .entities import Opposites, draw_entities, draw_kind, opposites
from .frames import Ask, Scene, chance, load

PERSONS = 0.6  # share of the scenes
THREE = 0.25


def draw_comparison(rng: random.Random) -> Scene:
    """Two or three entities, compared by an adjective."""
    kind = draw_kind(rng, persons=PERSONS)
    pair = rng.choice(opposites()[kind])
    return _three(rng, kind, pair) if chance(rng, THREE) else _two(rng, kind, pair)


def _two(rng: random.Random, kind: str, pair: Opposites) -> Scene:
    """{x} has more of the adjective at `pole` than {y}; {y} more of the opposite one."""
    frames, entities, pole = load("comparison"), draw_entities(rng, kind, 2), rng.randrange(2)
    who = kind == "person"
    contexts = frames["contexts"]["two"] + (frames["contexts"]["person"] if who else [])
    x, y = entities.names
    words = {"x": x, "y": y, "more": _more(rng, pair, pole), "as": pair[1 - pole].base}
    asks = []
    for end in rng.sample((0, 1), 2):
        answer, other = ("x", y) if end == pole else ("y", x)
        p, q = rng.sample((x, y), 2)
        about = {"noun": entities.noun, "nouns": entities.nouns, "p": p, "q": q}
        about |= {"more": _more(rng, pair, end), "as": pair[1 - end].base}
        about |= {"winner": other, "loser": other}
        question = rng.choice(frames["questions"]["who" if who else "which"])
        asks.append(Ask(question, answer, about))
    return Scene(rng.choice(contexts), words, asks)


def _three(rng: random.Random, kind: str, pair: Opposites) -> Scene:
    """{a} has more of the adjective at `pole` than {b}, and {b} than {c}."""
    frames, entities, pole = load("comparison"), draw_entities(rng, kind, 3), rng.randrange(2)
    a, b, c = entities.names
    words = {"a": a, "b": b, "c": c, "as": pair[pole].base} | _degrees(rng, pair, pole)
    suffix = "who_three" if kind == "person" else "which_three"
    about = {"noun": entities.noun, "nouns": entities.nouns, "first": a, "last": c}
    asks = []
    for answer in rng.sample("abc", 2):
        end = 1 - pole if answer == "c" else pole
        question = rng.choice(frames["questions"]["middle" if answer == "b" else suffix])
        asks.append(Ask(question, answer, about | _degrees(rng, pair, end)))
    return Scene(rng.choice(frames["contexts"]["three"]), words, asks)


def _degrees(rng: random.Random, pair: Opposites, pole: int) -> dict[str, str]:
    return {
        "more": _more(rng, pair, pole),
        "less": _more(rng, pair, 1 - pole),
        "most": _most(rng, pair, pole),
        "least": _most(rng, pair, 1 - pole),
    }


def _more(rng: random.Random, pair: Opposites, pole: int) -> str:
    """The comparative, or `less` with the opposite adjective."""
    return rng.choice((pair[pole].more, f"less {pair[1 - pole].base}"))


def _most(rng: random.Random, pair: Opposites, pole: int) -> str:
    return rng.choice((pair[pole].most, f"least {pair[1 - pole].base}"))
