"""`xorqa eval attribution`: what a run's answers cite, and when they abstain."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from typer import Argument

from ....cli.options import Output, Trust, with_groups
from ....tables.grid import MISSING, measures_grids
from ..attribution import attribution_of

CAPTION = (
    "Percent. Citation precision: the share of citations that are of a gold passage; recall: the "
    "share of gold passages that are cited. Supported quotations occur in the passage cited."
)


@with_groups
def attribution(
    run: Annotated[Path, Argument(metavar="RUN", help="A run folder (--until full).")],
    output: Output,
    trust: Trust = False,
) -> None:
    """Citation precision and recall, supported quotations, the answers' language, and abstention.

    An extracted answer cites the passage that it was read from; only generated answers have
    quotations. Questions on which the reader failed are left out of abstention.

    Example: xorqa eval attribution runs/generate-mini --json attribution.json
    """
    measured = attribution_of(run, trust=trust)
    output.write_json({"run": str(run), **measured})
    caption = f"{CAPTION} {_abstention(measured['abstention'])}"
    grids = [
        replace(grid, title=f"attribution of {run}", caption=caption)
        for grid in measures_grids(measured)
    ]
    output.print_grids(grids)
    if not grids:
        output.aside(_abstention(measured["abstention"]))
    if failed := measured["abstention"]["failed"]:
        output.aside(f"questions on which the reader failed, left out of abstention: {failed}")


def _abstention(shares: dict[str, Any]) -> str:
    answerable, unanswerable = (
        MISSING if shares[name] is None else f"{100 * shares[name]:.1f}"
        for name in ("answerable", "unanswerable")
    )
    return f"Abstained on answerable questions: {answerable}, on unanswerable ones: {unanswerable}."
