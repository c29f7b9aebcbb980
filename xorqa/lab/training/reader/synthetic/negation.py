"""Negation and roles: who does not speak Latin, who was thanked and who thanked."""

import random

from .entities import PERSON, opposites
from .frames import Ask, Scene, chance, load, names

ACTS = 0.5  # share of the scenes


def draw_negation(rng: random.Random) -> Scene:
    """Two persons, of whom one does what the other does not, or one acts on the other."""
    x, y = rng.sample(names("person"), 2)
    return (_act if chance(rng, ACTS) else _denial)(rng, {"x": x, "y": y})


def _denial(rng: random.Random, words: dict[str, str]) -> Scene:
    frames = load("negation")
    yes, no = rng.choice(frames["predicates"]["yes_no"]).split(" | ")
    values = {key: rng.choice(row.split()) for key, row in load("occupations")["values"].items()}
    values["adjective"] = rng.choice(rng.choice(opposites()[PERSON])).base

    def with_predicate(frame: str) -> str:
        return frame.replace("{yes}", yes).replace("{no}", no)

    asks = [
        Ask(with_predicate(rng.choice(frames["questions"][way])), answer, values)
        for way, answer in rng.sample((("yes", "x"), ("no", "y")), 2)
    ]
    context = with_predicate(rng.choice(frames["contexts"]["denial"]))
    return Scene(context, words | values, asks)


def _act(rng: random.Random, words: dict[str, str]) -> Scene:
    frames = load("negation")
    past, _, participle = rng.choice(frames["verbs"]["past_participle"].split()).partition("/")
    words = words | {"past": past, "participle": participle or past}
    asks = [
        Ask(rng.choice(frames["questions"][role]), answer, words)
        for role, answer in rng.sample((("actor", "x"), ("target", "y")), 2)
    ]
    return Scene(rng.choice(frames["contexts"]["act"]), words, asks)
