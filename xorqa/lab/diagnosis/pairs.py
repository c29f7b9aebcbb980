"""Pairs of systems: their difference in each bucket, tested, and the questions behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ...metrics.resampling import CORRECTIONS, p_bootstrap, p_randomisation
from ...metrics.significance import Settings
from .buckets import Bucket, Buckets
from .distinct import bootstrap_distinct, randomise_distinct
from .measure import Rows, exact_means, interval, stream_of

ALL = "all"
"""The feature, and the bucket, of all questions."""

_PLACE = {"feature", "bucket", "metric", "n"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A minus B in a bucket, for one metric, in percent; each p is a fraction.

    The interval and `p_bootstrap` are from the paired bootstrap. `p_corrected` corrects
    `p_randomisation`, which is valid even if few questions differ.
    """

    feature: str
    bucket: Bucket
    metric: str
    n: int
    a: float
    b: float
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomisation: float
    p_corrected: float = 1.0
    significant: bool = False

    def to_json(self) -> dict[str, Any]:
        """The difference as JSON values."""
        values = asdict(self)
        return {name: values[name] for name in values if name not in _PLACE}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems, and their differences by feature, bucket and metric."""

    a: str
    b: str
    differences: tuple[Difference, ...]

    def overall(self, metric: str) -> Difference:
        """The difference over all questions."""
        return next(d for d in self.differences if d.feature == ALL and d.metric == metric)

    def best(self, metric: str, *, of_a: bool, count: int, min_n: int) -> list[Difference]:
        """The buckets in which A most beats B, or B most beats A, the largest difference first.

        Buckets with fewer than `min_n` questions are left out, and of equal differences the first.
        """
        sign = 1 if of_a else -1
        rows = [
            row
            for row in self.differences
            if row.metric == metric and row.feature != ALL and row.n >= min_n
        ]
        rows = [row for row in rows if sign * row.difference > 0]
        return sorted(rows, key=lambda row: -sign * row.difference)[:count]


def compare_pair(
    a: str,
    b: str,
    rows: Mapping[str, Rows],
    metrics: Sequence[str],
    buckets: Mapping[str, Buckets],
    settings: Settings,
) -> Pair:
    """Compare two systems in each bucket, on the questions that both count, without correction."""
    both = rows[a].counted & rows[b].counted
    difference = np.where(both[:, None], rows[a].values - rows[b].values, np.nan)
    paired, differences = Rows(difference), []
    for feature, of_feature in buckets.items():
        for number, bucket in enumerate(of_feature.buckets):
            chosen = both & (of_feature.of == number)
            if not chosen.any():
                continue
            means = [exact_means(rows[name].values[chosen]) for name in (a, b)]
            observed = exact_means(difference[chosen])
            drawn = [
                test(
                    *paired.of(chosen),
                    samples=settings.samples,
                    stream=stream_of(settings.seed, test.__name__, feature, bucket.name),
                )
                for test in (bootstrap_distinct, randomise_distinct)
            ]
            lows, highs = interval(drawn[0], settings)
            differences += [
                Difference(
                    feature,
                    bucket,
                    metric,
                    int(chosen.sum()),
                    means[0][k],
                    means[1][k],
                    observed[k],
                    lows[k],
                    highs[k],
                    p_bootstrap(drawn[0][:, k]),
                    p_randomisation(drawn[1][:, k], observed[k]),
                )
                for k, metric in enumerate(metrics)
            ]
    return Pair(a, b, tuple(differences))


def corrected(pairs: Sequence[Pair], settings: Settings) -> list[Pair]:
    """Correct the p-values of each metric over all buckets of all features and all pairs."""
    rows = [row for pair in pairs for row in pair.differences]
    result: dict[int, Difference] = {}
    for metric in dict.fromkeys(row.metric for row in rows):
        family = [row for row in rows if row.metric == metric]
        ps = CORRECTIONS[settings.correction](np.array([row.p_randomisation for row in family]))
        for row, p in zip(family, ps, strict=True):
            significant = bool(p <= settings.alpha)
            result[id(row)] = replace(row, p_corrected=float(p), significant=significant)
    return [
        replace(pair, differences=tuple(result[id(row)] for row in pair.differences))
        for pair in pairs
    ]
