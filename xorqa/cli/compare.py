"""`xorqa compare`: is a run better than another, or is the difference chance?"""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ..core.progress import quantity
from ..experiments.compare_runs import compare as compare_runs
from ..metrics.measure import Measure
from ..metrics.registry import find_measure
from ..metrics.report import PER_QUESTION
from ..metrics.resampling import Correction
from ..metrics.significance import DEFAULTS, Comparison, Settings
from ..metrics.task import ScorerName
from ..tables.grid import SIGNIFICANT, Grid, Row
from .options import Output, Samples, Seed, with_groups


@with_groups
def compare(
    runs: Annotated[
        list[Path],
        Argument(help=f"Run folders, or files such as their {PER_QUESTION}; the baseline first."),
    ],
    output: Output,
    task: Annotated[str | None, Option(help="Only this task; by default all shared ones.")] = None,
    scorer: Annotated[ScorerName, Option(help="The scorer.")] = "official",
    metric: Annotated[list[str] | None, Option(help="Only this metric; repeatable.")] = None,
    samples: Samples = DEFAULTS.samples,
    seed: Seed = DEFAULTS.seed,
    confidence: Annotated[
        float, Option(help="Of the intervals; a p up to 1 minus this is significant.")
    ] = DEFAULTS.confidence,
    correction: Annotated[
        Correction,
        Option(help="Correction of p over all comparisons of a metric: languages, macro, runs."),
    ] = DEFAULTS.correction,
) -> None:
    """Compare runs over the same questions with the first one, question by question.

    Intervals are by paired bootstrap, p-values by paired bootstrap and approximate randomisation.

    Example: xorqa compare runs/bm25-mini runs/dense-mini --task xor-full --metric f1
    """
    settings = Settings(samples, seed, confidence, correction)
    results = compare_runs(*runs, task=task, scorer=scorer, metrics=metric or (), settings=settings)
    baseline = str(runs[0])
    tasks = {name: list(map(asdict, rows)) for name, rows in results.items()}
    about = {"scorer": scorer, "baseline": baseline, **asdict(settings)}
    output.write_json({**about, "tasks": tasks})
    grids = [
        _grid(f"{name} ({scorer})", find_measure(metric, task=name), baseline, [*rows], settings)
        for name, comparisons in results.items()
        for metric, rows in groupby(comparisons, key=lambda row: row.metric)
    ]
    output.print_grids(grids)


def _grid(
    title: str, measure: Measure, baseline: str, rows: Sequence[Comparison], settings: Settings
) -> Grid:
    """One measure's table, with a column for the run if there are several."""
    runs = list(dict.fromkeys(row.run for row in rows))
    header: Row = ("lang", "A", "B", "B - A", "low", "high", "p boot", "p rand", "p corr", "*")
    cells = [
        (
            row.lang,
            *score_cells(row),
            p_text(row.p_bootstrap, settings.alpha),
            p_text(row.p_randomisation, settings.alpha),
            p_text(row.p_corrected, settings.alpha),
            SIGNIFICANT if row.significant else "",
        )
        for row in rows
    ]
    several = len(runs) > 1
    if several:
        header = ("run", *header)
        cells = [(row.run, *line) for row, line in zip(rows, cells, strict=True)]
    caption = (
        f"A = {baseline}, B = {' or '.join(runs)}. "
        f"Percent; the difference with its {100 * settings.confidence:g} % interval by paired "
        f"bootstrap; p by paired bootstrap, by approximate randomisation, and the latter "
        f"corrected ({settings.correction}) over the {quantity(len(rows), 'comparison')} "
        f"of the metric: languages, macro, all runs. * corrected p of at most {settings.alpha:g}. "
        f"{settings.samples} samples, seed {settings.seed}."
    )
    return Grid(
        f"{title}, {measure.title}", header, (tuple(cells),), caption, labels=2 if several else 1
    )


def score_cells(row: Comparison) -> Row:
    """Both scores, their difference and its interval, in percent."""
    points = (row.difference, row.low, row.high)
    return f"{row.baseline:.1f}", f"{row.score:.1f}", *(f"{value:+.1f}" for value in points)


def p_text(p: float, alpha: float) -> str:
    """A p with two significant digits, or as many as show on which side of `alpha` it is."""
    digits = 2
    while (float(text := f"{p:.{digits}g}") <= alpha) != (p <= alpha):
        digits += 1
    return text
