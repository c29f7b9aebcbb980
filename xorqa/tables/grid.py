"""Tables of scores, with strings as cells."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..metrics.answer_measures import RATES
from ..metrics.measure import Measure
from ..metrics.registry import find_measure
from ..metrics.report import Report

MAX_SCORE_COLUMNS = 9  # fit a terminal or a page
MISSING = "–"
BEST = "*"
"""Before the best score of a row."""
COUNT = "n"
"""The name of the row or column with the numbers of questions."""

Row = tuple[str, ...]


class Highlight(str):
    """The text of a cell that a terminal highlights, such as the best score of a row."""

    __slots__ = ()


SIGNIFICANT = Highlight("*")
"""Beside a significant difference."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of strings.

    `rows` are groups, separated by a rule. The first `labels` columns are text, the others
    numbers. `caption` names what the numbers depend on. If `fixed`, rows and columns are never
    swapped, because the caption refers to them.
    """

    title: str
    header: Row
    rows: tuple[tuple[Row, ...], ...]
    caption: str = ""
    labels: int = 1
    fixed: bool = False

    @property
    def readable(self) -> list[list[Row]]:
        """The groups, with the first cell empty if it repeats the cell above."""
        return [
            [
                ("", *row[1:]) if position and row[0] == group[position - 1][0] else row
                for position, row in enumerate(group)
            ]
            for group in self.rows
        ]


def score_grid(
    title: str,
    reports: Mapping[str, Report],
    *,
    first: str = "system",
    digits: int = 1,
    counts: bool = False,
) -> Grid:
    """Tabulate a task's reports: a row per system and metric, a column per language, macro last.

    `macro_over_seven` gets a column if it differs from the macro, else a note in the caption.
    With more than `MAX_SCORE_COLUMNS` columns of scores, languages become the rows. A dash marks
    a score that a report lacks. The caption names the scorers with their signatures. `counts`
    adds a row with the numbers of questions to each system.
    """
    langs = dict.fromkeys(lang for report in reports.values() for lang in report.per_lang)
    over_seven = [report for report in reports.values() if report.macro_over_seven]
    divided = any(report.macro_over_seven != report.macro for report in over_seven)
    groups = tuple(
        (
            *(
                (name, metric, *_cells(report, metric, langs, digits, divided))
                for metric in report.measures
            ),
            *([(name, COUNT, *_counts(report, langs, divided))] if counts else []),
        )
        for name, report in reports.items()
    )
    header = (first, "metric", *langs, "macro", *(["macro_over_seven"] if divided else []))
    caption = _caption(reports)
    if over_seven:
        relation = "is the published division" if divided else "(the published division) is equal"
        caption += f" Official macro_over_seven {relation}."
    grid = Grid(title, header, groups, caption, labels=2)
    return grid if len(header) - 2 <= MAX_SCORE_COLUMNS else transposed(grid, "language")


def summary_grid(title: str, reports: Mapping[str, Report], *, mark: bool = True) -> Grid:
    """Tabulate a run: a row per task and metric, a column per language, macro last.

    With `mark`, `BEST` is before the scores of the best language of each row, unless all languages
    have the same score.
    """
    langs = sorted({lang for report in reports.values() for lang in report.per_lang})
    rows, is_marked = [], False
    for task, report in reports.items():
        for measure in (find_measure(name, task=report.task) for name in report.measures):
            *cells, macro = _cells(report, measure.name, langs, 1, False)
            best = _best(report, measure, langs) if mark else set()
            is_marked |= bool(best)
            cells = [
                Highlight(BEST + cell) if lang in best else cell
                for lang, cell in zip(langs, cells, strict=True)
            ]
            rows.append((task, measure.title, *cells, macro))
    scorers = ", ".join(dict.fromkeys(report.scorer for report in reports.values()))
    marks = f" {BEST}: the best language." if is_marked else ""
    caption = f"Percent. Scorer: {scorers}. macro: the mean over the languages.{marks}"
    return Grid(title, ("task", "metric", *langs, "macro"), (tuple(rows),), caption, labels=2)


def _best(report: Report, measure: Measure, langs: Iterable[str]) -> set[str]:
    """The languages with the best score as it is printed, if there are worse ones."""
    means = {lang: report.per_lang[lang] for lang in langs if report.per_lang.get(lang)}
    scores = {lang: round(values[measure.name], 1) for lang, values in means.items()}
    if len(set(scores.values())) < 2:
        return set()
    best = measure.best(scores.values())
    return {lang for lang, value in scores.items() if value == best}


def _cells(
    report: Report, metric: str, langs: Iterable[str], digits: int, divided: bool
) -> list[str]:
    macros = [report.macro, report.macro_over_seven] if divided else [report.macro]
    columns = [*(report.per_lang.get(lang, {}) for lang in langs), *macros]
    return [f"{means[metric]:.{digits}f}" if means else MISSING for means in columns]


def _counts(report: Report, langs: Iterable[str], divided: bool) -> list[str]:
    """The number of questions of each column that `_cells` fills."""
    macros = [report.macro, report.macro_over_seven] if divided else [report.macro]
    total = sum(report.n.values())
    per_lang = [str(report.n[lang]) if lang in report.n else MISSING for lang in langs]
    return [*per_lang, *(str(total) if macro else MISSING for macro in macros)]


def _caption(reports: Mapping[str, Report]) -> str:
    scorers = {
        name: f"{report.task} ({', '.join(filter(None, (report.scorer, report.signature)))})"
        for name, report in reports.items()
    }
    if len(set(scorers.values())) == 1:
        return f"Percent. Scorer: {next(iter(scorers.values()))}."
    return f"Percent. Scorers: {'; '.join(map(': '.join, scorers.items()))}."


def transposed(grid: Grid, corner: str = "") -> Grid:
    """Swap rows and columns; the new columns are named by the row labels, the last label first."""
    lines = [row for group in grid.rows for row in group]
    names = ("\n".join(filter(None, reversed(row[: grid.labels]))) for row in lines)
    rows = zip(grid.header[grid.labels :], *(row[grid.labels :] for row in lines), strict=True)
    return replace(grid, header=(corner, *names), rows=(tuple(rows),), labels=1)


def measures_grids(measured: Mapping[str, Any]) -> list[Grid]:
    """A row per measure, a column per language, macro last; other measures are in the caption.

    Empty if none has a value per language.
    """
    reports = {name: report for name, report in measured.items() if "per_lang" in report}
    langs = sorted({lang for report in reports.values() for lang in report["per_lang"]})
    rows = tuple(
        (
            name,
            *(_measure_cell(report["per_lang"].get(lang), name) for lang in langs),
            _measure_cell(report["macro"], name),
        )
        for name, report in reports.items()
    )
    grid = Grid("measures", ("measure", *langs, "macro"), (rows,), _measures_caption(measured))
    wide = len(langs) + 1 > MAX_SCORE_COLUMNS
    return [transposed(grid, "language") if wide else grid] if rows else []


def _measure_cell(means: Mapping[str, float] | None, name: str) -> str:
    return f"{means[name]:.1f}" if means else MISSING


def _measures_caption(measured: Mapping[str, Any]) -> str:
    sentences = ["Percent."]
    if curve := measured.get("risk-coverage"):
        area = f"{100 * curve['area']:.1f}"
        sentences.append(f"Area under the risk-coverage curve (risk: 1 - F1): {area}.")
    rates = measured.get("abstention", {})
    sentences += [
        f"{rate.display_name}: {100 * rates[rate.name]:.1f}."
        for rate in RATES
        if rates.get(rate.name) is not None
    ]
    return " ".join(sentences)
