"""`xorqa blind-trial`: a person scores what encoders retrieve, without knowing which does."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from ....cli.options import Output, with_groups
from ....cli.show import counted, print_line
from ....core.errors import ConfigError
from ....core.progress import quantity
from ....io.files import write_json, write_text
from ..captions.read import captions_folder, read_captions
from ..encoders import TextEncoder, parse_name
from ..texts import Texts
from ..trial.draw import QUERIES, SUGGESTIONS, draw_trial
from ..trial.files import (
    item_ids,
    judgements_csv,
    key_json,
    read_judgements,
    read_key,
    trial_page,
)
from ..trial.score import outcome_grids, score_trial
from .backretrieval import Data

app = typer.Typer(no_args_is_help=True)

KeyFile = Annotated[Path, Option("--key", help="The file that says which encoder suggests what.")]


@app.command()
def export(
    data: Data,
    source: Annotated[str, Option(help="The language of the queries.")],
    target: Annotated[str, Option(help="The language of the suggestions.")],
    encoder: Annotated[
        list[str], Option(help="As in `xorqa backretrieval`; repeat it, two or more.")
    ],
    out: Annotated[Path, Option(help="The folder for the judge: judgements.csv, trial.html.")],
    key: KeyFile,
    queries: Annotated[int, Option(min=1, help="Queries, drawn at random.")] = QUERIES,
    suggestions: Annotated[int, Option(min=1, help="Suggestions of each encoder.")] = SUGGESTIONS,
    seed: Annotated[int, Option(min=0, help="The seed of the queries and of the order.")] = 1,
) -> None:
    """Write queries, each with what every encoder retrieves, in random order, for a person.

    A text that several encoders suggest is shown once. Texts without a picture are used too. Keep
    the key from the judge.

    Example: xorqa blind-trial export emoji --source en --target ja --encoder e5-small-q4
    --encoder characters --out trial --key trial-key.json
    """
    names = [*dict.fromkeys(encoder)]
    for name in names:
        parse_name(name)
    table = out / "judgements.csv"
    for path in (table, key):
        if path.exists():
            raise ConfigError(f"{path} exists; name another place, so that no judgement is lost")
    if out.resolve() in key.resolve().parents:
        raise ConfigError(f"--key {key} is in the judge's folder {out}; name another place")
    folder = captions_folder(data)
    read = [read_captions(folder, lang, images=False) for lang in (source, target)]
    first, second = (
        Texts(
            side.lang,
            [row.text for row in side.rows],
            [row.row for row in side.rows],
            side.total,
            [row.body for row in side.rows],
        )
        for side in read
    )
    vectors = {name: TextEncoder(name)(first, second) for name in names}
    shown = draw_trial(vectors, queries=queries, suggestions=suggestions, seed=seed)
    sides, langs = (read[0].rows, read[1].rows), (source, target)
    about = {"data": data, "languages": langs, "encoders": names, "seed": seed}
    values = key_json(shown, sides, **about, suggestions=suggestions)
    page, missing = trial_page(shown, sides, langs, values["trial"])
    write_text(out / "trial.html", page)
    write_text(table, judgements_csv(shown, sides, values["trial"]))
    write_json(key, values)
    items = quantity(sum(1 for _ in item_ids(shown)), "suggestion")
    bare = f" ({missing} texts without a picture)" if missing else ""
    for side in read:
        if side.left_out:
            print_line(f"{side.lang}: left out: {counted(side.left_out)}")
    print_line(f"queries: {len(shown)}, {items}{bare}: {table} and {out / 'trial.html'}")
    print_line(f"then: xorqa blind-trial score {table} --key {key}")


@app.command()
@with_groups
def score(
    judgements: Annotated[
        Path, Argument(metavar="CSV", help="judgements.csv with the scores 1 to 4.")
    ],
    key: KeyFile,
    output: Output,
) -> None:
    """Report how often each encoder's suggestions are very relevant, with intervals and tests.

    Example: xorqa blind-trial score trial/judgements.csv --key trial-key.json
    """
    opened = read_key(key)
    outcome = score_trial(opened, read_judgements(judgements, opened))
    output.write_json({"trial": opened.trial, **outcome.to_json()})
    output.print_grids(outcome_grids(outcome))
