"""What `xorqa eval --diff` prints: the questions on which the two scorers of a task disagree."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, islice
from operator import attrgetter

from rich.table import Table
from rich.text import Text

from ..core.progress import quantity
from ..metrics.scorer_differences import Difference
from ..metrics.task import Values
from ..tables.grid import MISSING, Grid
from .options import Tables
from .show import console, print_line

BY_GROUP = attrgetter("reason", "lang")
FIELDS = ("question", "official", "strict", "prediction", "gold", "passage")


def print_differences(task: str, rows: Sequence[Difference], output: Tables, *, limit: int) -> None:
    """Print the number of questions by reason, and `limit` questions per reason and language.

    A file format gets only the questions, a row for each.
    """
    title = f"{task}: official and strict disagree on {quantity(len(rows), 'question')}"
    ordered = sorted(rows, key=BY_GROUP)
    groups = [(key, [*islice(group, limit)]) for key, group in groupby(ordered, key=BY_GROUP)]
    if output.format != "terminal":
        header = ("reason", "language", *FIELDS)
        cells = tuple(tuple((*key, *_cells(row)) for row in shown) for key, shown in groups)
        output.print_grid(Grid(title, header, cells, labels=len(header)))
    elif rows:
        output.print_grid(_counts(title, rows))
        console.print()
        for (reason, lang), shown in groups:
            console.print(Text(f"{reason or 'no reason known'} ({lang})", style="bold"))
            for row in shown:
                _print_question(row)
    else:
        print_line(title)
    if left := len(rows) - sum(len(shown) for _, shown in groups):
        most = f"--limit shows {limit} for each reason and language"
        output.aside(f"{quantity(left, 'question')} of {len(rows)} left out; {most}")


def _counts(title: str, rows: Sequence[Difference]) -> Grid:
    """A row per reason, a column per language."""
    counts = Counter(map(BY_GROUP, rows))
    reasons = Counter(row.reason for row in rows)
    langs = sorted({row.lang for row in rows})
    body = tuple(
        (reason, *(str(counts[reason, lang] or MISSING) for lang in langs), str(total))
        for reason, total in reasons.most_common()
    )
    return Grid(title, ("reason", *langs, "all"), (body,))


def _print_question(row: Difference) -> None:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in zip(FIELDS, _cells(row), strict=True):
        table.add_row(Text(name), Text(text))
    console.print(table)
    console.print()


def _cells(row: Difference) -> tuple[str, ...]:
    prediction = MISSING if row.prediction is None else row.prediction
    if not isinstance(prediction, str):
        prediction = quantity(len(prediction), "passage")
    return (
        row.qid,
        _values(row.official),
        _values(row.strict),
        prediction,
        " | ".join(row.answers),
        row.excerpt() or MISSING,
    )


def _values(values: Values | None) -> str:
    if values is None:
        return "not counted"
    return ", ".join(f"{name} {100 * value:.0f}" for name, value in values.items())
