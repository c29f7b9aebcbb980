"""`xorqa bench mine`: mine Tatoeba's pairs among distractors."""

from pathlib import Path
from typing import Annotated

from typer import Option

from ....cli.options import JsonFile, Langs, split_langs
from ....cli.show import print_grid, progress
from ....io.files import write_json
from ....models.checkpoints import DEFAULT
from ...common.fetched import local_or_fetched
from ...mining.commands.mine import VectorsFolder
from .. import mining

ENCODERS = [DEFAULT, "encoder-aligned"]
LANGS = ["ar", "fi", "ko"]


def mine(
    folder: Annotated[Path, Option("--dir", help="The test sets: tatoeba.fin-eng.fin, ...")],
    lang: Langs = None,
    encoder: Annotated[
        list[str] | None, Option(help=f"Repeatable; {' '.join(ENCODERS)} by default.")
    ] = None,
    pairs: Annotated[int, Option(min=1, help="Sentence pairs per language.")] = mining.PAIRS,
    distractors: Annotated[
        int, Option(min=1, help="Other sentences per pair and side.")
    ] = mining.DISTRACTORS,
    vectors: VectorsFolder = None,
    json_file: JsonFile = None,
) -> None:
    """Mine Tatoeba's pairs among other sentences, by absolute and ratio margin.

    --lang is ar,fi,ko by default.

    Example: xorqa bench mine --dir tatoeba --lang fi,ko
    """
    with progress() as report:
        results = mining.measure(
            local_or_fetched(folder),
            split_langs(lang) or LANGS,
            encoder or ENCODERS,
            pairs=pairs,
            distractors=distractors,
            vectors=vectors,
            progress=report,
        )
    if json_file:
        settings = {"pairs": pairs, "distractors": distractors}
        write_json(json_file, {**settings, "results": mining.to_json(results)})
    print_grid(mining.grid(results, pairs=pairs, distractors=distractors))
