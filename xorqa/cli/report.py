"""`xorqa report`: XOR-Full's table of runs, with other choosers, oracles and significance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ..analysis.full_report import STAGES, FullReport, System, full_report
from ..analysis.significance import DEFAULTS, MACRO, Comparison, Settings
from ..core.config import set_value
from ..experiments.saved_run import open_run
from ..io.files import write_json
from ..metrics.tasks import Scorer
from ..tables.grid import Grid, Row
from .show import Format, Trust, print_grid

CAPTION = (
    "F1 per language with the number of questions, then means over the languages, in percent "
    "({scorer} scorer). only: the best score of one route. oracle language: of the routes' best "
    "answers the better one; oracle answer: the best answer there was, the ceiling."
)


def report(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs that went to the end.")],
    choose: Annotated[
        list[str] | None,
        typer.Option(help="Also choose anew: learned or rule,prefer=target; repeatable."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="Compare all others with this row, by paired bootstrap.")
    ] = None,
    scorer: Annotated[Scorer, typer.Option(help="Whose scores.")] = "official",
    samples: Annotated[int, typer.Option(min=1, help="Resamples of a test.")] = DEFAULTS.samples,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Also write the figures, unrounded.")
    ] = None,
    trust: Trust = False,
    format: Format = "terminal",
) -> None:
    """XOR-Full's table: stages, F1 per language, means, what could be reached at best.

    Answers are chosen anew from what the runs read, in seconds. Where the data set tells where
    an answer stands, in-language and cross-lingual questions have tables of their own.

    Example: xorqa report runs/hybrid-mini --choose rule,prefer=target --baseline "only eng"
    """
    found = full_report(
        [open_run(run, trust=trust) for run in runs],
        choosers=[_table(text) for text in choose or ()],
        scorer=scorer,
    )
    settings = replace(DEFAULTS, samples=samples)
    compared = found.against(baseline, settings) if baseline else {}
    if json_file:
        write_json(json_file, _in_json(found, compared))
    for part in found.divisions:
        print_grid(_scores(found, part, stages=format != "terminal"), format)
        print()
    if format == "terminal":
        print_grid(_stages(found), format)
    if baseline:
        print_grid(_comparisons(baseline, compared, settings), format)


def _table(text: str) -> dict[str, Any]:
    """`rule,prefer=target` as a config has it."""
    name, *changes = text.split(",")
    table: dict[str, Any] = {"use": name}
    for change in changes:
        set_value(table, change)
    return table


def _scores(found: FullReport, part: str, *, stages: bool) -> Grid:
    """A row a system, grouped by run; with the columns of its stages or without."""
    langs = list(dict.fromkeys(score.lang for score in found.scores(found.systems[0], part)))
    header = ("system", *(STAGES if stages else ()), *sorted(langs), "F1", "EM", "BLEU", "reached")
    groups: dict[str, list[Row]] = {}
    for system in found.systems:
        labels = (system.name, *(system.stages if stages else ()))
        groups.setdefault(system.run, []).append((*labels, *_cells(found, system, part)))
    caption = CAPTION.format(scorer=found.scorer) + " reached: of the ceiling's F1."
    return Grid(
        f"xor-full, {part}",
        header,
        tuple(map(tuple, groups.values())),
        caption,
        labels=1 + len(STAGES) * stages,
    )


def _cells(found: FullReport, system: System, part: str) -> Row:
    means = found.report(system, part)
    return (
        *(f"{values['f1']:.1f} ({means.n[lang]})" for lang, values in means.per_lang.items()),
        *(
            f"{means.macro[metric]:.1f} ({sum(means.n.values())})"
            for metric in ("f1", "em", "bleu")
        ),
        f"{found.reached(system, part):.1f}",
    )


def _stages(found: FullReport) -> Grid:
    rows = tuple((system.name, *system.stages) for system in found.systems if not system.oracle)
    return Grid("stages", ("system", *STAGES), (rows,), labels=1 + len(STAGES))


def _comparisons(
    baseline: str, compared: Mapping[str, Sequence[Comparison]], settings: Settings
) -> Grid:
    """The macro averages; of a part in one language, that language."""
    rows = [
        tuple(
            (
                part,
                row.run,
                row.lang,
                f"{row.baseline:.1f}",
                f"{row.score:.1f}",
                *(f"{points:+.1f}" for points in (row.difference, row.low, row.high)),
                f"{row.p_bootstrap:.2g}",
            )
            for row in some
            if row.lang == MACRO or MACRO not in {other.lang for other in some}
        )
        for part, some in compared.items()
    ]
    header = ("questions", "B", "lang", "F1 of A", "F1 of B", "B - A", "low", "high", "p")
    caption = (
        f"A = {baseline}. Paired bootstrap within languages: the middle "
        f"{100 * settings.confidence:g} % of {settings.samples} samples and two-sided p, "
        f"not corrected; seed {settings.seed}."
    )
    return Grid("against the baseline", header, tuple(rows), caption, labels=3)


def _in_json(found: FullReport, compared: Mapping[str, Sequence[Comparison]]) -> dict[str, Any]:
    return {
        "scorer": found.scorer,
        "systems": [
            {
                "name": system.name,
                "run": system.run,
                "oracle": system.oracle,
                "stages": dict(zip(STAGES, system.stages, strict=True)),
                "parts": {
                    part: {
                        **found.report(system, part).to_json(),
                        "reached": found.reached(system, part),
                    }
                    for part in found.divisions
                },
            }
            for system in found.systems
        ],
        "comparisons": {part: [asdict(row) for row in some] for part, some in compared.items()},
    }
