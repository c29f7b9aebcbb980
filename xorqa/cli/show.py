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

Tell = Callable[[str, int, int], None]


@contextmanager
def progress() -> Iterator[Tell]:
    """Bars on standard error, one a name, gone when the block ends."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeRemainingColumn())  # fmt: skip
    with Progress(*columns, console=errors, transient=True) as bars:
        ids: dict[str, int] = {}

        def tell(name: str, done: int, total: int) -> None:
            if name not in ids:
                ids[name] = bars.add_task(name, total=total)
            bars.update(ids[name], completed=done, total=total)  # type: ignore[arg-type]

        yield tell


def score_table(title: str, rows: Mapping[str, Report], *, first: str = "system") -> Table:
    """One task's reports: a row a system and metric, a column a language, the macro last."""
    reports = list(rows.values())
    langs = list(reports[0].per_lang)
    table = Table(title=title, title_justify="left")
    table.add_column(first)
    table.add_column("metric")
    for name in [*langs, "macro"]:
        table.add_column(name, justify="right")
    for system, report in rows.items():
        for at, metric in enumerate(report.macro):
            values = [report.per_lang[lang][metric] for lang in langs] + [report.macro[metric]]
            cells = [f"{value:.1f}" for value in values]
            table.add_row(system if at == 0 else "", metric, *cells)
        table.add_section()
    return table
