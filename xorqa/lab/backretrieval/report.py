"""The HTML page: tables, scatter plots, and retrieved examples as pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path

from ...tables.render import render
from ..common.page import html_page
from .evaluate import PREDICTORS, Results, best_first
from .examples import Example
from .images.picture import data_uri
from .plots import scatter
from .sides import Side
from .tables import result_tables

Picture = Callable[[Path], str]
"""A picture's address in the page."""

_SCATTER = (
    "Each number is an encoder. The closer the points are to a rising line, the better the measure "
    "predicts retrieval (XLR) without translations."
)
_EXAMPLES = (
    "A source text, the target text nearest to it, and the source images most similar to that "
    "text's image. The query's own image is framed; the rank is its place."
)


def html_report(
    results: Results,
    sides: tuple[Side, Side],
    examples: Mapping[str, Sequence[Example]],
    *,
    about: Iterable[str] = (),
) -> str:
    """Render the page.

    Args:
        sides: source and target, to which the indices of examples refer.
        examples: by encoder.
        about: introductory sentences.
    """
    source, target = (side.lang for side in sides)
    body = [f"<p>{escape(line)}</p>\n" for line in about]
    body += [
        f'<div class="wide">\n{render(grid, "html")}</div>\n'
        for grid in result_tables(results, source, target)
    ]
    if results.matching:
        plots = "".join(scatter(results, name) for name in PREDICTORS)
        names = "".join(f"<li>{escape(name)}</li>\n" for name in best_first(results))
        body.append(
            f'<h2>Prediction of XLR</h2>\n<p>{_SCATTER}</p>\n<div class="side">\n{plots}'
            f"<ol>\n{names}</ol></div>\n"
        )
    body.append(f"<h2>Examples</h2>\n<p>{_EXAMPLES}</p>\n")
    picture = cache(data_uri)
    for name in best_first(results):
        rows = "".join(_example(row, sides, picture) for row in examples.get(name, ()))
        body.append(f"<details><summary>{escape(name)}</summary>\n{rows}</details>\n")
    title = f"Alignment of {source} with {target}"
    return html_page(title, "".join(body), head=Path(__file__).with_suffix(".html"))


def _example(example: Example, sides: tuple[Side, Side], picture: Picture) -> str:
    source, target = sides
    returned = "".join(
        f'<span class="{"own" if index == example.query else "other"}">'
        f"{_shown(source, index, picture)}</span>"
        for index in example.returned
    )
    texts = (
        f'<bdi lang="{escape(side.lang)}">{escape(side.rows[index].text)}</bdi>'
        for side, index in ((source, example.query), (target, example.retrieved))
    )
    query, retrieved = texts
    return (
        f'<div class="example"><span>{_shown(source, example.query, picture)} {query}</span> → '
        f"<span>{_shown(target, example.retrieved, picture)} {retrieved}</span> → {returned} "
        f"rank {example.rank}</div>\n"
    )


def _shown(side: Side, index: int, picture: Picture) -> str:
    """The picture of a caption; its id if it has none."""
    path, title = side.pictures[index], escape(side.rows[index].text)
    if path is None:
        return f'<bdi title="{title}">{escape(side.rows[index].id)}</bdi>'
    return f'<img src="{picture(path)}" alt="" title="{title}">'
