"""`xorqa checklist report`: error grids of systems, as tables and as an HTML page."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.compare import p_text, score_cells
from ....cli.options import Samples, Seed, Tables, with_groups
from ....core.errors import ConfigError, DataError
from ....io.files import write_text
from ....metrics import significance
from ....metrics.significance import DEFAULTS, MACRO, Comparison, Settings
from ....tables.grid import SIGNIFICANT, Grid
from .. import results
from ..html_report import html_report

Systems = Mapping[str, Sequence[results.Outcome]]


@with_groups
def report(
    runs: Annotated[list[Path], Argument(metavar="RUN...", help="Results folders of `run`.")],
    output: Tables,
    out: Annotated[Path | None, Option(help="Also write an HTML page.")] = None,
    samples: Samples = DEFAULTS.samples,
    seed: Seed = DEFAULTS.seed,
) -> None:
    """Show the error rates of one or more systems, and compare the others with the first.

    Differences have 95 % intervals by paired bootstrap over cases, and p-values by approximate
    randomisation, corrected over the languages of a test.

    Example: xorqa checklist report results/reader-questions results/mine --out report.html
    """
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise ConfigError("two runs have the same folder name; rename one")
    files = {run.name: run / results.FILE if run.is_dir() else run for run in runs}
    systems = {name: results.read_results(file) for name, file in files.items()}
    shown = show_grids(systems, output)
    compared = _compared(systems, Settings(samples=samples, seed=seed))
    for name, rows in compared.items():
        several = any(row.lang == MACRO for tested in rows.values() for row in tested)
        means = {
            test: [row for row in tested if row.lang == MACRO] if several else tested
            for test, tested in rows.items()
        }
        output.print_grid(_differences(name, names[0], means))
        shown.append(_differences(name, names[0], rows))
    if out is not None:
        write_text(out, html_report(f"Checklist: {', '.join(names)}", shown, systems))
        output.aside(f"report: {out}")


def show_grids(systems: Systems, output: Tables) -> list[Grid]:
    """Print each system's error grid, and one of right answers in the wrong language, if any."""
    grids = []
    for name, outcomes in systems.items():
        grids.append(results.error_grid(outcomes, title=name))
        if results.has_foreign(outcomes):
            title = f"{name}: right, but in the context's language"
            grids.append(results.error_grid(outcomes, measure=results.FOREIGN, title=title))
    output.print_grids(grids)
    return grids


def _compared(systems: Systems, settings: Settings) -> dict[str, dict[str, list[Comparison]]]:
    """System to test to its comparisons with the first system, by language and macro."""
    (first, baseline), *others = systems.items()
    before = results.scores(baseline)
    rows: dict[str, dict[str, list[Comparison]]] = {name: {} for name, _ in others}
    for name, outcomes in others:
        after = results.scores(outcomes)
        if {row.scorer for row in outcomes} != {row.scorer for row in baseline}:
            raise DataError(f"{first} and {name} have results of different scorers; run one again")
        if after.keys() != before.keys():
            raise DataError(f"{first} and {name} have results of different suites")
        for test, scored in before.items():
            rows[name][test] = significance.compare(
                scored, {name: after[test]}, metrics=[results.ERROR], settings=settings
            )
    return rows


def _differences(name: str, first: str, rows: Mapping[str, Sequence[Comparison]]) -> Grid:
    return Grid(
        f"{name} against {first}",
        ("test", "language", "n", first, name, "difference", "95 % interval", "p", ""),
        tuple(tuple(_row(test, row) for row in tested) for test, tested in rows.items()),
        f"{results.FAILURE_RATE}; if the difference is negative, the second system fails less "
        "often. p by approximate randomisation over cases, Holm-corrected over the languages of a "
        "test; * marks p up to 0.05.",
        labels=2,
    )


def _row(test: str, row: Comparison) -> tuple[str, ...]:
    *scores, low, high = score_cells(row)
    mark = SIGNIFICANT if row.significant else ""
    interval = f"{low} … {high}"
    p = p_text(row.p_corrected, DEFAULTS.alpha)
    return (test, row.lang, str(row.n), *scores, interval, p, mark)
