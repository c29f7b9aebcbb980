"""The results over all pairs of languages as tables and as an HTML page with box plots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from ...tables.grid import Grid
from ...tables.render import render
from ..common.page import html_page
from .all_pairs import MEASURES, Pair, Spread, chance, spreads
from .evaluate import Results
from .pair_tests import difference_grid, pair_tests
from .plots import box_plot

_CAPTION = (
    "{measure} x 1000 over the {pairs} directed pairs: mean, standard deviation, worst pair, least "
    "value, quartiles and greatest value; each pair is the mean of {seeds} samples. Random: "
    "{chance:.1f}."
)
_HEADER = ("encoder", "mean", "SD", "worst", "least", "Q1", "median", "Q3", "greatest")


def pair_tables(results: Mapping[Pair, Results]) -> list[Grid]:
    """A table per measure, with a row per encoder, and the tests of their differences."""
    seeds = next(iter(results.values())).seeds
    grids = []
    for measure in MEASURES:
        rows = tuple(_row(name, spread) for name, spread in spreads(results, measure).items())
        if rows:
            random = 1000 * chance(results, measure)
            caption = _CAPTION.format(
                measure=measure, pairs=len(results), seeds=seeds, chance=random
            )
            grids.append(Grid(f"{measure} over pairs", _HEADER, (rows,), caption, fixed=True))
    if tests := pair_tests(results):
        grids.append(difference_grid(tests, len(results)))
    return grids


def pair_report(results: Mapping[Pair, Results], about: Iterable[str] = ()) -> str:
    """The page: tables, and a box plot per measure."""
    body = [f"<p>{escape(line)}</p>\n" for line in about]
    body += [f'<div class="wide">\n{render(grid, "html")}</div>\n' for grid in pair_tables(results)]
    body.append('<h2>Box plots</h2>\n<div class="side">\n')
    for measure in MEASURES:
        if boxes := spreads(results, measure):
            body.append(box_plot(boxes, f"{measure} over the pairs", chance(results, measure)))
    body.append("</div>\n")
    langs = sorted({lang for pair in results for lang in pair})
    head = Path(__file__).with_name("report.html")
    return html_page(f"Alignment of {', '.join(langs)}", "".join(body), head=head)


def _row(name: str, spread: Spread) -> tuple[str, ...]:
    least, *rest = (f"{1000 * value:.1f}" for value in spread.quartiles)
    moments = (f"{1000 * value:.1f}" for value in (spread.mean, spread.deviation))
    return name, *moments, "-".join(spread.worst), least, *rest
