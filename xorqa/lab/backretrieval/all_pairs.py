"""Encoders over all directed pairs of several languages: means, spread and worst pairs.

Fain et al. 2021, section 3.2: table 2 has BkR averaged over the pairs, figure 3 its box plot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from ...core.progress import TaskProgress, silent
from .encoders import TextEncoder
from .evaluate import Results, evaluate, to_json
from .pair_tests import pair_tests, tests_to_json
from .sampling import Sampler
from .sides import SidesByLang

MEASURES = ("BkR", "XLR")

Pair = tuple[str, str]
"""Source and target language."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A measure of an encoder over the pairs.

    Attributes:
        quartiles: the least value, the quartiles and the greatest value.
        deviation: the standard deviation over the pairs.
        by_pair: the value of each pair.
    """

    mean: float
    deviation: float
    quartiles: tuple[float, ...]
    by_pair: Mapping[Pair, float]

    @property
    def worst(self) -> Pair:
        """The pair with the least value."""
        return min(self.by_pair, key=self.by_pair.__getitem__)


def evaluate_pairs(
    encoders: Mapping[str, TextEncoder],
    sides: SidesByLang,
    *,
    texts: int | None,
    evaluate: Callable[..., Results] = evaluate,
    progress: TaskProgress = silent,
) -> dict[Pair, Results]:
    """The results of each directed pair of languages.

    Args:
        encoders: by name.
        texts: texts on each side of a sample; default: see `Sampler`.
        evaluate: `evaluate.evaluate` with its options.
    """
    pairs = list(permutations(sides[0], 2))
    results = {}
    for done, (source, target) in enumerate(pairs, 1):
        first, second = sides[0][source], sides[1][target]
        results[source, target] = evaluate(
            {name: encode(first.texts, second.texts) for name, encode in encoders.items()},
            (first.images, second.images),
            Sampler(first.ids, second.ids, texts),
        )
        progress("pairs", done, len(pairs))
    return results


def spreads(results: Mapping[Pair, Results], measure: str) -> dict[str, Spread]:
    """By encoder, a measure over the pairs; empty if a pair has none."""
    values: dict[str, dict[Pair, float]] = {}
    for pair, of_pair in results.items():
        for name, row in of_pair.values.items():
            if measure not in row:
                return {}
            values.setdefault(name, {})[pair] = float(row[measure].mean())
    return {name: _spread(by_pair) for name, by_pair in values.items()}


def chance(results: Mapping[Pair, Results], measure: str) -> float:
    """The mean of k/N over the pairs."""
    sizes = [result.n if measure == "BkR" else result.matching for result in results.values()]
    k = next(iter(results.values())).k
    return float(np.mean([k / size for size in sizes]))


def pairs_to_json(results: Mapping[Pair, Results]) -> dict[str, Any]:
    """The results of each pair as JSON, and the spread of each encoder: shares from 0 to 1."""
    summary: dict[str, dict[str, Any]] = {}
    for measure in MEASURES:
        for name, spread in spreads(results, measure).items():
            summary.setdefault(name, {})[measure] = {
                "mean": spread.mean,
                "deviation": spread.deviation,
                "quartiles": spread.quartiles,
                "worst": "-".join(spread.worst),
            }
    return {
        "random": chance(results, "BkR"),
        "encoders": summary,
        "differences": tests_to_json(pair_tests(results)),
        "pairs": [to_json(result, *pair) for pair, result in results.items()],
    }


def _spread(by_pair: Mapping[Pair, float]) -> Spread:
    values = np.array(list(by_pair.values()))
    return Spread(
        float(values.mean()),
        float(values.std(ddof=1)) if len(values) > 1 else 0.0,
        tuple(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()),
        by_pair,
    )
