"""How well a confidence separates right answers from wrong ones, and questions without an answer.

The risk-coverage curve (El-Yaniv and Wiener 2010) has the risk, the mean error of the questions
that are answered, at each coverage, the share of questions that are answered, most confident first.
The two rates are those of NoMIRACL (Thakur et al. 2024).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from .measure import Measure

RATES = tuple(
    Measure(name, label, higher_is_better=False, citation="Thakur et al. 2024")
    for name, label in (
        ("hallucination_rate", "Hallucination rate"),
        ("error_rate", "Error rate"),
    )
)
"""The fields of `Abstention`."""


@dataclass(frozen=True, slots=True)
class Abstention:
    """`hallucination_rate`: the share of unanswerable questions that are answered; `error_rate`:
    the share of answerable questions that are not. None without such questions.
    """

    hallucination_rate: float | None
    error_rate: float | None


def risk_coverage(
    confidences: Sequence[float], errors: Sequence[float]
) -> list[tuple[float, float]]:
    """(coverage, risk) for each threshold; questions of equal confidence are answered together.

    `errors` are from 0 (right) to 1 (wrong).
    """
    points, done, total = [], 0, 0.0
    for block in _blocks(confidences, errors):
        done, total = done + len(block), total + math.fsum(block)
        points.append((done / len(errors), total / done))
    return points


def risk_coverage_area(confidences: Sequence[float], errors: Sequence[float]) -> float:
    """The mean risk over all coverages 1/n, 2/n, ..., 1; lower is better, NaN without questions.

    Within a block of equal confidence the errors are spread evenly, so that the order of the
    questions does not matter.
    """
    risks: list[float] = []
    total = 0.0
    for block in _blocks(confidences, errors):
        mean = math.fsum(block) / len(block)
        done = len(risks)
        risks += [(total + rank * mean) / (done + rank) for rank in range(1, len(block) + 1)]
        total += math.fsum(block)
    return math.fsum(risks) / len(risks) if risks else math.nan


def abstention(answered: Sequence[bool], answerable: Sequence[bool]) -> Abstention:
    """NoMIRACL's two rates, from 0 to 1."""
    pairs = list(zip(answered, answerable, strict=True))
    return Abstention(
        _share([given for given, can in pairs if not can]),
        _share([not given for given, can in pairs if can]),
    )


def _blocks(confidences: Sequence[float], errors: Sequence[float]) -> list[list[float]]:
    """The errors of the questions of equal confidence, most confident first."""
    pairs = sorted(zip(confidences, errors, strict=True), key=lambda pair: -pair[0])
    return [[error for _, error in block] for _, block in groupby(pairs, key=lambda pair: pair[0])]


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None
