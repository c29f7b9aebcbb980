"""`xorqa eval abstention`: when runs should rather not answer, run by run."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Output, Trust, with_groups
from ....io.files import write_text
from ....tables.grid import MISSING, Grid
from ...common.svg import curves
from ..abstention import ALL, ANSWERABLE, RunAbstention, abstention_of_run

HEADER = (
    "run",
    "area, answerable",
    "area, all",
    "hallucination",
    "error",
    "coverage",
    "risk",
    "calibrated",
)
CAPTION = (
    "Percent. area: under the risk-coverage curve of the answerable questions and of all, lower is "
    "better; risk: 1 - F1 of XOR-Full (official scorer), and 1 for an answer to an unanswerable "
    "question. At the threshold {threshold:.3g}: hallucination, the share of unanswerable "
    "questions that are answered; error, the share of answerable ones that are not; coverage, the "
    "share of all questions that are answered, and their risk. Generated answers have no "
    "threshold."
)


@with_groups
def abstention(
    runs: Annotated[list[Path], Argument(metavar="RUN...", help="Run folders (--until full).")],
    output: Output,
    min_confidence: Annotated[
        float | None, Option(min=0, max=1, help="The threshold; by default that of `xorqa ask`.")
    ] = None,
    plot: Annotated[Path | None, Option(help="Also write the curves as an SVG.")] = None,
    trust: Trust = False,
) -> None:
    """Risk-coverage curves, and NoMIRACL's hallucination and error rate, of one or more runs.

    The confidence is that of `xorqa ask`; a generated answer has its score instead. Questions are
    unanswerable if the data set marks them: see `xorqa data export --without-gold`. Questions on
    which the reader failed are left out.

    Example: xorqa eval abstention runs/bm25-gaps runs/dense-gaps --plot abstention.svg
    """
    measured = {
        str(run): abstention_of_run(run, min_confidence=min_confidence, trust=trust) for run in runs
    }
    threshold = next(iter(measured.values())).min_confidence
    output.write_json({name: asdict(result) for name, result in measured.items()})
    if plot:
        write_text(plot, _plot(measured))
    rows = tuple((name, *_cells(result)) for name, result in measured.items())
    caption = CAPTION.format(threshold=threshold)
    output.print_grid(Grid("abstention", HEADER, (rows,), caption))
    for name, result in measured.items():
        counts = f"{result.answerable} answerable, {result.unanswerable} unanswerable questions"
        failed = f", left out because the reader failed: {result.failed}" if result.failed else ""
        output.aside(f"{name}: {counts}{failed}")


def _cells(result: RunAbstention) -> list[str]:
    areas = (result.curves.get(name, {}).get("area") for name in (ANSWERABLE, ALL))
    rates = (result.hallucination_rate, result.error_rate, result.coverage, result.risk)
    calibrated = {None: MISSING, True: "yes", False: "no"}[result.calibrated]
    percent = (MISSING if share is None else f"{100 * share:.1f}" for share in (*areas, *rates))
    return [*percent, calibrated]


def _plot(measured: Mapping[str, RunAbstention]) -> str:
    """The curves of both sets of questions; the point at the threshold is marked on that of all."""
    panels = {
        f"{name} questions": {
            run: result.curves[name]["points"]
            for run, result in measured.items()
            if name in result.curves
        }
        for name in (ANSWERABLE, ALL)
    }
    last = f"{ALL} questions"
    marks = {
        last: {
            run: (result.coverage, result.risk)
            for run, result in measured.items()
            if result.risk is not None and ALL in result.curves
        }
    }
    shown = {name: lines for name, lines in panels.items() if lines}
    note = "The circle is the threshold." if last in shown else ""
    axes = ("coverage, %", "risk, %")
    return curves("Risk and coverage", shown, axes=axes, marks=marks, note=note)
