"""The outcome of a blind trial: how often each encoder's suggestions are very relevant.

Fain et al. 2021, section 3.2: "2.3 times more very relevant suggestions". Suggestions of one query
are not independent, so intervals and tests draw queries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ....metrics.resampling import bootstrap, holm, p_randomisation, randomise
from ....tables.grid import MISSING, Grid
from .files import SCALE, Key

_SAMPLES, _SEED = 10_000, 1
_QUERY = re.compile(r"\d+")
_SHARES = (
    "Of the suggestions with a score, those that are very relevant (1), in percent, with a 95 % "
    "interval over the {queries} queries (bootstrap); then the number of each score. {missing}"
)
_RATIOS = (
    "How many times more suggestions of an encoder than of the other are very relevant, with a 95 "
    "% interval over the queries (bootstrap), and p of the difference per query (approximate "
    "randomisation), corrected for {tests} tests (Holm)."
)


@dataclass(frozen=True, slots=True)
class Share:
    """The scores of an encoder's suggestions: how many have each, and the share of ones."""

    encoder: str
    counts: tuple[int, ...]
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times more very relevant suggestions; None where the other encoder has none."""

    encoder: str
    other: str
    ratio: float | None
    low: float | None
    high: float | None
    p: float
    p_corrected: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a trial; `missing` items have no score."""

    queries: int
    missing: int
    shares: tuple[Share, ...]
    ratios: tuple[Ratio, ...]

    def to_json(self) -> dict[str, Any]:
        """All values; shares are from 0 to 1."""
        return asdict(self)


def score_trial(key: Key, scores: Mapping[str, int]) -> Outcome:
    """Score a trial from the scores of its items."""
    queries = sorted({_query(item) for item in scores})
    rows = {query: at for at, query in enumerate(queries)}
    counts = np.zeros((len(queries), len(key.encoders), len(SCALE)))  # by query
    for item, score in scores.items():
        for encoder in key.by[item]:
            counts[rows[_query(item)], key.encoders.index(encoder), score - 1] += 1
    ones, judged = counts[:, :, 0], counts.sum(axis=2)
    drawn = bootstrap({"": np.hstack([ones, judged])}, samples=_SAMPLES, seed=_SEED)[""]
    drawn_ones, drawn_judged = np.split(drawn, 2, axis=1)
    shares = tuple(
        Share(
            name,
            tuple(counts[:, at].sum(axis=0).astype(int).tolist()),
            float(ones[:, at].sum() / max(1.0, judged[:, at].sum())),
            *_middle(drawn_ones[:, at] / np.maximum(drawn_judged[:, at], 1e-12)),
        )
        for at, name in enumerate(key.encoders)
    )
    ratios = _ratios(key.encoders, ones, drawn_ones)
    return Outcome(len(queries), len(key.by) - len(scores), shares, ratios)


def outcome_grids(outcome: Outcome) -> list[Grid]:
    """The outcome as tables."""
    missing = f"{outcome.missing} items have no score." if outcome.missing else ""
    header = ("encoder", "very relevant", "95 %", *("1234"))
    rows = tuple(
        (
            row.encoder,
            f"{100 * row.share:.1f}",
            f"{100 * row.low:.1f} to {100 * row.high:.1f}",
            *map(str, row.counts),
        )
        for row in outcome.shares
    )
    caption = _SHARES.format(queries=outcome.queries, missing=missing).strip()
    shares = Grid("Blind trial", header, (rows,), caption, fixed=True)
    ratios = tuple(
        (
            row.encoder,
            row.other,
            _times(row.ratio),
            f"{_times(row.low)} to {_times(row.high)}",
            f"{row.p:.4f}",
            f"{row.p_corrected:.4f}",
        )
        for row in outcome.ratios
    )
    header = ("encoder", "other", "times", "95 %", "p", "p corrected")
    caption = _RATIOS.format(tests=len(ratios))
    return [shares, Grid("Very relevant", header, (ratios,), caption, labels=2, fixed=True)]


def _ratios(names: tuple[str, ...], ones: Any, drawn: Any) -> tuple[Ratio, ...]:
    """A comparison of each two encoders, the one with more very relevant suggestions first."""
    order = np.argsort(-ones.sum(axis=0), kind="stable").tolist()
    pairs = list(combinations(order, 2))
    differences = np.stack([ones[:, a] - ones[:, b] for a, b in pairs], axis=1)
    null = randomise({"": differences}, samples=_SAMPLES, seed=_SEED)[""]
    means = differences.mean(axis=0)
    ps = np.array([p_randomisation(null[:, at], mean) for at, mean in enumerate(means)])
    ratios = []
    for (a, b), p, corrected in zip(pairs, ps.tolist(), holm(ps).tolist(), strict=True):
        total = float(ones[:, b].sum())
        ratio = float(ones[:, a].sum()) / total if total else None
        with np.errstate(divide="ignore", invalid="ignore"):
            bounds = _middle(np.nan_to_num(drawn[:, a] / drawn[:, b], nan=1.0, posinf=np.inf))
        low, high = (bound if np.isfinite(bound) else None for bound in bounds)
        ratios.append(Ratio(names[a], names[b], ratio, low, high, p, corrected))
    return tuple(ratios)


def _middle(values: Any) -> tuple[float, float]:
    """The bounds of the middle 95 %, which are samples themselves, as some may be infinite."""
    low, high = np.quantile(values, (0.025, 0.975), method="nearest").tolist()
    return low, high


def _query(item: str) -> int:
    found = _QUERY.match(item)
    return int(found[0]) if found else 0


def _times(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f}"
