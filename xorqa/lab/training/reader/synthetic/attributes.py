"""Attributes: the properties of things, and the occupation and origin of persons."""

import random
from collections.abc import Sequence

from .frames import Ask, Scene, chance, load, names, rename

FOOD = 0.3  # share of the scenes of properties
TWO = 0.35  # two things, or two persons
NEGATED = 0.12
PAIR = 0.3  # the occupation and the citizenship in one phrase
OCCUPATION = "occupation"


def draw_property(rng: random.Random) -> Scene:
    """One thing with properties of several kinds, or two things with different ones."""
    frames, of = load("property"), "food" if chance(rng, FOOD) else "thing"
    table, entity = load("properties")[of], load("entities")[of]
    kinds = dict(zip(("v", "w", "z"), rng.sample(sorted(table), 3), strict=True))
    words = dict(zip(("item", "item2"), rng.sample(entity["nouns"].split(), 2), strict=True))
    for key, kind in kinds.items():
        words[key], words[f"{key}2"] = rng.sample(table[kind].split(), 2)
    two = chance(rng, TWO)
    negated = not two and chance(rng, NEGATED)
    frame = rng.choice(frames["contexts"]["two" if two else "negated" if negated else "one"])
    about = words | {"noun": rng.choice(entity["asked"].split())}
    if two and chance(rng, 0.4):
        asks = [_ask_item(rng, about, suffix) for suffix in ("", "2")]
        return Scene(frame, words, rng.sample(asks, 2))
    values = [
        (key, suffix)
        for key in kinds
        for suffix in ("", "2")
        if f"{key}{suffix}}}" in frame and (two or not suffix)
    ]
    asks = [_ask_value(rng, about, kinds, value) for value in rng.sample(values, 2)]
    return Scene(frame, words, asks)


def _ask_item(rng: random.Random, words: dict[str, str], suffix: str) -> Ask:
    """Ask which of two things has a property, or lacks the other's."""
    other = "" if suffix else "2"
    about = words | {"v": words[f"v{suffix}"], "v2": words[f"v{other}"]}
    return Ask(rng.choice(load("property")["questions"]["item"]), f"item{suffix}", about)


def _ask_value(
    rng: random.Random, words: dict[str, str], kinds: dict[str, str], value: tuple[str, str]
) -> Ask:
    key, suffix = value
    kind = rng.choice(load("properties")["names"][kinds[key]])
    about = {"kind": kind, "item": words[f"item{suffix}"]}
    return Ask(rng.choice(load("property")["questions"]["value"]), f"{key}{suffix}", about)


def draw_occupation(rng: random.Random) -> Scene:
    """A person with an occupation and another attribute, or two persons with one each."""
    attribute = rng.choice([name for name in attributes() if name != OCCUPATION])
    x, y = rng.sample(names("person"), 2)
    words = {"x": x, "y": y}
    if chance(rng, TWO):
        return _two_persons(rng, rng.choice((OCCUPATION, attribute)), words)
    frames = load("occupation")["contexts"]
    if chance(rng, PAIR):
        attribute, frame = "citizenship", rng.choice(frames["pair"])
    else:
        first, second = (_predicate(rng, name) for name in rng.sample((OCCUPATION, attribute), 2))
        frame = rng.choice(frames["one"]).replace("{first}", first).replace("{second}", second)
    words |= {"o": _value(rng, OCCUPATION, 1)[0], "v": _value(rng, attribute, 1)[0]}
    asks = [_ask_attribute(rng, OCCUPATION, x, "o"), _ask_attribute(rng, attribute, x, "v")]
    return Scene(frame, words, rng.sample(asks, 2))


def _two_persons(rng: random.Random, attribute: str, words: dict[str, str]) -> Scene:
    """Two persons with one attribute: ask for its values, or for the persons by its values."""
    key = "o" if attribute == OCCUPATION else "v"
    values = dict(zip((key, f"{key}2"), _value(rng, attribute, 2), strict=True))
    predicates = _predicate(rng, attribute), rename(_predicate(rng, attribute), "2")
    frame = rng.choice(load("occupation")["contexts"]["two"])
    frame = frame.replace("{first}", predicates[0]).replace("{other}", predicates[1])
    if chance(rng, 0.5):
        asks = [
            _ask_attribute(rng, attribute, words["x"], key),
            _ask_attribute(rng, attribute, words["y"], f"{key}2"),
        ]
    else:
        asks = [
            _ask_person(rng, predicates[0], "x", values),
            _ask_person(rng, predicates[1], "y", values),
        ]
    return Scene(frame, words | values, rng.sample(asks, 2))


def _ask_attribute(rng: random.Random, attribute: str, person: str, answer: str) -> Ask:
    table = load("occupation")["questions"]
    questions = table[attribute] if chance(rng, 0.35) else table["value"]
    about = {"x": person, "asked": rng.choice(load("occupations")["asked"][attribute])}
    return Ask(rng.choice(questions), answer, about)


def _ask_person(rng: random.Random, predicate: str, answer: str, values: dict[str, str]) -> Ask:
    frame = rng.choice(load("occupation")["questions"]["person"])
    return Ask(frame.replace("{predicate}", predicate), answer, values)


def attributes() -> list[str]:
    """The attributes of a person."""
    return sorted(load("occupations")["values"])


def _predicate(rng: random.Random, attribute: str) -> str:
    return str(rng.choice(load("occupation")["predicates"][attribute]))


def _value(rng: random.Random, attribute: str, count: int) -> Sequence[str]:
    return rng.sample(load("occupations")["values"][attribute].split(), count)
