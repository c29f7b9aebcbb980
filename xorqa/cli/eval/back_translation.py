"""`xorqa eval back-translation`: how well English answers are said in other languages."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer

from ...analysis.back_translation import Tally, by_way, read_parallel, say_all
from ...caching.store import stage_cache
from ...core.config import stage_table
from ...core.errors import ConfigError, one_of
from ...core.registry import build
from ...io.files import published, write_json
from ...tables.grid import Grid
from ..show import Format, aside, print_grid
from .scoring import JsonOption

CAPTION = (
    "Exact match after SQuAD v1.1's normalisation, with any answer of the other language. "
    "'copying' is the percentage right if English is copied, 'of wrong' the percentage right of "
    "what copying gets wrong."
)


def back_translation(
    folder: Annotated[Path, typer.Argument(help="MKQA's files, dev*-LANG.jsonl.")],
    languages: Annotated[str, typer.Option("--lang", help="Which: ja,ko")] = "ar,fi,ja,ko,ru",
    localiser: Annotated[str, typer.Option(help="A name, or a TOML table of settings.")] = "chain",
    json_file: JsonOption = None,
    format: Format = "terminal",
) -> None:
    """Say each English answer in the other languages: copying, each rule and the whole chain.

    Example: xorqa eval back-translation mkqa --lang ja,ko
    """
    pairs = read_parallel(published(folder))
    wanted = languages.split(",")
    for lang in wanted:
        if lang not in pairs:
            raise ConfigError(f"{folder} has no answers in '{lang}'; there are: {one_of(pairs)}")
    stage = build("localiser", stage_table(localiser), cache=stage_cache())
    found = {lang: by_way(say_all(stage, pairs[lang], lang=lang)) for lang in wanted}
    if json_file:
        write_json(
            json_file,
            {
                lang: {way: asdict(tally) for way, tally in ways.items()}
                for lang, ways in found.items()
            },
        )
    print_grid(_grid(found), format)
    rescued = fmean(ways["all"].of_wrong for ways in found.values())
    aside(format, f"of what copying gets wrong, mean of the languages: {rescued:.1f} % right")


def _grid(found: dict[str, dict[str, Tally]]) -> Grid:
    header = ("language", "made", "n", "right", "wrong", "exact", "copying", "of wrong")
    rows = tuple(
        tuple(_row(lang, way, tally) for way, tally in ways.items()) for lang, ways in found.items()
    )
    return Grid("answers back from English", header, rows, CAPTION, labels=2)


def _row(lang: str, way: str, tally: Tally) -> tuple[str, ...]:
    counts = map(str, (tally.n, tally.right, tally.n - tally.right))
    return (
        lang,
        way,
        *counts,
        f"{tally.exact:.1f}",
        f"{tally.copying:.1f}",
        f"{tally.of_wrong:.1f}" if tally.copied_wrong else "–",
    )
