"""xSIM, LASER's similarity error rate: is another text nearer than the translation?

The published script is `source/xsim.py` of facebookresearch/LASER (Heffernan et al. 2022).
"""

from collections.abc import Sequence

from ...core.errors import DataError
from ...metrics.report import Score
from .margins import K, Margin, Vectors, best_by_margin, nearest


def score_xsim(
    x: Vectors, y: Vectors, *, lang: str, margin: Margin = "ratio", k: int = K
) -> list[Score]:
    """`xsim` of each text of `x`: 1 if its best candidate in `y` is another row than its own.

    Candidates are the k nearest of `y`; the best has the highest margin, the nearest of equals.
    Row n of `y` is the translation of row n of `x`.

    Raises:
        DataError: if the shapes differ, or there is no text.
    """
    check_parallel(x, y, lang)
    forward = nearest(x, y, k=1 if margin == "absolute" else k)
    backward = forward if margin == "absolute" else nearest(y, x, k=k)
    best, _ = best_by_margin(forward, backward, margin)
    return [
        Score(f"{lang}-{row}", lang, {"xsim": float(partner != row)})
        for row, partner in enumerate(best)
    ]


def check_parallel(x: Vectors, y: Vectors, lang: str) -> None:
    """Raise a DataError unless both sides have the same shape, with at least one row."""
    shapes: Sequence[tuple[int, ...]] = x.shape, y.shape
    if shapes[0] != shapes[1] or not len(x):
        raise DataError(
            f"{lang}: the vectors have the shapes {shapes[0]} and {shapes[1]}; both sides need "
            "the same number of rows, one or more, and of dimensions"
        )
