"""Tools of lesson A1, Alignment without parallel text."""

from .alignment_exercises import back_rank_of, check_1, check_2, check_3, check_4, check_5
from .alignment_pictures import draw_noise, draw_prediction, draw_things, draw_ways
from .alignment_shared import shared_of_all, shared_without_own
from .alignment_world import (
    BUILT,
    ENCODERS,
    IMAGES,
    Agreement,
    K,
    Thing,
    agreement,
    by_chance,
    noise,
    percent,
    results,
    things,
    translations,
    way_back,
)

__all__ = [
    "BUILT",
    "ENCODERS",
    "IMAGES",
    "Agreement",
    "K",
    "Thing",
    "agreement",
    "back_rank_of",
    "by_chance",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "draw_noise",
    "draw_prediction",
    "draw_things",
    "draw_ways",
    "noise",
    "percent",
    "results",
    "shared_of_all",
    "shared_without_own",
    "things",
    "translations",
    "way_back",
]
