"""The tables of MLQA's experiments: G-XLT, breakdowns and lengths, English data and SQuAD."""

from collections.abc import Mapping, Sequence

from ...core.lang import ENGLISH
from ...metrics.report import Report
from ...tables.grid import MISSING, Grid
from .breakdown import TEXT_FIELDS, UNITS
from .gxlt import Matrix
from .squad_comparison import FIRST_WORDS


def matrix_grid(gxlt: Matrix, measure: str, langs: Sequence[str]) -> Grid:
    """One measure of every pair: rows are languages of the context, columns of the question."""
    rows = tuple(
        (context, *(_cell(gxlt.cells.get((context, question)), measure) for question in langs))
        for context in langs
    )
    caption = (
        "Percent, official scorer. Rows: language of context and answer; columns: language of the "
        "question (as Lewis et al. 2020, table 6). Mean over the pairs of two languages: "
        f"{gxlt.mean[measure]:.1f}"
        + (f", {gxlt.drop[measure]:.1f} below the diagonal's." if gxlt.drop else ".")
    )
    return Grid(f"G-XLT, {measure}", ("context", *langs), (rows,), caption, fixed=True)


def breakdown_grid(
    breakdowns: Mapping[str, Mapping[str, Report]],
    lengths: Mapping[str, Mapping[str, Mapping[str, float]]],
) -> Grid:
    """Tabulate F1 with a group of rows per breakdown, and a group for mean lengths.

    Args:
        breakdowns: name to group to report.
        lengths: language to unit to part of the data to mean length.
    """
    langs = list(lengths)
    groups = [  # by breakdown
        tuple(
            (
                name,
                group,
                str(report.n.get(ENGLISH, MISSING)),
                *(_cell(report.per_lang.get(lang), "f1") for lang in langs),
            )
            for group, report in reports.items()
        )
        for name, reports in breakdowns.items()
    ]
    mean_lengths = tuple(
        (unit, part, MISSING, *(_cell(lengths[lang][unit], part) for lang in langs))
        for unit in UNITS
        for part in TEXT_FIELDS
    )
    caption = (
        "F1 in percent, official scorer, by properties of the English question and answer (n: "
        "English questions; an answer may have several entity types); mean lengths in characters, "
        "words (as Lewis et al. 2020, table 8: in Chinese, Japanese and Thai characters) and "
        "reader tokens."
    )
    header = ("by", "group", "n", *langs)
    return Grid("XLT, broken down", header, (*groups, mean_lengths), caption, labels=2)


def relative_grid(xlt: Report, breakdowns: Mapping[str, Mapping[str, Report]]) -> Grid:
    """F1 of each group less the F1 of all questions, by language (figures 3, 4 and 8)."""
    langs = list(xlt.per_lang)
    groups = tuple(
        tuple(
            (name, group, *(_difference(report, xlt, lang) for lang in langs))
            for group, report in reports.items()
        )
        for name, reports in breakdowns.items()
    )
    caption = (
        "F1 less the F1 of all questions in the language, as figures 3 and 8 of Lewis et al. 2020 "
        "show it; how includes how many and how much."
    )
    header = ("by", "group", *langs)
    return Grid("XLT, relative to all questions", header, groups, caption, labels=2)


def _difference(report: Report, xlt: Report, lang: str) -> str:
    if lang not in report.per_lang:
        return MISSING
    return f"{report.per_lang[lang]['f1'] - xlt.per_lang[lang]['f1']:+.1f}"


def squad_grid(reports: Mapping[str, Report]) -> Grid:
    """English scores by data set (Lewis et al. 2020, Table 7)."""
    measures = next(iter(reports.values())).measures
    rows = tuple(
        (name, str(report.n[ENGLISH]), *(_cell(report.per_lang[ENGLISH], m) for m in measures))
        for name, report in reports.items()
    )
    caption = (
        "Percent, official scorer, English (as Lewis et al. 2020, table 7). One answer: the one "
        "most annotators gave, else the one with the highest mean F1 to the others."
    )
    return Grid("English beside SQuAD", ("data", "n", *measures), (rows,), caption)


def first_words_grid(shares: Mapping[str, Mapping[str, float]]) -> Grid:
    """Tabulate the first words of English questions, with a column per data set."""
    rows = tuple((word, *(_cell(row, word) for row in shares.values())) for word in FIRST_WORDS)
    caption = (
        "Percent of the questions that begin with the word (as Lewis et al. 2020, figure 7); whom "
        "and whose count as who."
    )
    return Grid("First words of questions", ("word", *shares), (rows,), caption)


def _cell(means: Mapping[str, float] | None, measure: str) -> str:
    return MISSING if means is None else f"{means[measure]:.1f}"
