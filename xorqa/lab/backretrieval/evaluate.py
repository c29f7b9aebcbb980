"""BkR, CORR and XLR of several encoders, and how well BkR and CORR predict XLR."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...core.progress import TaskProgress, silent
from ...metrics.resampling import p_randomisation, randomise
from ...models.towers import units
from .distances import DistanceCorrelation, pearson, spearman
from .measures import Floats, Similarity, back_ranks, cosine, cross_lingual_ranks, recall
from .over_encoders import interval, resampled_correlations
from .sampling import Sample, Sampler, mean_and_error

MEASURES = ("BkR", "CORR", "XLR")
PREDICTORS = ("BkR", "CORR")
DIFFERENCE = "BkR - CORR"
CORRELATIONS = {"pearson": pearson, "spearman": spearman}
FEWEST_ENCODERS = 3  # two points always lie on a line
_RESAMPLES = 10_000

Sides = tuple[Floats, Floats]
"""Vectors of all source texts or images, and of all target texts or images."""

Seeds = NDArray[np.float64]
"""A value per seed."""


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The values of each encoder and seed.

    Attributes:
        n, k: texts a side, and the k of Recall@k.
        matching: texts a side for XLR, 0 if it cannot be measured.
        values: encoder to measure to a value per seed; XLR is left out if it cannot be measured,
            and there may be text-only proxies (`text_proxies`), the same for every seed.
        errors: encoder to the mean standard error of CORR from sampling pairs, 0 if it is exact.
    """

    n: int
    k: int
    matching: int
    values: Mapping[str, Mapping[str, Seeds]]
    errors: Mapping[str, float]

    def correlation(self) -> dict[str, dict[str, float | None]]:
        """Correlation of each predictor with XLR over encoders: means over seeds, and errors.

        Empty if there is no XLR or there are fewer than three encoders.
        """
        table: dict[str, dict[str, float | None]] = {}
        for name, by_kind in self._by_seed().items():
            row = table.setdefault(name, {})
            for kind, values in by_kind.items():
                row[kind], row[f"{kind} error"] = mean_and_error(values)
        return table

    def intervals(self) -> dict[str, dict[str, tuple[float, float]]]:
        """By predictor and kind, the 95 % interval of its correlation over encoders.

        A bootstrap of the encoders (`over_encoders`), while the errors of `correlation` are those
        of the samples; `DIFFERENCE` is that of two predictors. Empty with too few encoders.
        """
        by_measure = self._by_measure()
        xlr = by_measure.pop("XLR", None)
        if xlr is None:
            return {}
        resampled = {
            name: resampled_correlations(values, xlr) for name, values in by_measure.items()
        }
        bkr, corr = (resampled[name] for name in PREDICTORS)
        resampled[DIFFERENCE] = {kind: bkr[kind] - corr[kind] for kind in bkr}
        return {
            name: {kind: interval(values) for kind, values in by_kind.items()}
            for name, by_kind in resampled.items()
            if by_kind
        }

    def p_values(self) -> dict[str, float]:
        """By kind of correlation, a two-sided p of BkR's against CORR's, paired by seed.

        Approximate randomisation over the seeds (Noreen 1989), for these encoders.
        """
        by_seed = self._by_seed()
        if not by_seed or self.seeds < 2:
            return {}
        return {kind: _p(by_seed["BkR"][kind] - by_seed["CORR"][kind]) for kind in CORRELATIONS}

    @property
    def seeds(self) -> int:
        """The number of samples."""
        return len(next(iter(self.values.values()))["BkR"])

    def _by_seed(self) -> dict[str, dict[str, Seeds]]:
        """By predictor and kind, the correlation of each seed."""
        by_measure = self._by_measure()
        xlr = by_measure.pop("XLR", None)
        if xlr is None:
            return {}
        return {
            name: {
                kind: np.array([function(*pair) for pair in zip(values, xlr, strict=True)])
                for kind, function in CORRELATIONS.items()
            }
            for name, values in by_measure.items()
        }

    def _by_measure(self) -> dict[str, Seeds]:
        """By measure, a value per seed and encoder; empty if nothing can be correlated."""
        if not self.matching or len(self.values) < FEWEST_ENCODERS:
            return {}
        return {
            name: np.stack([row[name] for row in self.values.values()], axis=1)
            for name in self.measures
        }

    @property
    def measures(self) -> list[str]:
        """The measures of every encoder."""
        return list(next(iter(self.values.values())))


def evaluate(
    encoders: Mapping[str, Sides],
    images: Sides,
    sampler: Sampler,
    *,
    seeds: int = 25,
    k: int = 10,
    similarity: Callable[[Floats, Floats], Similarity] = cosine,
    noise: float = 0.0,
    proxies: Mapping[str, Mapping[str, float]] | None = None,
    progress: TaskProgress = silent,
) -> Results:
    """Measure every encoder on the same samples, one per seed.

    Args:
        encoders: by name, the vectors of all texts.
        images: those of their images.
        similarity: of texts, for BkR and XLR; CORR is defined on cosines.
        noise: share of noise in the images' vectors, drawn for each sample (`add_noise`).
        proxies: encoder to text-only proxies, which are compared with BkR.

    Raises:
        DataError: if there are at most k texts a side.
    """
    if sampler.n <= k:
        raise DataError(f"Recall@{k} needs more than {k} texts a side; the data has {sampler.n}")
    with_xlr = sampler.matching > k
    names = MEASURES if with_xlr else PREDICTORS
    values = {encoder: {name: np.empty(seeds) for name in names} for encoder in encoders}
    errors = {encoder: np.empty(seeds) for encoder in encoders}
    for seed in range(seeds):
        stream = stream_of(seed)
        apart = sampler.draw_non_matching(stream)
        paired = sampler.draw_matching(stream)
        of_source, of_target = add_noise(_drawn(images, apart), noise, seed)
        back = cosine(of_target, of_source)
        correlate = DistanceCorrelation(back, len(apart), stream)
        for encoder, sides in encoders.items():
            row = values[encoder]
            texts = similarity(*_drawn(sides, apart))
            row["BkR"][seed] = recall(back_ranks(texts, back, len(apart)), k)
            cosines = texts if similarity is cosine else cosine(*_drawn(sides, apart))
            row["CORR"][seed], errors[encoder][seed] = correlate(cosines)
            if with_xlr:
                ranks = cross_lingual_ranks(similarity(*_drawn(sides, paired)), len(paired))
                row["XLR"][seed] = recall(ranks, k)
        progress("measuring", seed + 1, seeds)
    for encoder, constants in (proxies or {}).items():
        values[encoder] |= {name: np.full(seeds, value) for name, value in constants.items()}
    mean_errors = {encoder: float(error.mean()) for encoder, error in errors.items()}
    return Results(sampler.n, k, sampler.matching if with_xlr else 0, values, mean_errors)


def add_noise(images: Sides, share: float, seed: int) -> Sides:
    """Vectors of unit length with a share of their squared length from a random direction."""
    if not share:
        return images
    stream = np.random.default_rng([seed, *b"noise"])

    def noisy(vectors: Floats) -> Floats:
        random = units(stream.standard_normal(vectors.shape))
        mixed: Floats = np.sqrt(1 - share) * units(vectors) + np.sqrt(share) * random
        return mixed.astype(np.float32)

    return noisy(images[0]), noisy(images[1])


def stream_of(seed: int) -> np.random.Generator:
    """The random stream of a seed; its first draw is the non-matching sample."""
    return np.random.default_rng([seed, *b"backretrieval"])


def to_json(results: Results, source: str, target: str) -> dict[str, Any]:
    """The results as JSON: shares from 0 to 1, standard errors beside them."""
    return {
        "source": source,
        "target": target,
        "n": results.n,
        "n XLR": results.matching,
        "k": results.k,
        "seeds": results.seeds,
        "encoders": {
            encoder: _encoder_row(row) | {"CORR pair error": results.errors[encoder]}
            for encoder, row in results.values.items()
        },
        "correlation": _correlation_rows(results) | {"p": results.p_values()},
    }


def _correlation_rows(results: Results) -> dict[str, dict[str, Any]]:
    """Correlations with their errors over seeds and intervals over encoders."""
    rows: dict[str, dict[str, Any]] = {**results.correlation()}
    for name, by_kind in results.intervals().items():
        intervals = {f"{kind} interval": bounds for kind, bounds in by_kind.items()}
        rows[name] = {**rows.get(name, {}), **intervals}
    return rows


def _encoder_row(row: Mapping[str, Seeds]) -> dict[str, float | None]:
    """Means and their standard errors; XLR is None if it cannot be measured."""
    values: dict[str, float | None] = {}
    for name in dict.fromkeys([*MEASURES, *row]):
        mean, error = mean_and_error(row[name]) if name in row else (None, None)
        values |= {name: mean, f"{name} error": error}
    return values


def _drawn(sides: Sides, sample: Sample) -> Sides:
    return sides[0][sample.source], sides[1][sample.target]


def _p(differences: Seeds) -> float:
    rows = {"": differences[:, None]}
    null = randomise(rows, samples=_RESAMPLES, seed=1)[""][:, 0]
    return p_randomisation(null, float(differences.mean()))


def best_first(results: Results) -> Sequence[str]:
    """The encoders by mean BkR, highest first."""
    means = {encoder: row["BkR"].mean() for encoder, row in results.values.items()}
    return sorted(means, key=lambda encoder: -means[encoder])
