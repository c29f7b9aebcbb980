"""A system's results on one board, and checks of their values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.errors import DataError, one_of
from ...core.progress import quantity
from ...metrics.report import Score
from .boards import Board
from .metadata import ByLang

MEAN = "mean"
"""The key of the mean over languages, beside the codes of languages."""


@dataclass(frozen=True, slots=True)
class Result:
    """A system's results on one board.

    Attributes:
        values: scorer to language or `MEAN` to measure to value, in percent.
        n: the number of questions, by scorer.
        questions: the scores of each question, by scorer, if a file has them.
        table: where a paper has the values.
        notes: what the paper leaves open or contradicts, and what is computed.
        parts: the keys of the results that it is computed from.
        stated: the languages that a mean without values by language is over.
    """

    board: Board
    data: str
    values: Mapping[str, ByLang]
    n: Mapping[str, int] = field(default_factory=dict)
    questions: Mapping[str, Sequence[Score]] = field(default_factory=dict)
    table: str = ""
    notes: str = ""
    parts: tuple[object, ...] = ()
    stated: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """What rows that are ranked together share: questions, and languages of the mean."""
        return (self.data, self.languages, self.parts)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the mean is over, sorted."""
        langs = {key for row in self.values.values() for key in row} - {MEAN}
        return tuple(sorted(langs or self.stated))

    @property
    def group(self) -> str:
        """The questions and the languages of the mean: rows are ranked within it."""
        langs = len(self.languages)
        return f"{self.data}, {quantity(langs, 'language')}" if langs else self.data


def measures_of_board(values: ByLang, board: Board) -> ByLang:
    """The values of the board's measures.

    Raises:
        DataError: if one is missing.
    """
    for row in values.values():
        if missing := set(board.measure_names) - set(row):
            raise DataError(f"{board.name} needs {one_of(missing)}; found: {one_of(row)}")
    return {key: {name: row[name] for name in board.measure_names} for key, row in values.items()}


def valid_values(values: Mapping[str, Mapping[str, Any]], board: Board) -> ByLang:
    """Values that are numbers from 0 to 100; a measure may be missing.

    Raises:
        DataError: for any other value, or if there is no mean of the main measure.
    """
    for key, row in values.items():
        for measure, value in row.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise DataError(f"{board.name}: {key} {measure} is no number: {value!r:.60}")
            if not 0 <= value <= 100:
                raise DataError(f"{board.name}: {key} {measure} must be in percent, not {value}")
    if board.main not in values.get(MEAN, {}):
        raise DataError(f"{board.name}: there is no mean of {board.main}")
    return {
        key: {name: float(row[name]) for name in board.measure_names if name in row}
        for key, row in values.items()
    }


def with_mean(values: ByLang) -> ByLang:
    """The values, with the mean over their languages if they have none."""
    if MEAN in values or not values:
        return values
    shared = [
        name for name in next(iter(values.values())) if all(name in r for r in values.values())
    ]
    mean = {name: sum(row[name] for row in values.values()) / len(values) for name in shared}
    return {**values, MEAN: mean}
