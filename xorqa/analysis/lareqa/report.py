"""LAReQA's report on result or more encoders: a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from string import Template

from ...core.lang import LANGUAGES
from ...tables.heatmap import heatmap
from ...tables.render import render
from .evaluate import EncoderResult
from .plots import bars, scatter
from .tables import result_tables

_HEAT = (
    "mAP in percent with only the right sentence in the column's language and all wrong sentences "
    "in the pool; a dark diagonal means that the encoder retrieves little outside the question's "
    "own language (Roy et al. 2020, Figure 4). Each map has its own scale."
)
_TOP = (
    "The top 100 candidates by language, the question's own in colour; without language bias "
    "its share is about that of the others, {chance:.1f} % (Roy et al. 2020, Figure 6). "
    "Hover over a bar to see its language."
)
_POINTS = (
    "Vectors of two languages on their first two principal components. If languages, or questions "
    "and candidates, form separate clusters, language or side dominates the meaning (Roy et al. "
    "2020, Figure 5)."
)

_PAGE = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fff; --line: #d0d0d5; --dim: #5c5c63;
  --c0: #0b62c4; --c1: #c2410c; --other0: #c9c9d0; --other1: #b0b0b8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --paper: #161618; --line: #3c3c42;
  --dim: #a0a0a8; --c0: #6cb0ff; --c1: #ff9a5c; --other0: #4a4a52; --other1: #5e5e68; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2, caption { font-size: 1.15rem; font-weight: bold; margin-top: 2.5rem; }
caption { text-align: start; white-space: nowrap; } .wide { margin-top: 2.5rem; }
p { max-width: 46rem; } p, figcaption { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
.side { display: flex; flex-wrap: wrap; gap: 1.5rem; } figure { margin: 0; }
svg { max-width: 100%; height: auto; }
.bars text, .scatter text { fill: currentColor; }
.bars { font-size: 13px; } .bars .label { text-anchor: end; } .own { fill: var(--c0); }
.other0 { fill: var(--other0); } .other1 { fill: var(--other1); }
.scatter { font-size: 32px; } .scatter path { fill: none; stroke-linecap: round; opacity: .6; }
.scatter .query { stroke-width: 4; } .scatter .passage { stroke-width: 11; }
.scatter .c0 { stroke: var(--c0); } .scatter .c1 { stroke: var(--c1); }
</style>
</head>
<body>
<h1>$title</h1>
$about$body</body>
</html>
""")


def html_report(
    pool: str, langs: Sequence[str], results: Sequence[EncoderResult], *, about: Iterable[str] = ()
) -> str:
    """Render the page.

    Args:
        pool: the pool's name.
        langs: its languages.
        results: at least one.
        about: introductory sentences, on the pool and how to use its results.
    """
    body = [
        f'<div class="wide">\n{render(grid, "html")}</div>\n'
        for grid in result_tables(results, langs, name=_name)
    ]
    body.append(
        _section(
            "mAP by question and answer language",
            _HEAT,
            {result.name: _heat(result) for result in results},
        )
    )
    body.append(
        _section(
            "Languages of the top 100 candidates",
            _TOP.format(chance=100 / len(langs)),
            {
                result.name: bars("Languages of the top 100", result.measures.top, name=_name)
                for result in results
            },
        )
    )
    scatters = {
        result.name: scatter("Two principal components", result.points, name=_name)
        for result in results
        if result.points
    }
    if scatters:
        body.append(_section("Principal components", _POINTS, scatters))
    return _PAGE.substitute(
        title=escape(f"Language bias on {pool}"),
        about="".join(f"<p>{escape(line)}</p>\n" for line in about),
        body="".join(body),
    )


def _name(lang: str) -> str:
    return LANGUAGES[lang].name if lang in LANGUAGES else lang


def _heat(result: EncoderResult) -> str:
    rows = result.measures.one_target
    columns = sorted({answer for row in rows.values() for answer in row})
    values = [
        [100 * row[lang] if lang in row else None for lang in columns] for row in rows.values()
    ]
    return heatmap(
        "mAP of one right sentence",
        [*map(_name, rows)],
        [*map(_name, columns)],
        values,
        row_label="question",
        column_label="right sentence",
    )


def _section(title: str, caption: str, pictures: Mapping[str, str]) -> str:
    figures = "".join(
        f"<figure>\n<figcaption>{escape(name)}</figcaption>\n{picture}</figure>\n"
        for name, picture in pictures.items()
    )
    return (
        f'<h2>{escape(title)}</h2>\n<p>{escape(caption)}</p>\n<div class="side">\n{figures}</div>\n'
    )
