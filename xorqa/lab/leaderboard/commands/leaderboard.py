"""`xorqa leaderboard`: a static site that ranks systems."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from ....cli.options import Samples, Seed, Tables, with_groups
from ....cli.show import progress
from ....core.errors import ConfigError
from ....core.lang import ISO_639_1
from ....core.progress import quantity
from ....metrics.resampling import Correction
from ....metrics.significance import DEFAULTS, Settings
from ..entries import read_systems
from ..from_papers import published_systems
from ..leaderboard import make_leaderboard
from ..result import MEAN
from ..site import Pages, check_place, diagnose_systems, grids, write_site

app = typer.Typer(no_args_is_help=True)


@app.callback()
def root() -> None:
    """Rank systems, and publish the ranking as a static site."""


@app.command()
@with_groups
def build(
    folder: Annotated[
        Path, Argument(help="A folder with a subfolder for each system: results, metadata.toml.")
    ],
    out: Annotated[Path, Option(help="The folder of the site.")],
    output: Tables,
    published: Annotated[bool, Option(help="Add rows from papers.")] = True,
    diagnoses: Annotated[
        bool, Option(help="Add the diagnosis page of each run, with its questions and passages.")
    ] = True,
    lang: Annotated[
        str, Option(help="Rank by this language instead of the mean over languages: fi.")
    ] = "",
    samples: Samples = DEFAULTS.samples,
    seed: Seed = DEFAULTS.seed,
    correction: Annotated[
        Correction, Option(help="Correction of p over the tests of a ranking.")
    ] = DEFAULTS.correction,
) -> None:
    """Build a site with a table for each task, which sorts and filters by metadata.

    The page also ranks by a language that is chosen there. Each row is tested against the row
    above if both have scores of single questions. A system that fails a check is listed with the
    reason, and not ranked.

    Example: xorqa leaderboard build systems --out site
    """
    check_place(folder, out)
    if lang and lang not in ISO_639_1:
        raise ConfigError(f"--lang {lang}: name a language by its ISO 639-1 code, such as fi")
    systems, rejected = read_systems(folder)
    rows = [*systems, *(published_systems() if published else ())]
    settings = Settings(samples, seed, correction=correction)
    leaderboard = make_leaderboard(rows, rejected, settings, lang or MEAN)
    pages = Pages()
    if diagnoses:
        with progress() as report:
            pages = diagnose_systems(systems, out, progress=report)
    write_site(leaderboard, out, pages)
    output.print_grids(grids(leaderboard))
    for line in pages.missing:
        output.aside(line)
    for row in rejected:
        output.aside(f"{row.name} is not ranked: {'; '.join(row.reasons)}")
    ranked = quantity(len(systems), "system")
    output.aside(f"{ranked} ranked, {len(rejected)} not ranked; site: {out / 'index.html'}")
