"""Tools of lesson 9, Alignment without parallel text."""

from .alignment_exercises import back_rank_of, check_1, check_2, check_3, check_4
from .alignment_pictures import draw_noise, draw_prediction, draw_things, draw_ways
from .alignment_world import (
    ENCODERS,
    IMAGES,
    K,
    Thing,
    correlation,
    noise,
    percent,
    results,
    shared,
    things,
    translations,
    way_back,
)

__all__ = [
    "ENCODERS",
    "IMAGES",
    "K",
    "Thing",
    "back_rank_of",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "correlation",
    "draw_noise",
    "draw_prediction",
    "draw_things",
    "draw_ways",
    "noise",
    "percent",
    "results",
    "shared",
    "things",
    "translations",
    "way_back",
]
