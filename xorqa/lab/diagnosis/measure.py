"""Mean metrics of buckets, with bootstrap intervals."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...metrics.resampling import Floats
from ...metrics.significance import Settings
from .buckets import Bucket, Buckets, Indices
from .distinct import Counts, bootstrap_distinct


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean in percent, with its bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BucketScore:
    """The questions of a bucket that are counted, and their mean metrics."""

    bucket: Bucket
    n: int
    metrics: Mapping[str, Estimate]

    def to_json(self) -> dict[str, Any]:
        """The score as JSON values, in percent."""
        values = {
            name: {"value": row.value, "low": row.low, "high": row.high}
            for name, row in self.metrics.items()
        }
        return {
            "bucket": self.bucket.name,
            "low": self.bucket.low,
            "high": self.bucket.high,
            "n": self.n,
            "metric": values,
        }


@dataclass(frozen=True, slots=True)
class Rows:
    """Metrics (questions, metrics) in percent, and their distinct rows.

    Attributes:
        values: NaN in the rows of questions that are not counted.
        counted: which questions are counted.
        distinct: the distinct counted rows.
        index: the distinct row of each question; 0 where it is not counted.
    """

    values: Floats
    counted: npt.NDArray[np.bool_] = field(init=False)
    distinct: Floats = field(init=False)
    index: Indices = field(init=False)

    def __post_init__(self) -> None:
        counted = ~np.isnan(self.values[:, 0])
        distinct, inverse = np.unique(self.values[counted], axis=0, return_inverse=True)
        index = np.zeros(len(self.values), dtype=np.int64)
        index[counted] = inverse.reshape(-1)
        for name, value in (("counted", counted), ("distinct", distinct), ("index", index)):
            object.__setattr__(self, name, value)

    def of(self, chosen: npt.NDArray[np.bool_]) -> tuple[Floats, Counts]:
        """The distinct rows of the chosen questions, and how often each occurs."""
        counts = np.bincount(self.index[chosen], minlength=len(self.distinct))
        return self.distinct[counts > 0], counts[counts > 0].astype(np.int64)


def measure(
    rows: Rows, metrics: Sequence[str], buckets: Buckets, *, feature: str, settings: Settings
) -> list[BucketScore]:
    """Measure a system in each bucket; a bucket without counted questions is left out."""
    scores = []
    for number, bucket in enumerate(buckets.buckets):
        chosen = (buckets.of == number) & rows.counted
        if not chosen.any():
            continue
        distinct, counts = rows.of(chosen)
        samples = bootstrap_distinct(
            distinct,
            counts,
            samples=settings.samples,
            stream=stream_of(settings.seed, "diagnose", feature, bucket.name),
        )
        lows, highs = interval(samples, settings)
        means = exact_means(rows.values[chosen])
        estimates = {name: Estimate(means[k], lows[k], highs[k]) for k, name in enumerate(metrics)}
        scores.append(BucketScore(bucket, int(chosen.sum()), estimates))
    return scores


def exact_means(values: Floats) -> list[float]:
    """The mean of each column; sums are exact, so the order of the rows does not matter."""
    return [math.fsum(column) / len(values) for column in values.T]


def interval(samples: Floats, settings: Settings) -> tuple[list[float], list[float]]:
    """The middle `confidence` of each column of samples: low and high ends."""
    tails = (1 - settings.confidence) / 2, (1 + settings.confidence) / 2
    lows, highs = np.quantile(samples, tails, axis=0)
    return lows.tolist(), highs.tolist()


def stream_of(seed: int, *names: str) -> np.random.Generator:
    """A random stream of its own for each bucket, which does not depend on other buckets."""
    return np.random.default_rng([seed, *"\t".join(names).encode()])
