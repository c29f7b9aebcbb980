"""`xorqa report`: XOR-Full's table of runs, other choosers and oracles, with significance tests."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ....cli.compare import score_cells
from ....cli.options import Output, Samples, Trust, with_groups
from ....core.config import set_value
from ....metrics.significance import DEFAULTS, MACRO, Comparison, Settings
from ....metrics.task import ScorerName
from ....tables.grid import COUNT, MISSING, Grid, Row
from ...common.saved_run import open_run
from ..full_report import STAGES, FullReport, System, full_report

CAPTION = (
    "F1 per language, then means over the languages, in percent ({scorer} scorer); n: the number "
    "of questions. only: one route's most confident answer. oracle language: the best of the "
    "routes' top answers; oracle answer: the best of all answers, the ceiling. reached: F1 as a "
    "percentage of the ceiling's."
)


@with_groups
def report(
    runs: Annotated[list[Path], Argument(help="Folders of complete runs (--until full).")],
    output: Output,
    choose: Annotated[
        list[str] | None, Option(help="Add a chooser: learned or rule,prefer=target; repeatable.")
    ] = None,
    baseline: Annotated[
        str | None, Option(help="Compare all other rows with this one by paired bootstrap.")
    ] = None,
    scorer: Annotated[ScorerName, Option(help="The scorer.")] = "official",
    samples: Samples = DEFAULTS.samples,
    trust: Trust = False,
) -> None:
    """Print XOR-Full's table of runs: stages, F1 per language, means and oracles.

    Answers are chosen from the candidates that the runs read, which takes seconds. If the data
    set has them, in-language and cross-lingual questions get separate tables.

    Example: xorqa report runs/hybrid-mini --choose rule,prefer=target --baseline "only eng"
    """
    choosers = [_chooser(text) for text in choose or ()]
    table = full_report(
        [open_run(run, trust=trust) for run in runs], choosers=choosers, scorer=scorer
    )
    settings = replace(DEFAULTS, samples=samples)
    comparisons = table.compare_with(baseline, settings) if baseline else {}
    if output.json_file:
        output.write_json(_to_json(table, comparisons))
    in_table = output.wide or output.format != "terminal"
    grids = [_score_grid(table, subset, stages=in_table) for subset in table.subsets]
    output.print_grids(grids)
    if not in_table:
        output.print_grid(_stage_grid(table))
    if baseline:
        output.print_grid(_comparison_grid(baseline, comparisons, settings))


def _chooser(text: str) -> dict[str, Any]:
    """Parse `rule,prefer=target` into a chooser's config table."""
    name, *changes = text.split(",")
    table: dict[str, Any] = {"use": name}
    for change in changes:
        set_value(table, change)
    return table


def _score_grid(table: FullReport, subset: str, *, stages: bool) -> Grid:
    """A row per system, grouped by run, with or without stage columns, and one of counts."""
    n = table.report(table.systems[0], subset).n
    langs, total = sorted(n), str(sum(n.values()))
    header = ("system", *(STAGES if stages else ()), *langs, "F1", "EM", "BLEU", "reached")
    groups: dict[str, list[Row]] = {}
    for system in table.systems:
        labels = (system.name, *(system.stages if stages else ()))
        groups.setdefault(system.run, []).append((*labels, *_cells(table, system, subset)))
    columns = 1 + len(STAGES) * stages
    counts = (COUNT, *[MISSING] * (columns - 1), *(str(n[lang]) for lang in langs), *[total] * 3)
    rows = (*map(tuple, groups.values()), ((*counts, MISSING),))
    caption = CAPTION.format(scorer=table.scorer)
    return Grid(f"xor-full, {subset}", header, rows, caption, labels=columns)


def _cells(table: FullReport, system: System, subset: str) -> Row:
    means = table.report(system, subset)
    return (
        *(f"{means.per_lang[lang]['f1']:.1f}" for lang in sorted(means.per_lang)),
        *(f"{means.macro[metric]:.1f}" for metric in ("f1", "em", "bleu")),
        f"{table.ceiling_share(system, subset):.1f}",
    )


def _stage_grid(table: FullReport) -> Grid:
    rows = tuple((system.name, *system.stages) for system in table.systems if not system.oracle)
    return Grid("stages", ("system", *STAGES), (rows,), labels=1 + len(STAGES))


def _comparison_grid(
    baseline: str, comparisons: Mapping[str, Sequence[Comparison]], settings: Settings
) -> Grid:
    """Macro averages, or the language's own score where a subset has only one."""
    groups = tuple(
        tuple(
            (subset, row.run, row.lang, *score_cells(row), f"{row.p_bootstrap:.2g}")
            for row in [row for row in rows if row.lang == MACRO] or rows
        )
        for subset, rows in comparisons.items()
    )
    header = ("questions", "B", "lang", "F1 of A", "F1 of B", "B - A", "low", "high", "p")
    caption = (
        f"A = {baseline}. Paired bootstrap, stratified by language: "
        f"{100 * settings.confidence:g} % interval over {settings.samples} samples and two-sided "
        f"p, not corrected for multiple tests; seed {settings.seed}."
    )
    return Grid("comparison with the baseline", header, groups, caption, labels=3)


def _to_json(table: FullReport, comparisons: Mapping[str, Sequence[Comparison]]) -> dict[str, Any]:
    systems = [
        {
            "name": system.name,
            "run": system.run,
            "oracle": system.oracle,
            "stages": dict(zip(STAGES, system.stages, strict=True)),
            "parts": {
                subset: table.report(system, subset).to_json()
                | {"reached": table.ceiling_share(system, subset)}
                for subset in table.subsets
            },
        }
        for system in table.systems
    ]
    rows = {subset: list(map(asdict, rows)) for subset, rows in comparisons.items()}
    return {"scorer": table.scorer, "systems": systems, "comparisons": rows}
