"""Buckets of questions by a feature: quantiles, fixed edges or categories, and one for missing.

Greedy buckets are those of XTREME-R (Ruder et al. 2021, appendix K.2).
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...core.errors import ConfigError, DataError
from ...core.progress import quantity
from .facts import Value

Fill = Literal["quantiles", "greedy"]
MISSING = "missing"
QUANTILES = 4
MAX_CATEGORIES = 60
"""Rarer categories share a bucket."""

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket; `low` and `high` bound the values of numbers, None where there is no bound.

    `low` belongs to the bucket. `high` belongs to the next one, except in the last bucket. Greedy
    buckets are closed on the right instead: `high` belongs to the bucket, and `low` to the one
    before, except in the first bucket.
    """

    name: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Buckets:
    """The buckets of a feature, how they were made, and the bucket of each question, by index."""

    rule: str
    buckets: tuple[Bucket, ...]
    of: Indices


def make_buckets(
    values: Sequence[Value],
    *,
    feature: str,
    quantiles: int = QUANTILES,
    edges: Sequence[float] = (),
    order: Sequence[str] = (),
    fill: Fill = "quantiles",
) -> Buckets:
    """Put each value into one bucket: numbers by `edges` or else quantiles, texts by category.

    With `fill` "greedy", buckets of numbers are closed on the right, those of `edges` too. Without
    edges, each takes values in ascending order until it has its share of the questions or more;
    the last one takes the rest.

    None and NaN are missing. A bucket of quantiles may be larger than others if values are equal;
    the lowest value has its own bucket if it is that frequent.

    Raises:
        ConfigError: if edges do not increase, or are given for texts.
        DataError: for a mixture of numbers and texts, or an infinite number.
    """
    known = [value for value in values if value is not None and not _is_missing(value)]
    numbers = [float(value) for value in known if not isinstance(value, str)]
    if numbers and len(numbers) < len(known):
        raise DataError(f"feature '{feature}' has numbers and texts; it must have one kind")
    if numbers:
        buckets = _numeric(values, numbers, feature, quantiles, edges, fill)
    elif edges and known:
        raise ConfigError(f"feature '{feature}' has texts, which have no edges")
    else:
        buckets = _categorical(values, [str(value) for value in known], order)
    if len(known) == len(values):
        return buckets
    missing = [_is_missing(value) for value in values]
    of = np.where(missing, len(buckets.buckets), buckets.of)  # the last bucket
    return Buckets(buckets.rule, (*buckets.buckets, Bucket(MISSING)), of)


def _is_missing(value: Value) -> bool:
    if isinstance(value, str):
        return value == MISSING
    return value is None or math.isnan(value)


def _numeric(
    values: Sequence[Value],
    numbers: Sequence[float],
    feature: str,
    quantiles: int,
    edges: Sequence[float],
    fill: Fill,
) -> Buckets:
    if not all(map(math.isfinite, numbers)):
        raise DataError(f"feature '{feature}' has an infinite value")
    if any(after <= before for before, after in pairwise(edges)):
        raise ConfigError(f"the edges of '{feature}' must increase: {', '.join(map(str, edges))}")
    low, high = min(numbers), max(numbers)
    greedy = fill == "greedy"
    if edges:
        bounds: list[float | None] = [None, *edges, None]
        rule = f"fixed edges {', '.join(f'{edge:g}' for edge in edges)}"
        inner = list(edges)
    elif greedy:
        inner = _greedy_limits(numbers, quantiles)
        bounds, rule = [low, *inner, high], f"greedy, {quantity(quantiles, 'bucket')}"
    else:
        inner = _quantile_edges(numbers, quantiles)
        bounds, rule = [low, *inner, high], quantity(quantiles, "quantile")
    rule += ", closed on the right" if greedy else ""
    number = [0.0 if _is_missing(value) else float(value or 0) for value in values]
    side: Literal["left", "right"] = "left" if greedy else "right"
    of = np.searchsorted(np.array(inner), np.array(number), side=side).astype(np.int64)
    whole = all(float(value).is_integer() for value in (*numbers, *inner))
    names = _closed_names(bounds) if greedy else _names(bounds, whole=whole)
    buckets = tuple(
        Bucket(name, lower, upper)
        for name, (lower, upper) in zip(names, pairwise(bounds), strict=True)
    )
    return Buckets(rule, buckets, of)


def _quantile_edges(numbers: Sequence[float], quantiles: int) -> list[float]:
    """Observed values at the quantiles; instead of the lowest value, the next higher one."""
    shares = [k / quantiles for k in range(1, quantiles)]
    observed: list[float] = np.quantile(np.array(numbers), shares, method="inverted_cdf").tolist()
    low, above = min(numbers), sorted(set(numbers))[1:2]
    edges = {above[0] if edge == low and above else edge for edge in observed}
    return sorted(edges - {low})


def _greedy_limits(numbers: Sequence[float], count: int) -> list[float]:
    """The last values of all buckets but the last: the buckets are filled one after another."""
    limits: list[float] = []
    in_bucket, of_values = 0, Counter(numbers)
    for value in sorted(of_values):
        in_bucket += of_values[value]
        if in_bucket >= len(numbers) / count and len(limits) < count - 1:
            limits.append(value)
            in_bucket = 0
    return limits if in_bucket else limits[:-1]


def _closed_names(bounds: Sequence[float | None]) -> list[str]:
    """The intervals as XTREME-R prints them: "[1,2]", then "(2,5]"; "1" if only 1 is in it."""
    for digits in range(3, 17):
        texts = ["" if bound is None else _digits(bound, digits) for bound in bounds]
        names = [
            _closed(low, high, first=place == 0)
            for place, (low, high) in enumerate(pairwise(texts))
        ]
        if len(set(names)) == len(names):
            break
    return names


def _digits(value: float, digits: int) -> str:
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.{digits}g}"


def _closed(low: str, high: str, *, first: bool) -> str:
    if not low or not high:
        return f"≤ {high}" if high else f"> {low}"
    if first:
        return low if low == high else f"[{low},{high}]"
    return f"({low},{high}]"


def _names(bounds: Sequence[float | None], *, whole: bool) -> list[str]:
    """The buckets' names: "3–5" for whole numbers, or else as "0.25–0.5"."""
    if whole:
        return [_whole(bounds, index) for index in range(len(bounds) - 1)]
    for digits in range(3, 17):
        texts = ["" if bound is None else f"{bound:.{digits}g}" for bound in bounds]
        names = [_range(low, high) for low, high in pairwise(texts)]
        if len(set(names)) == len(names):
            break
    return names


def _range(low: str, high: str) -> str:
    if not low or not high:
        return f"< {high}" if high else f"≥ {low}"
    return low if low == high else f"{low}–{high}"


def _whole(bounds: Sequence[float | None], index: int) -> str:
    low, high = bounds[index], bounds[index + 1]
    if high is None:
        return f"≥ {low:.0f}"
    last = high if index == len(bounds) - 2 else high - 1
    if low is None:
        return f"≤ {last:.0f}"
    return f"{low:.0f}" if low == last else f"{low:.0f}–{last:.0f}"


def _categorical(values: Sequence[Value], known: Sequence[str], order: Sequence[str]) -> Buckets:
    counts = Counter(known)
    first = [name for name in order if name in counts]
    rest = sorted(counts.keys() - set(first), key=lambda name: (-counts[name], name))
    names = [*first, *rest]
    if len(names) > MAX_CATEGORIES:
        names[MAX_CATEGORIES - 1 :] = [f"{len(names) - MAX_CATEGORIES + 1} rarer values"]
    positions = {name: position for position, name in enumerate(names)}
    of = [positions.get(str(value), len(names) - 1) for value in values]
    return Buckets("categories", tuple(map(Bucket, names)), np.array(of, dtype=np.int64))
