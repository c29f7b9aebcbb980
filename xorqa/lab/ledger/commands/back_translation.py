"""`xorqa eval back-translation`: exact match of English answers localised by rule."""

from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Annotated, Literal

from typer import Argument, Option

from ....cli.options import Output, split_langs, with_groups
from ....core.config import stage_table
from ....core.errors import ConfigError, one_of
from ....core.registry import build
from ....io.cache import stage_cache
from ....tables.grid import MISSING, Grid
from ...common.fetched import local_or_fetched
from ..back_translation import (
    MATCHES,
    AnswerCounts,
    count_by_method,
    localise_answers,
    read_parallel,
)

LANGS = ["ar", "fi", "ja", "ko", "ru"]
NAMES = {"mkqa": "MKQA's", "squad": "SQuAD v1.1's"}


@with_groups
def back_translation(
    folder: Annotated[Path, Argument(help="MKQA's files, dev*-LANG.jsonl.")],
    output: Output,
    lang: Annotated[
        list[str] | None, Option(help=f"Target languages: ja,ko; default {','.join(LANGS)}.")
    ] = None,
    localiser: Annotated[str, Option(help="A name, or a TOML table of settings.")] = "chain",
    task: Annotated[
        Literal["mkqa", "squad"], Option(help="The task that defines answer normalisation.")
    ] = "mkqa",
) -> None:
    """Localise MKQA's English answers into other languages, and report exact match by method.

    Example: xorqa eval back-translation mkqa --lang ja,ko
    """
    pairs = read_parallel(local_or_fetched(folder))
    langs = split_langs(lang) or LANGS
    for code in langs:
        if code not in pairs:
            raise ConfigError(f"{folder} has no answers in '{code}'; valid: {one_of(pairs)}")
    stage = build("localiser", stage_table(localiser), cache=stage_cache())
    counts = {
        code: count_by_method(localise_answers(stage, pairs[code], lang=code, match=MATCHES[task]))
        for code in langs
    }
    output.write_json(
        {
            code: {method: asdict(row) for method, row in rows.items()}
            for code, rows in counts.items()
        }
    )
    output.print_grid(_grid(counts, NAMES[task]))
    rescued, quantities = (
        fmean(getattr(rows[name], share) for rows in counts.values())
        for name, share in (("all", "rescued_exact"), ("dates and numbers", "exact"))
    )
    output.aside(f"exact match where copying is wrong, mean over languages: {rescued:.1f} %")
    output.aside(f"exact match of dates and numbers, mean over languages: {quantities:.1f} %")


def _grid(counts: dict[str, dict[str, AnswerCounts]], task: str) -> Grid:
    caption = (
        f"Exact match after {task} normalisation with any gold answer, in percent. 'copying' is "
        "the exact match of the English answers, 'of wrong' the exact match over the answers that "
        "copying gets wrong."
    )
    header = ("language", "method", "n", "right", "wrong", "exact", "copying", "of wrong")
    rows = tuple(
        tuple(_row(lang, method, row) for method, row in rows.items())
        for lang, rows in counts.items()
    )
    return Grid("answers back from English", header, rows, caption, labels=2)


def _row(lang: str, method: str, counts: AnswerCounts) -> tuple[str, ...]:
    numbers = map(str, (counts.n, counts.right, counts.n - counts.right))
    rescued = f"{counts.rescued_exact:.1f}" if counts.copied_wrong else MISSING
    return (lang, method, *numbers, f"{counts.exact:.1f}", f"{counts.copy_exact:.1f}", rescued)
