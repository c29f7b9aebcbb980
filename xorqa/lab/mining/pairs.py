"""Mine the sentence pairs of two collections: encode, search, filter, threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...core.progress import TaskProgress, silent
from .encoding import encode_sides
from .filters import (
    MAX_RATIO,
    TextPair,
    expected_languages,
    first_of_similar,
    not_copied,
    usual_lengths,
)
from .margins import K, Margin
from .retrieval import Candidates, Retrieval, mine
from .sentences import Sentences, unique_rows
from .threshold import choose_threshold
from .topics import Topics, shared_topics


@dataclass(frozen=True, slots=True)
class Filters:
    """Which pairs are left out: see `filters`. `max_ratio` None keeps pairs of any lengths."""

    max_ratio: float | None = MAX_RATIO
    languages: bool = True
    copies: bool = True
    near_duplicates: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningSettings:
    """How pairs are mined. `sample` has labelled pairs, on which `precision` sets the threshold."""

    encoder: str
    margin: Margin = "ratio"
    k: int = K
    retrieval: Retrieval = "max"
    threshold: float | None = None
    sample: dict[TextPair, bool] = field(default_factory=dict)
    precision: float = 0.9
    filters: Filters = Filters()
    topics: Topics | None = None  # articles within which alone pairs are mined


@dataclass(frozen=True, slots=True)
class MinedPair:
    """A mined pair of sentences, with their ids."""

    score: float
    source: str
    target: str
    source_id: str
    target_id: str


@dataclass(frozen=True, slots=True)
class Mined:
    """Mined pairs, best first, and counts: of sentences, candidates, and what filters removed."""

    pairs: tuple[MinedPair, ...]
    statistics: dict[str, Any]


def mine_pairs(
    source: Sentences,
    target: Sentences,
    settings: MiningSettings,
    *,
    once: bool = False,
    folder: Path | None = None,
    workers: int = 0,
    progress: TaskProgress = silent,
) -> Mined:
    """Mine the pairs of two collections; equal sentences of a collection count as one.

    `once` leaves out sentences that occur more than once, as XTREME does for BUCC. `folder` and
    `workers` are as for `encode_sides`.

    Raises:
        DataError: if all sentences are repeated, or as `choose_threshold`.
    """
    sides = [source, target]
    vectors = encode_sides(
        settings.encoder, sides, folder=folder, workers=workers, progress=progress
    )
    rows = [unique_rows(side, once=once) for side in sides]
    for side, kept in zip(sides, rows, strict=True):
        if not len(kept):
            raise DataError(f"{side.name} has no sentence that occurs only once")
    x, y = (array[kept] for array, kept in zip(vectors, rows, strict=True))
    search = partial(mine, margin=settings.margin, k=settings.k, retrieval=settings.retrieval)
    candidates = (
        search(x, y, progress=progress)
        if settings.topics is None
        else _within([*shared_topics(settings.topics, sides, rows)], x, y, search, progress)
    )
    pairs = [
        MinedPair(score, source.texts[i], target.texts[j], source.ids[i], target.ids[j])
        for score, i, j in zip(
            candidates.scores.tolist(),
            rows[0][candidates.sources].tolist(),
            rows[1][candidates.targets].tolist(),
            strict=True,
        )
    ]
    statistics: dict[str, Any] = {
        "sentences": {side.lang: len(side) for side in sides},
        "unique": {side.lang: len(kept) for side, kept in zip(sides, rows, strict=True)},
        "candidates": len(pairs),
    }
    pairs, removed = apply_filters(pairs, (source.lang, target.lang), settings.filters)
    pairs, threshold = _above(pairs, settings)
    statistics |= {"removed": removed, **threshold, "pairs": len(pairs)}
    if pairs:
        quartiles = np.quantile([pair.score for pair in pairs], [0, 0.25, 0.5, 0.75, 1])
        statistics["score quartiles"] = [round(float(value), 4) for value in quartiles]
    return Mined(tuple(pairs), statistics)


def _within(
    topics: Sequence[Sequence[NDArray[np.int64]]],
    x: NDArray[np.float32],
    y: NDArray[np.float32],
    search: Callable[[NDArray[np.float32], NDArray[np.float32]], Candidates],
    progress: TaskProgress,
) -> Candidates:
    """The candidates of each topic alone, best first; neighbours are of the topic, too."""
    parts = []
    for number, (left, right) in enumerate(topics, 1):
        part = search(x[left], y[right])
        parts.append((part.scores, left[part.sources], right[part.targets]))
        progress("mining topics", number, len(topics))
    scores, sources, targets = map(np.concatenate, zip(*parts, strict=True))
    order = np.argsort(-scores, kind="stable")
    return Candidates(sources[order], targets[order], scores[order])


def apply_filters(
    pairs: Sequence[MinedPair], langs: tuple[str, str], filters: Filters
) -> tuple[list[MinedPair], dict[str, int]]:
    """The pairs that pass all filters, and how many each filter removed from what it was given."""
    steps: dict[str, Callable[[Sequence[TextPair]], list[bool]]] = {}
    if filters.copies:
        steps["copies"] = not_copied
    if (ratio := filters.max_ratio) is not None:
        steps["length ratio"] = lambda texts: usual_lengths(texts, ratio)
    if filters.languages:
        steps["language"] = lambda texts: expected_languages(texts, langs)
    if filters.near_duplicates:
        steps["near-duplicates"] = first_of_similar
    kept, removed = [*pairs], {}
    for name, keep in steps.items():
        flags = keep([(pair.source, pair.target) for pair in kept])
        removed[name] = len(flags) - sum(flags)
        kept = [pair for pair, flag in zip(kept, flags, strict=True) if flag]
    return kept, removed


def _above(
    pairs: Sequence[MinedPair], settings: MiningSettings
) -> tuple[list[MinedPair], dict[str, float]]:
    """The pairs not below the threshold, and the threshold, if there is one."""
    threshold, described = settings.threshold, {}
    if settings.sample:
        scores = {(pair.source, pair.target): pair.score for pair in pairs}
        threshold, labelled = choose_threshold(scores, settings.sample, settings.precision)
        described = {"precision": settings.precision, "labelled": labelled}
    if threshold is None:
        return [*pairs], {}
    kept = [pair for pair in pairs if pair.score >= threshold]
    return kept, {"threshold": threshold, "below threshold": len(pairs) - len(kept), **described}
