"""The world of lesson A1: coloured shapes, named in English and in Finnish, each drawn twice.

The names and the drawings are made here, and are CC0 like the bundled world.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.backretrieval.encoders import encode_texts
from xorqa.lab.backretrieval.evaluate import Results, evaluate, stream_of
from xorqa.lab.backretrieval.images.features import histogram
from xorqa.lab.backretrieval.limits import Limit, degrade
from xorqa.lab.backretrieval.measures import ALL, cosine
from xorqa.lab.backretrieval.sampling import Sampler
from xorqa.lab.backretrieval.texts import Texts

from .alignment_shapes import SHAPES

LANGS = ("en", "fi")
COLOURS = {
    "red": ("punainen", "#d62728", "#ff6b6b"),
    "blue": ("sininen", "#1f4fd6", "#6a9cff"),
    "green": ("vihreä", "#2a9134", "#7ed37e"),
    "yellow": ("keltainen", "#f2c500", "#ffe56b"),
    "black": ("musta", "#111111", "#3a3a3a"),
    "brown": ("ruskea", "#7a4a21", "#a8743f"),
    "purple": ("violetti", "#7b2fbe", "#b583e6"),
    "grey": ("harmaa", "#808080", "#b4b4b4"),
}
"""English colour to the Finnish word, and the colours that the two artists use."""
ENCODERS = {
    "e5": "e5-small-q4",
    "e5, centred": "e5-small-q4,transform=center",
    "e5, layer 8": "e5-small-q4,layer=8",
    "e5, layer 4": "e5-small-q4,layer=4",
    "e5, layer 0": "e5-small-q4,layer=0",
    "e5, first token, layer 8": "e5-small-q4,layer=8,pooling=cls",
    "letters": "characters",
}
"""The lesson's name of an encoder to the one that `xorqa backretrieval` knows."""
BUILT = {
    "nothing": (0, 0),
    "shapes": (1, 0),
    "colours": (0, 1),
    "both": (1, 1),
    "both, shapes twice": (2, 1),
}
"""What an encoder knows that is built here, to the weights of shapes and of colours."""
IMAGES = {"outlines": slice(64, None), "colours": slice(0, 64), "both": slice(None)}
"""What is compared: gradients, colours, or both; the columns of `histogram`."""
K = 5
SEEDS = 25
_SIDE = 64
_CANVAS = 256

Sides = tuple[NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Thing:
    """A coloured shape with its names."""

    colour: str
    shape: str

    def name(self, lang: str) -> str:
        """The name in a language."""
        if lang == "en":
            return f"{self.colour} {self.shape}"
        return f"{COLOURS[self.colour][0]} {SHAPES[self.shape][0]}"


@cache
def things() -> tuple[Thing, ...]:
    """All things: twelve shapes in eight colours."""
    return tuple(Thing(*parts) for parts in product(COLOURS, SHAPES))


@cache
def picture(number: int, artist: int) -> Any:
    """A thing as the first artist (0) or the second one (1) draws it: a Pillow image."""
    from PIL import Image, ImageDraw

    thing = things()[number]
    _, *inks = COLOURS[thing.colour]
    angle, scale, middle = (0.15, 0.34, 0.54) if artist else (0.0, 0.42, 0.5)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = (SHAPES[thing.shape][1]() @ turn * scale + middle) * _CANVAS
    points = [tuple(point) for point in corners.tolist()]
    image = Image.new("RGBA", (_CANVAS, _CANVAS), (255, 255, 255, 0))
    drawing = ImageDraw.Draw(image)
    drawing.polygon(points, fill=inks[artist])
    if artist:
        drawing.line([*points, points[0]], fill=inks[0], width=10, joint="curve")
    return image.resize((_SIDE, _SIDE))


@cache
def images(kind: str) -> Sides:
    """The first artist's pictures, for English, and the second's, for Finnish, as vectors.

    Args:
        kind: one of `IMAGES`.
    """
    first, second = (
        np.stack([histogram(picture(number, artist)) for number in range(len(things()))])[
            :, IMAGES[kind]
        ]
        for artist in (0, 1)
    )
    return first, second


@cache
def vectors(name: str) -> Sides:
    """The vectors of the English and of the Finnish names by an encoder of the lesson.

    Those of `BUILT` have a number per shape and one per colour, the same in both languages.
    """
    if name in BUILT:
        parts = [(thing.shape, thing.colour) for thing in things()]
        keys = [[*SHAPES].index(shape) for shape, _ in parts]
        inks = [[*COLOURS].index(colour) for _, colour in parts]
        of_shapes, of_colours = BUILT[name]
        shapes, colours = np.eye(len(SHAPES))[keys], np.eye(len(COLOURS))[inks]
        both = np.hstack([of_shapes * shapes, of_colours * colours]).astype(np.float32)
        return both, both
    english, finnish = (Texts(lang, [thing.name(lang) for thing in things()]) for lang in LANGS)
    return encode_texts(ENCODERS[name], english, finnish)


def sampler() -> Sampler:
    """Draws samples of half of the things on each side."""
    ids = [str(number) for number in range(len(things()))]
    return Sampler(ids, ids, None)


@cache
def results(kind: str, names: tuple[str, ...] = tuple(ENCODERS)) -> Results:
    """BkR and XLR of encoders, with one kind of image similarity."""
    encoders = {name: vectors(name) for name in names}
    return evaluate(encoders, images(kind), sampler(), seeds=SEEDS, k=K)


def percent(kind: str, measure: str, names: tuple[str, ...] = tuple(ENCODERS)) -> dict[str, float]:
    """A measure of each encoder: the mean of the samples, in percent."""
    values = results(kind, names).values
    return {name: 100 * float(row[measure].mean()) for name, row in values.items()}


@cache
def by_chance(kind: str, draws: int = 8) -> list[float]:
    """BkR in percent of encoders that give each name a random vector."""
    stream = np.random.default_rng(1)
    shape = vectors("letters")[0].shape

    def side() -> NDArray[np.float32]:
        return stream.normal(size=shape).astype(np.float32)

    encoders = {str(draw): (side(), side()) for draw in range(draws)}
    values = evaluate(encoders, images(kind), sampler(), seeds=SEEDS, k=K).values
    return [100 * float(row["BkR"].mean()) for row in values.values()]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pearson's correlation of BkR with XLR over encoders.

    Attributes:
        mean: over the samples of names.
        error: its standard error, from sample to sample.
        interval: 95 %, from encoder to encoder: a bootstrap of the encoders.
    """

    mean: float
    error: float
    interval: tuple[float, float]


def agreement(kind: str, names: tuple[str, ...] = tuple(ENCODERS)) -> Agreement:
    """How BkR and XLR agree, with one kind of image similarity."""
    measured = results(kind, names)
    row = measured.correlation()["BkR"]
    return Agreement(
        row["pearson"] or 0.0,
        row["pearson error"] or 0.0,
        measured.intervals()["BkR"]["pearson"],
    )


@cache
def noise(kind: str) -> list[Limit]:
    """The results with more and more noise in the images' vectors."""
    encoders = {name: vectors(name) for name in ENCODERS}

    again = partial(evaluate, encoders, seeds=SEEDS, k=K)
    return degrade(again, images(kind), sampler(), k=K, levels=(0, 0.2, 0.4, 0.6, 0.8, 0.9, 1))


def translations(name: str) -> NDArray[np.float32]:
    """Cosines of English (rows) and Finnish names (columns); right ones are on the diagonal."""
    sample = sampler().draw_matching(stream_of(0))
    first, second = vectors(name)
    return cosine(first[sample.source], second[sample.target])(ALL, ALL)


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """A sample without translations.

    Attributes:
        english, finnish: the sampled things, by index; none is on both sides.
        texts: cosines of English (rows) and Finnish names (columns).
        back: similarities of Finnish (rows) and English things' pictures (columns).
    """

    english: NDArray[np.int64]
    finnish: NDArray[np.int64]
    texts: NDArray[np.float32]
    back: NDArray[np.float32]


def way_back(name: str, kind: str) -> Way:
    """The first sample without translations, with its similarities."""
    sample = sampler().draw_non_matching(stream_of(0))
    (first, second), (english, finnish) = vectors(name), images(kind)
    return Way(
        sample.source,
        sample.target,
        cosine(first[sample.source], second[sample.target])(ALL, ALL),
        cosine(finnish[sample.target], english[sample.source])(ALL, ALL),
    )
