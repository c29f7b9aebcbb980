"""Tools of lesson 5, Language bias."""

from .language_bias_exercises import check_1, check_2, check_3, check_4
from .language_bias_pictures import beside, draw_pairs, draw_points, draw_shares
from .language_bias_results import (
    CENTRED,
    ENCODERS,
    RAW,
    evaluate,
    gain,
    languages_of_nearest,
    mean_precision,
    nearest,
    pairs,
    percent,
    pool,
    probe,
    question_at,
    right_among,
    scores,
    vectors,
)

__all__ = [
    "CENTRED",
    "ENCODERS",
    "RAW",
    "beside",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "draw_pairs",
    "draw_points",
    "draw_shares",
    "evaluate",
    "gain",
    "languages_of_nearest",
    "mean_precision",
    "nearest",
    "pairs",
    "percent",
    "pool",
    "probe",
    "question_at",
    "right_among",
    "scores",
    "vectors",
]
