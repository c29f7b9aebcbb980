"""What the verbs share of printing: consoles, progress, and tables of scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ..metrics.report import Report

console = Console()
errors = Console(stderr=True)
WIDEST = 9  # columns of scores

Tell = Callable[[str, int, int], None]


@contextmanager
def progress() -> Iterator[Tell]:
    """Bars on a terminal's standard error, one a name, gone when the block ends."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeRemainingColumn())  # fmt: skip
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bars:
        ids: dict[str, int] = {}

        def tell(name: str, done: int, total: int) -> None:
            if name not in ids:
                ids[name] = bars.add_task(name, total=total)
            bars.update(ids[name], completed=done, total=total)  # type: ignore[arg-type]

        yield tell


def score_table(title: str, rows: Mapping[str, Report], *, first: str = "system") -> Table:
    """One task's reports: a row a system and metric, a column a language, the macro last.

    With more languages than a terminal is wide, languages become the rows.
    """
    reports = list(rows.values())
    langs = [*reports[0].per_lang, "macro"]
    metrics = [(system, metric) for system in rows for metric in rows[system].macro]
    values = {
        (system, metric, lang): f"{means[metric]:.1f}"
        for system, report in rows.items()
        for lang, means in {**report.per_lang, "macro": report.macro}.items()
        for metric in means
    }
    table = Table(title=title, title_justify="left")
    if len(langs) > WIDEST:
        table.add_column("language")
        for system, metric in metrics:
            table.add_column(f"{metric}\n{system}" if len(rows) > 1 else metric, justify="right")
        for lang in langs:
            table.add_row(lang, *[values[system, metric, lang] for system, metric in metrics])
        return table
    table.add_column(first)
    table.add_column("metric")
    for lang in langs:
        table.add_column(lang, justify="right")
    for system, report in rows.items():
        for at, metric in enumerate(report.macro):
            cells = [values[system, metric, lang] for lang in langs]
            table.add_row(system if at == 0 else "", metric, *cells)
        table.add_section()
    return table
