"""The agreement of two judges who each decide which answers are right."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """`accuracy`: the share of the `n` equal verdicts, None without verdicts; `kappa`: Cohen's.

    Kappa is None if either side has verdicts of one class only: it is then 0 or undefined, however
    often the two agree.
    """

    n: int
    accuracy: float | None
    kappa: float | None


def agreement(verdicts: Sequence[bool], reference: Sequence[bool]) -> Agreement:
    """Compare two verdicts on each answer; both figures are symmetric (Cohen 1960)."""
    equal = sum(a == b for a, b in zip(verdicts, reference, strict=True))
    n, right, expected = len(verdicts), sum(verdicts), sum(reference)
    if not n:
        return Agreement(0, None, None)
    if right in (0, n) or expected in (0, n):
        return Agreement(n, equal / n, None)
    chance = right * expected + (n - right) * (n - expected)  # times n * n
    return Agreement(n, equal / n, (n * equal - chance) / (n * n - chance))
