"""Several systems together: errors common to all, and the oracle that combines them."""

from collections.abc import Mapping, Sequence

from .facts import Outcome

ORACLE = "oracle"


def common_errors(systems: Mapping[str, Sequence[Outcome]], metric: str) -> list[int]:
    """The questions, by index, that all systems count and for which all have a metric of 0."""
    rows = zip(*systems.values(), strict=True)
    return [
        index
        for index, row in enumerate(rows)
        if all(outcome.values is not None and outcome.values[metric] == 0 for outcome in row)
    ]


def oracle(systems: Mapping[str, Sequence[Outcome]], metrics: Sequence[str]) -> list[Outcome]:
    """The best outcome of each question, by the metrics in their order; ties go to the first.

    A system that does not count the question counts as the worst.
    """

    def key(outcome: Outcome) -> list[float]:
        values = outcome.values
        return [-1.0] if values is None else [values[metric] for metric in metrics]

    return [max(row, key=key) for row in zip(*systems.values(), strict=True)]
