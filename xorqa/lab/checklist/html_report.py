"""The report: a self-contained HTML page, with the failing examples of every cell."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from ...core.progress import quantity
from ...tables.grid import Grid
from ..common.page import html_page
from .results import ALL, Failure, Outcome

MAX_SHOWN = 12  # failing cases per cell


def html_report(title: str, grids: Sequence[Grid], systems: Mapping[str, Sequence[Outcome]]) -> str:
    """Render the tables, then each system's failing examples by language and test.

    Cells of a table titled with a system's name link to its examples.
    """
    tables = "".join(
        _table(grid, list(systems).index(grid.title) if grid.title in systems else -1)
        for grid in grids
    )
    cells = "".join(
        f"<h2>Failing examples: {escape(name)}</h2>\n{_cells(outcomes, number)}"
        for number, (name, outcomes) in enumerate(systems.items())
    )
    return html_page(title, tables + cells, head=Path(__file__).with_suffix(".html"))


def _cells(outcomes: Sequence[Outcome], system: int) -> str:
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.lang, outcome.test), []).append(outcome)
    return "".join(_cell(lang, test, group, system) for (lang, test), group in groups.items())


def _cell(lang: str, test: str, outcomes: Sequence[Outcome], system: int) -> str:
    failed = [outcome for outcome in outcomes if outcome.failures]
    if not failed:
        return ""
    more = f"<p>and {len(failed) - MAX_SHOWN} more</p>\n" if len(failed) > MAX_SHOWN else ""
    shown = "".join(_example(outcome.failures[0], lang) for outcome in failed[:MAX_SHOWN])
    return (
        f'<details id="{_anchor(system, lang, test)}"><summary>{escape(lang)}, {escape(test)}: '
        f"{len(failed)} of {quantity(len(outcomes), 'case')}</summary>\n{shown}{more}</details>\n"
    )


def _example(failure: Failure, lang: str) -> str:
    answers = " / ".join(failure.answers)
    predicted = failure.prediction or "(nothing)"
    note = " (right, but in the context's language)" if failure.foreign else ""
    return (
        f'<blockquote><div dir="auto">{escape(failure.context)}</div>'
        f'<div dir="auto" lang="{escape(lang)}"><b>{escape(failure.question)}</b></div>'
        f'<div>expected <bdi class="right">{escape(answers)}</bdi>, '
        f'answered <bdi class="wrong">{escape(predicted)}</bdi>{note}</div></blockquote>\n'
    )


def _table(grid: Grid, system: int) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.header)
    rows = "".join(
        f"<tr>{''.join(_value(cell, row[0], name, system) for name, cell in cells)}</tr>\n"
        for group in grid.rows
        for row in group
        for cells in [list(zip(grid.header, row, strict=True))]
    )
    return (
        f"<h2>{escape(grid.title)}</h2>\n<p>{escape(grid.caption)}</p>\n"
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


def _value(cell: str, lang: str, column: str, system: int) -> str:
    """A cell; in an error grid, shaded and linked to its failing examples."""
    try:
        share = float(cell) / 100
    except ValueError:
        return f"<td>{escape(cell)}</td>"
    if system < 0:
        return f"<td>{escape(cell)}</td>"
    linked = share and ALL not in (lang, column)
    text = f'<a href="#{_anchor(system, lang, column)}">{cell}</a>' if linked else cell
    return f'<td style="background: rgba(var(--heat), {0.6 * share:.2f})">{text}</td>'


def _anchor(system: int, lang: str, test: str) -> str:
    return escape(f"s{system}-{lang}-{test}".replace(" ", "-").replace(":", ""))
