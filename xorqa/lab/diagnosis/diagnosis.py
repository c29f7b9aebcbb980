"""Diagnose systems: metrics by bucket of each feature, and differences between systems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...core.errors import ConfigError, one_of
from ...metrics.significance import DEFAULTS, Settings
from .buckets import QUANTILES, Buckets, Fill, make_buckets
from .combined import ORACLE, common_errors, oracle
from .facts import QUESTIONS, DiagnosisInput, Outcome
from .feature_buckets import feature_buckets, is_useful
from .features import Feature
from .measure import BucketScore, Rows, measure
from .own_features import find_features
from .pairs import ALL, Difference, Pair, compare_pair, corrected
from .xtreme_r import F1_EM, with_mean

TOP = 5
MIN_N = 20
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of a diagnosis; scores are in percent.

    Attributes:
        data: the questions and the systems' outcomes.
        metrics: the metrics, the main one first; none without systems.
        features: the features in their order.
        buckets: system to feature to buckets; they differ between systems only for features of
            systems, such as the rank of the gold passage. Without systems, those of `QUESTIONS`.
        scores: system to feature to scores; `ALL` is the feature of all questions. With two or
            more systems, `ORACLE` is one more system.
        pairs: every pair of systems.
        common_errors: the questions, by index, on which all systems have a main metric of 0.
    """

    data: DiagnosisInput
    settings: Settings
    metrics: tuple[str, ...]
    features: tuple[Feature, ...]
    buckets: Mapping[str, Mapping[str, Buckets]]
    scores: Mapping[str, Mapping[str, Sequence[BucketScore]]]
    pairs: tuple[Pair, ...]
    common_errors: tuple[int, ...]
    min_n: int = MIN_N

    @property
    def metric(self) -> str:
        """The main metric."""
        return self.metrics[0]

    def rows(self) -> list[dict[str, Any]]:
        """A row per system, feature, bucket and metric: `pandas.DataFrame(diagnosis.rows())`."""
        return [
            {
                "system": system,
                "feature": feature,
                "bucket": row.bucket.name,
                "bucket_low": row.bucket.low,
                "bucket_high": row.bucket.high,
                "n": row.n,
                "metric": metric,
                **asdict(estimate),
            }
            for system, by_feature in self.scores.items()
            for feature, scores in by_feature.items()
            for row in scores
            for metric, estimate in row.metrics.items()
        ]

    def best(self, pair: Pair, *, of_a: bool) -> list[Difference]:
        """The five buckets in which a pair's A most beats B, or B most beats A."""
        return pair.best(self.metric, of_a=of_a, count=TOP, min_n=self.min_n)

    def behind(self, pair: Pair, row: Difference, *, count: int = EXAMPLES) -> list[int]:
        """The questions of a bucket, by index, with the largest difference in its direction."""
        buckets = self.buckets[pair.a][row.feature]
        place = next(
            position for position, bucket in enumerate(buckets.buckets) if bucket == row.bucket
        )
        sign = 1 if row.difference > 0 else -1
        gaps = {
            int(index): sign * gap
            for index in np.flatnonzero(buckets.of == place)
            if (gap := self._gap(pair, int(index))) is not None and sign * gap > 0
        }
        return sorted(gaps, key=lambda index: (-gaps[index], index))[:count]

    def _gap(self, pair: Pair, index: int) -> float | None:
        a, b = (self.data.systems[name][index].values for name in (pair.a, pair.b))
        return None if a is None or b is None else a[self.metric] - b[self.metric]


def diagnose_data(
    data: DiagnosisInput,
    *,
    by: Iterable[str] = (),
    quantiles: int = QUANTILES,
    buckets: Fill = "quantiles",
    edges: Mapping[str, Sequence[float]] | None = None,
    metrics: Sequence[str] = (),
    settings: Settings = DEFAULTS,
    min_n: int = MIN_N,
) -> Diagnosis:
    """Diagnose systems over the same questions, or the questions alone.

    Args:
        data: questions and outcomes; without systems, only the buckets are made.
        by: features, as `find_features` names them; by default all that split these questions.
        quantiles: the number of buckets of numbers without edges.
        buckets: how buckets of numbers are filled, and on which side they are closed.
        edges: feature to the edges of its buckets.
        metrics: only these, the main one first; "f1+em" is the mean of F1 and exact match.
        settings: samples, seed, confidence and correction of intervals and tests.
        min_n: the least number of questions in a bucket that is listed among the best.

    Raises:
        ConfigError: for an unknown feature or metric, a feature without any value, or a metric or a
            feature of systems without systems.
        DataError: for a feature of mixed or infinite values.
    """
    by = list(by)
    selected = find_features(by, {name: tuple(row) for name, row in (edges or {}).items()})
    if not data.systems:
        selected = _of_questions(selected, required=bool(by))
    data = with_mean(data) if F1_EM in metrics else data
    shown = _selected_metrics(data, metrics)
    of_feature = {row.name: feature_buckets(row, data, quantiles, buckets) for row in selected}
    features = [row for row in selected if is_useful(row, of_feature[row.name], required=bool(by))]
    by_system = _buckets(data, features, of_feature)
    systems = dict(data.systems)
    if ORACLE in by_system:
        systems[ORACLE] = oracle(data.systems, shown)
    rows = {name: Rows(_values(outcomes, shown)) for name, outcomes in systems.items()}
    scores = {
        system: {
            feature: measure(rows[system], shown, of_system, feature=feature, settings=settings)
            for feature, of_system in by_system[system].items()
        }
        for system in systems
    }
    pairs = [
        compare_pair(a, b, rows, shown, by_system[a], settings)
        for a, b in combinations(data.systems, 2)
    ]
    errors = common_errors(data.systems, shown[0]) if len(data.systems) > 1 else []
    return Diagnosis(
        data,
        settings,
        shown,
        tuple(features),
        by_system,
        scores,
        tuple(corrected(pairs, settings)),
        tuple(errors),
        min_n,
    )


def _buckets(
    data: DiagnosisInput,
    features: Sequence[Feature],
    of_feature: Mapping[str, Mapping[str, Buckets]],
) -> dict[str, dict[str, Buckets]]:
    """System to feature to buckets, and those of the oracle if there are several systems.

    The oracle has the features of questions alone, whose buckets are those of any system.
    """
    everything = make_buckets([ALL] * len(data.questions), feature=ALL)
    buckets = {
        system: {ALL: everything} | {row.name: of_feature[row.name][system] for row in features}
        for system in data.systems or (QUESTIONS,)
    }
    if len(data.systems) > 1:
        first = buckets[next(iter(data.systems))]
        of_questions = [row.name for row in features if row.of_question]
        buckets[ORACLE] = {name: first[name] for name in (ALL, *of_questions)}
    return buckets


def _of_questions(features: Sequence[Feature], *, required: bool) -> list[Feature]:
    """The features that need no predictions."""
    others = [row.name for row in features if not row.of_question]
    if required and others:
        raise ConfigError(f"feature '{others[0]}' is one of systems; it needs predictions")
    return [row for row in features if row.of_question]


def _selected_metrics(data: DiagnosisInput, metrics: Sequence[str]) -> tuple[str, ...]:
    if not data.systems:
        if metrics:
            raise ConfigError(f"the metric {metrics[0]} needs predictions")
        return ()
    shared = data.metrics()
    for metric in metrics:
        if metric not in shared:
            raise ConfigError(f"no metric is called '{metric}'; valid: {one_of(shared)}")
    return tuple(dict.fromkeys(metrics)) or shared


def _values(outcomes: Sequence[Outcome], metrics: Sequence[str]) -> Any:
    nothing = [np.nan] * len(metrics)
    rows = [
        nothing if row.values is None else [100 * row.values[metric] for metric in metrics]
        for row in outcomes
    ]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(metrics))
