"""Degrees: who is immensely eager, who is eager, who is hardly eager."""

import random

from .entities import PERSON, Entities, draw_entities, draw_kind, opposites
from .frames import Ask, Scene, chance, load

FEELINGS = 0.65  # share of the scenes
THREE = 0.15
LEVELS = ("strong", "plain", "weak")


def draw_degree(rng: random.Random) -> Scene:
    """Two or three entities with an adjective in different degrees."""
    frames, feeling, three = load("degree"), chance(rng, FEELINGS), chance(rng, THREE)
    kind = PERSON if feeling else draw_kind(rng, persons=0.4)
    pool = opposites()[kind]
    adjective = (
        rng.choice(load("adjectives")["feelings"][PERSON].split())
        if feeling
        else rng.choice(rng.choice(pool)).base
    )
    entities = draw_entities(rng, kind, 3 if three else 2)
    topic = rng.choice(frames["topics"]["all"])
    x, y, *_ = entities.names
    words = {"x": x, "y": y, "topic": topic, "adj": adjective} | _degrees(
        rng, adjective, three=three
    )
    if three:
        words |= {"m": entities.names[2]}
    kind_of_frame = "three" if three else "feeling" if feeling else "trait"
    questions = frames["questions"]
    of_questions = "feeling" if feeling and not three else "trait"
    about = words | _naming(rng, entities, x, y)
    asks = [
        Ask(rng.choice(questions[f"{of_questions}_{way}"]), answer, about)
        for way, answer in rng.sample((("most", "x"), ("least", "y")), 2)
    ]
    return Scene(rng.choice(frames["contexts"][kind_of_frame]), words, asks)


def _degrees(rng: random.Random, adjective: str, *, three: bool) -> dict[str, str]:
    """Phrases of a higher and a lower degree, and between them the adjective alone."""
    high, low = (0, 2) if three else sorted(rng.sample(range(3), 2))
    phrases = [_phrase(rng, level, adjective) for level in LEVELS]
    return {"high": phrases[high], "low": phrases[low], "mid": adjective}


def _phrase(rng: random.Random, level: str, adjective: str) -> str:
    adverbs = load("adjectives")["degrees"].get(level)
    return f"{rng.choice(adverbs)} {adjective}" if adverbs else adjective


def _naming(rng: random.Random, entities: Entities, x: str, y: str) -> dict[str, str]:
    p, q = rng.sample((x, y), 2)
    return {"noun": entities.noun, "p": p, "q": q, "winner": x, "loser": y}
