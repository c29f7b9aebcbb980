"""`xorqa data distant`: pairs of a question in its language and an English passage."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ..caching.store import stage_cache
from ..io.files import data_dir
from ..reading.pairs import DEFAULT_READER
from ..training.distant.make import DistantRecipe, make_distant
from ..training.distant.questions import Counts
from .show import console, progress

PASSAGES = ("squad/train-v1.1.json", "tydiqa-goldp/english_tydiqa_train.json")


def distant(
    out: Annotated[Path, typer.Option(help="SQuAD-style JSON; a card is written beside it.")],
    questions: Annotated[
        Path | None, typer.Option(help="XOR-TyDi's folder; the fetched one, if not given.")
    ] = None,
    passages: Annotated[
        list[Path] | None,
        typer.Option(help="English SQuAD-style files; SQuAD's and TyDi's, if not given."),
    ] = None,
    excluded: Annotated[
        list[Path] | None,
        typer.Option(help="Files with evaluation questions; TyDi's dev files, if not given."),
    ] = None,
    k: Annotated[int, typer.Option(help="Passages looked through for each question.")] = 20,
    confirm: Annotated[
        str, typer.Option(help="The reader that must agree: an adapter, a file or 'none'.")
    ] = DEFAULT_READER,
    least: Annotated[
        float, typer.Option(help="The probability that a passage answers it must at least give.")
    ] = 0.95,
    with_english: Annotated[
        bool, typer.Option("--with-english", help="Also each question's translation.")
    ] = False,
) -> None:
    """Make training pairs of XOR-TyDi's questions, which come without passages.

    Distant supervision: of the passages that BM25 finds for a question's human translation,
    those that say its answer, if a reader agrees. Killed, it goes on where it was.

    Example: xorqa data distant --out distant.json
    """
    files = passages or [data_dir() / name for name in PASSAGES]
    excluded = excluded or sorted(data_dir().glob("tydiqa-goldp/*_dev.json"))
    recipe = DistantRecipe(
        questions=questions or data_dir() / "xor-tydi",
        passages=tuple(files),
        excluded=tuple(excluded),
        k=k,
        reader=None if confirm == "none" else confirm,
        least=least,
        with_english=with_english,
    )
    with progress() as tell:
        counts = make_distant(recipe, out, cache=stage_cache(), progress=tell)
    _print(counts)
    console.print(f"pairs: {out}", soft_wrap=True)


def _print(counts: Counts) -> None:
    """A row for each fate of a question, a column for each language."""
    table = Table("", *sorted(counts), "all")
    for fate in sorted({fate for of_lang in counts.values() for fate in of_lang}):
        numbers = [counts[lang][fate] for lang in sorted(counts)]
        table.add_row(fate, *map(str, (*numbers, sum(numbers))))
    console.print(table)
