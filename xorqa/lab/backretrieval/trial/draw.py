"""What a person is shown: queries, each with what several encoders retrieve, in random order.

Fain et al. 2021, section 3.2: 20 queries, 5 suggestions of each of two encoders. A text that both
suggest is shown once and counts for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ....core.errors import ConfigError
from ..evaluate import Sides
from ..measures import ALL, cosine
from ..sampling import Indices

QUERIES, SUGGESTIONS = 20, 5


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A target text, by its index, and the encoders that suggest it."""

    target: int
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A source text, by its index, and the suggestions in the order in which they are shown."""

    query: int
    suggestions: tuple[Suggestion, ...]


def draw_trial(
    encoders: Mapping[str, Sides],
    *,
    queries: int = QUERIES,
    suggestions: int = SUGGESTIONS,
    seed: int = 1,
) -> list[Shown]:
    """Draw queries, and shuffle the target texts nearest to each by cosine.

    Args:
        encoders: by name, the vectors of all source texts and of all target texts.

    Raises:
        ConfigError: if there are fewer than two encoders, too few texts, or two encoders with the
            same suggestions for every query.
    """
    if len(encoders) < 2:
        raise ConfigError("a trial compares encoders; name two or more with --encoder")
    source, target = (len(side) for side in next(iter(encoders.values())))
    if queries > source or suggestions > target:
        raise ConfigError(
            f"the data has {source} queries and {target} texts to suggest, fewer than {queries} "
            f"and {suggestions}"
        )
    stream = np.random.default_rng([seed, *b"blind trial"])
    drawn = stream.permutation(source)[:queries]
    nearest = {name: _nearest(sides, drawn, suggestions) for name, sides in encoders.items()}
    shown = []
    for position, query in enumerate(drawn.tolist()):
        by: dict[int, list[str]] = {}
        for name, rows in nearest.items():
            for index in rows[position]:
                by.setdefault(index, []).append(name)
        pool = [Suggestion(index, tuple(names)) for index, names in sorted(by.items())]
        order = stream.permutation(len(pool))
        shown.append(Shown(query, tuple(pool[at] for at in order)))
    if all(set(one.by) == {*encoders} for each in shown for one in each.suggestions):
        raise ConfigError("the encoders have the same suggestions; there is nothing to compare")
    return shown


def _nearest(sides: Sides, queries: Indices, count: int) -> list[list[int]]:
    """The nearest target texts of each query; of equally near ones the first."""
    scores = cosine(sides[0][queries], sides[1])(ALL, ALL)
    rows: list[list[int]] = np.argsort(-scores, axis=1, kind="stable")[:, :count].tolist()
    return rows
