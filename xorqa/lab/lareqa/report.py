"""LAReQA's report on one or more encoders: a self-contained HTML page."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from ...core.lang import LANGUAGES
from ...tables.render import render
from ..common.page import html_page
from ..common.svg import heatmap
from .evaluate import EncoderResult
from .plots import bars, scatter
from .tables import result_tables

_HEAT = (
    "mAP in percent with only the right sentence in the column's language and all wrong sentences "
    "in the pool; a dark diagonal means that the encoder retrieves little outside the question's "
    "own language (after Roy et al. 2020). Each map has its own scale."
)
_TOP = (
    "The top 100 candidates by language, the question's own in colour; without language bias "
    "its share is about that of the others, {chance:.1f} % (after Roy et al. 2020). "
    "Hover over a bar to see its language."
)
_POINTS = (
    "Vectors of two languages on their first two principal components. If languages, or questions "
    "and candidates, form separate clusters, language or side dominates the meaning (after Roy "
    "et al. 2020)."
)


def html_report(
    pool: str, langs: Sequence[str], results: Sequence[EncoderResult], *, about: Iterable[str] = ()
) -> str:
    """Render the page.

    Args:
        pool: the pool's name.
        langs: its languages.
        results: at least one.
        about: introductory sentences about the pool and how to use the results.
    """
    body = [f"<p>{escape(line)}</p>\n" for line in about]
    body += [
        f'<div class="wide">\n{render(grid, "html")}</div>\n'
        for grid in result_tables(results, langs, name=_name)
    ]
    maps = {result.name: _heat(result) for result in results}
    body.append(_section("mAP by question and answer language", _HEAT, maps))
    top = {
        result.name: bars("Languages of the top 100", result.measures.top, name=_name)
        for result in results
    }
    caption = _TOP.format(chance=100 / len(langs))
    body.append(_section("Languages of the top 100 candidates", caption, top))
    scatters = {
        result.name: scatter("Two principal components", result.points, name=_name)
        for result in results
        if result.points
    }
    if scatters:
        body.append(_section("Principal components", _POINTS, scatters))
    head = Path(__file__).with_suffix(".html")
    return html_page(f"Language bias on {pool}", "".join(body), head=head)


def _name(lang: str) -> str:
    return LANGUAGES[lang].name if lang in LANGUAGES else lang


def _heat(result: EncoderResult) -> str:
    rows = result.measures.one_target
    columns = sorted({answer for row in rows.values() for answer in row})
    values = [
        [100 * row[lang] if lang in row else None for lang in columns] for row in rows.values()
    ]
    row_names, column_names = [*map(_name, rows)], [*map(_name, columns)]
    axes = ("question", "right sentence")
    return heatmap("mAP of one right sentence", row_names, column_names, values, axes=axes)


def _section(title: str, caption: str, pictures: Mapping[str, str]) -> str:
    figures = "".join(
        f"<figure>\n<figcaption>{escape(name)}</figcaption>\n{picture}</figure>\n"
        for name, picture in pictures.items()
    )
    return (
        f'<h2>{escape(title)}</h2>\n<p>{escape(caption)}</p>\n<div class="side">\n{figures}</div>\n'
    )
