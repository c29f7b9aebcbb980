"""How well BkR predicts XLR as the similarity of images gets worse, and with fewer texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.progress import TaskProgress, silent
from ...tables.grid import MISSING, Grid
from .evaluate import CORRELATIONS, Results, Sides, add_noise, stream_of
from .measures import cosine, cross_lingual_ranks, recall
from .sampling import Sampler

NOISE = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Shares of noise in the images' vectors; with 1 they are random."""

Evaluate = Callable[..., Results]
"""The results with images and a sampler, and with the option `noise`."""


@dataclass(frozen=True, slots=True)
class Limit:
    """One row: a setting, what it does to the images, and the results."""

    setting: float
    images: float | None
    results: Results


def degrade(
    evaluate: Evaluate,
    images: Sides,
    sampler: Sampler,
    *,
    k: int,
    levels: Sequence[float] = NOISE,
    progress: TaskProgress = silent,
) -> list[Limit]:
    """The results with more and more noise in the images' vectors.

    `Limit.images` is Recall@k of the target image with the same id among a matching sample's.
    """
    rows = []
    for done, level in enumerate(levels, 1):
        results = evaluate(images, sampler, noise=level)
        rows.append(Limit(level, _image_recall(images, sampler, k, level), results))
        progress("noise", done, len(levels))
    return rows


def vary_texts(
    evaluate: Evaluate,
    images: Sides,
    ids: tuple[Sequence[str], Sequence[str]],
    sizes: Sequence[int],
    *,
    progress: TaskProgress = silent,
) -> list[Limit]:
    """The results with each number of texts a side."""
    rows = []
    for done, size in enumerate(sizes, 1):
        rows.append(Limit(size, None, evaluate(images, Sampler(*ids, size))))
        progress("sizes", done, len(sizes))
    return rows


def limit_table(rows: Sequence[Limit], title: str, setting: str, caption: str) -> Grid:
    """The correlations of BkR and of CORR with XLR, a row per setting."""
    header = (setting, *(f"{name} {kind}" for name in ("BkR", "CORR") for kind in CORRELATIONS))
    with_images = any(row.images is not None for row in rows)
    if with_images:
        header = (header[0], "images", *header[1:])
    lines = []
    for row in rows:
        table = row.results.correlation()
        values = [
            table.get(name, {}).get(kind) for name in ("BkR", "CORR") for kind in CORRELATIONS
        ]
        cells = [MISSING if value is None else f"{value:.2f}" for value in values]
        quality = [f"{100 * row.images:.1f}" if row.images is not None else MISSING]
        lines.append((f"{row.setting:g}", *(quality if with_images else []), *cells))
    return Grid(title, header, (tuple(lines),), caption, fixed=True)


def limits_to_json(rows: Sequence[Limit]) -> list[Mapping[str, Any]]:
    """The rows as JSON."""
    return [
        {
            "setting": row.setting,
            "images": row.images,
            "correlation": row.results.correlation(),
            "BkR": {
                name: float(scores["BkR"].mean()) for name, scores in row.results.values.items()
            },
        }
        for row in rows
    ]


def _image_recall(images: Sides, sampler: Sampler, k: int, noise: float) -> float | None:
    sample = sampler.draw_matching(stream_of(0))
    if len(sample) <= k:
        return None
    drawn = images[0][sample.source], images[1][sample.target]
    similarity = cosine(*add_noise(drawn, noise, seed=0))
    return recall(cross_lingual_ranks(similarity, len(sample)), k)
