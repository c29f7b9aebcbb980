"""`xorqa report`: XOR-Full's table of runs, other choosers and oracles, with significance tests."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ..analysis.full_report import STAGES, FullReport, System, full_report
from ..analysis.significance import DEFAULTS, MACRO, Comparison, Settings
from ..core.config import set_value
from ..experiments.saved_run import open_run
from ..io.files import write_json
from ..metrics.task import ScorerName
from ..tables.grid import Grid, Row
from .compare import score_cells
from .options import Format, JsonFile, Samples, Trust
from .show import print_grid

CAPTION = (
    "F1 per language with the number of questions, then means over the languages, in percent "
    "({scorer} scorer). only: one route's most confident answer. oracle language: the best of the "
    "routes' top answers; oracle answer: the best of all answers, the ceiling. reached: F1 as a "
    "percentage of the ceiling's."
)


def report(
    runs: Annotated[list[Path], Argument(help="Folders of complete runs (--until full).")],
    choose: Annotated[
        list[str] | None, Option(help="Add a chooser: learned or rule,prefer=target; repeatable.")
    ] = None,
    baseline: Annotated[
        str | None, Option(help="Compare all other rows with this one by paired bootstrap.")
    ] = None,
    scorer: Annotated[ScorerName, Option(help="The scorer.")] = "official",
    samples: Samples = DEFAULTS.samples,
    json_file: JsonFile = None,
    trust: Trust = False,
    format: Format = "terminal",
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
    if json_file:
        write_json(json_file, _to_json(table, comparisons))
    for subset in table.subsets:
        print_grid(_score_grid(table, subset, stages=format != "terminal"), format)
        print()
    if format == "terminal":
        print_grid(_stage_grid(table), format)
    if baseline:
        print_grid(_comparison_grid(baseline, comparisons, settings), format)


def _chooser(text: str) -> dict[str, Any]:
    """Parse `rule,prefer=target` into a chooser's config table."""
    name, *changes = text.split(",")
    table: dict[str, Any] = {"use": name}
    for change in changes:
        set_value(table, change)
    return table


def _score_grid(table: FullReport, subset: str, *, stages: bool) -> Grid:
    """A row per system, grouped by run, with or without stage columns."""
    langs = {score.lang for score in table.scores(table.systems[0], subset)}
    header = ("system", *(STAGES if stages else ()), *sorted(langs), "F1", "EM", "BLEU", "reached")
    groups: dict[str, list[Row]] = {}
    for system in table.systems:
        labels = (system.name, *(system.stages if stages else ()))
        groups.setdefault(system.run, []).append((*labels, *_cells(table, system, subset)))
    rows, caption = tuple(map(tuple, groups.values())), CAPTION.format(scorer=table.scorer)
    columns = 1 + len(STAGES) * stages
    return Grid(f"xor-full, {subset}", header, rows, caption, labels=columns)


def _cells(table: FullReport, system: System, subset: str) -> Row:
    means = table.report(system, subset)
    total = sum(means.n.values())
    return (
        *(f"{values['f1']:.1f} ({means.n[lang]})" for lang, values in means.per_lang.items()),
        *(f"{means.macro[metric]:.1f} ({total})" for metric in ("f1", "em", "bleu")),
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
