"""The questions on which two scorers disagree, grouped by reason and language."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, islice

from rich.table import Table
from rich.text import Text

from ...core.quantity import quantity
from ...metrics.scorer_differences import Difference
from ...metrics.task import Values
from ...tables.grid import MISSING, Grid
from ..show import aside, console, print_grid, print_line

DEFAULT_LIMIT = 3
FIELDS = ("question", "official", "strict", "prediction", "gold", "passage")

Group = tuple[tuple[str, str], list[Difference]]
"""A reason and a language, and the questions shown."""


def print_differences(
    task: str, rows: Sequence[Difference], limit: int, format: str, *, wide: bool
) -> None:
    """Print the number of questions by reason, and `limit` questions per reason and language.

    A file format gets only the questions, a row for each.
    """
    title = f"{task}: official and strict disagree on {quantity(len(rows), 'question')}"
    ordered = sorted(rows, key=_group)
    groups = [(key, [*islice(group, limit)]) for key, group in groupby(ordered, key=_group)]
    if format == "terminal" and rows:
        print_grid(_counts(title, rows), wide=wide)
        console.print()
        for group in groups:
            _print_group(group)
    elif format == "terminal":
        print_line(title)
    else:
        print_grid(_questions(title, groups), format)
    if left := len(rows) - sum(len(shown) for _, shown in groups):
        most = f"--limit shows {limit} for each reason and language"
        aside(format, f"{quantity(left, 'question')} of {len(rows)} left out; {most}")


def _group(row: Difference) -> tuple[str, str]:
    return row.reason, row.lang


def _counts(title: str, rows: Sequence[Difference]) -> Grid:
    """A row per reason, a column per language."""
    counts = Counter(map(_group, rows))
    reasons = Counter(row.reason for row in rows)
    langs = sorted({row.lang for row in rows})
    body = tuple(
        (reason, *(str(counts[reason, lang] or MISSING) for lang in langs), str(total))
        for reason, total in reasons.most_common()
    )
    return Grid(title, ("reason", *langs, "all"), (body,))


def _print_group(group: Group) -> None:
    (reason, lang), rows = group
    console.print(Text(f"{reason or 'no reason known'} ({lang})", style="bold"))
    for row in rows:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for name, text in zip(FIELDS, _cells(row), strict=True):
            table.add_row(Text(name), Text(text))
        console.print(table)
        console.print()


def _questions(title: str, groups: Sequence[Group]) -> Grid:
    header = ("reason", "language", *FIELDS)
    rows = tuple(tuple((*key, *_cells(row)) for row in shown) for key, shown in groups)
    return Grid(title, header, rows, labels=len(header))


def _cells(row: Difference) -> tuple[str, ...]:
    return (
        row.qid,
        _values(row.official),
        _values(row.strict),
        _prediction(row),
        " | ".join(row.answers),
        row.excerpt() or MISSING,
    )


def _prediction(row: Difference) -> str:
    if row.prediction is None:
        return MISSING
    if isinstance(row.prediction, str):
        return row.prediction
    return quantity(len(row.prediction), "passage")


def _values(values: Values | None) -> str:
    if values is None:
        return "not counted"
    return ", ".join(f"{name} {100 * value:.0f}" for name, value in values.items())
