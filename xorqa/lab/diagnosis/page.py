"""A diagnosis as one self-contained HTML page to explore.

The questions are compressed JSON in the page. Its script computes the map's means from them and
writes all texts as text, never as HTML.
"""

from html import escape
from pathlib import Path

from ...core.lang import ISO_639_1
from ...core.progress import quantity
from ...tables.grid import Grid
from ...tables.render import render
from ..common.page import html_page
from .buckets import Buckets
from .data_bias import bias_grids
from .diagnosis import Diagnosis
from .facts import QUESTIONS
from .features import Feature
from .page_data import Columns, FeatureData, PageData, script_element
from .pairs import ALL
from .tables import diagnosis_grids, rules

_NO_SCRIPT = """\
<noscript><p>The map needs JavaScript; the tables below do not.</p></noscript>
"""
_CONTROLS = """\
<div class="controls" role="group" aria-label="What the map shows">
<label>System <select id="system"></select></label>
<label>Metric <select id="metric"></select></label>
<label>Feature <select id="feature"></select></label>
<label>Languages <select id="order"><option value="code">by code</option>
<option value="high">highest first</option><option value="low">lowest first</option></select>
</label>
<button type="button" id="theme">Dark theme</button>
</div>
<p id="about"></p>
<p class="help">Select a cell to read its questions; the arrow keys move between cells.</p>
<div class="wide"><table id="map"></table></div>
<section aria-labelledby="histograms">
<h2 id="histograms">Histograms</h2>
<div class="controls"><label>Language <select id="lang"></select></label></div>
<p class="help" id="marks"></p>
<div id="bars"></div>
</section>
<section aria-labelledby="bucket">
<h2 id="bucket" tabindex="-1">Questions</h2>
<p id="status" role="status">No cell is selected.</p>
<div class="controls" role="group" aria-label="Which questions are listed">
<label>Filter <input type="search" id="filter"></label>
<label>Sort <select id="sort"><option value="low">lowest first</option>
<option value="high">highest first</option><option value="file">as in the data</option></select>
</label>
</div>
<ol id="questions"></ol>
<button type="button" id="more" hidden>Show more</button>
</section>
"""


def diagnosis_page(diagnosis: Diagnosis) -> str:
    """The page: a map of language by bucket, histograms, the questions of a cell, all tables.

    The page of questions alone has shares of questions in place of metrics.
    """
    data = diagnosis.data
    measured = f"{data.scorer} scorer, means in percent" if data.systems else "no predictions"
    about = f"{quantity(len(data.questions), 'question')}, {measured}. {rules(diagnosis)}"
    tables = "".join(
        f'<div class="wide">\n{render(grid, "html")}</div>\n' for grid in all_grids(diagnosis)
    )
    below = f'<h2>Tables</h2>\n<p>{escape(about)}</p>\n<div class="tables">\n{tables}</div>\n'
    return _page(f"Diagnosis: {data.task}", page_data(diagnosis), _NO_SCRIPT + _CONTROLS + below)


def all_grids(diagnosis: Diagnosis) -> list[Grid]:
    """The tables of systems, or of the questions alone."""
    return diagnosis_grids(diagnosis) if diagnosis.data.systems else bias_grids(diagnosis)


def page_of(data: PageData, *, title: str) -> str:
    """The page of data that were read from another page, without its tables."""
    return _page(f"Diagnosis: {title}", data, _CONTROLS)


def _page(title: str, data: PageData, main: str) -> str:
    body = f"<main>\n{main}</main>\n{script_element(data)}"
    return html_page(title, body, head=Path(__file__).with_suffix(".html"), interactive=True)


def page_data(diagnosis: Diagnosis) -> PageData:
    """What the page's script reads of a diagnosis."""
    data = diagnosis.data
    contexts = {
        text: number for number, text in enumerate(dict.fromkeys(q.context for q in data.questions))
    }
    return PageData(
        metrics=diagnosis.metrics,
        systems=[*data.systems],
        names={lang: _name(lang) for lang in sorted({row.lang for row in data.questions})},
        features=[_feature(diagnosis, feature) for feature in diagnosis.features],
        intervals=_intervals(diagnosis),
        questions=Columns(
            qid=[row.qid for row in data.questions],
            lang=[row.lang for row in data.questions],
            answerLang=[row.answer_lang for row in data.questions],
            text=[row.text for row in data.questions],
            gold=[list(dict.fromkeys(row.answers)) for row in data.questions],
            start=[row.answer_start for row in data.questions],
            context=[contexts[row.context] for row in data.questions],
        ),
        contexts=[*contexts],
        answers=[[row.answer for row in outcomes] for outcomes in data.systems.values()],
        values=[
            [
                [None if row.values is None else round(100 * row.values[m], 2) for row in outcomes]
                for m in diagnosis.metrics
            ]
            for outcomes in data.systems.values()
        ],
        least=diagnosis.min_n,
    )


def _feature(diagnosis: Diagnosis, feature: Feature) -> FeatureData:
    names = diagnosis.data.systems or (QUESTIONS,)
    by_system: list[Buckets] = [diagnosis.buckets[name][feature.name] for name in names]
    stored = by_system if feature.of_outcome else by_system[:1]
    return FeatureData(
        feature.name,
        feature.about,
        by_system[0].rule,
        [bucket.name for bucket in by_system[0].buckets],
        [buckets.of.tolist() for buckets in stored],
    )


def _intervals(diagnosis: Diagnosis) -> list[dict[str, dict[str, list[list[float]]]]]:
    return [
        {
            feature: {
                row.bucket.name: [[round(e.low, 1), round(e.high, 1)] for e in row.metrics.values()]
                for row in rows
            }
            for feature, rows in diagnosis.scores[system].items()
            if feature != ALL
        }
        for system in diagnosis.data.systems
    ]


def _name(lang: str) -> str:
    return ISO_639_1[lang].name if lang in ISO_639_1 else lang or "no language"
