"""`xorqa corpus`: passages of one's own, of dumps and of other projects' files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from ..datasets.corpora.make import make_corpus
from .show import console, progress

app = typer.Typer(no_args_is_help=True)


@app.command()
def make(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="MediaWiki .xml, .jsonl, .tsv (psgs_w100), .trec, SQuAD's .json; "
            "each may be packed (.bz2, .gz)."
        ),
    ],
    lang: Annotated[str, typer.Option(help="The language they are in: fi.")],
    out: Annotated[Path, typer.Option(help="The passages, as JSONL.")],
    words: Annotated[int, typer.Option(min=1, help="Tokens in a passage at most.")] = 100,
    workers: Annotated[int, typer.Option(min=0, help="Processes that parse; 0: this one.")] = 0,
) -> None:
    """Cut articles into passages; killed, it goes on where it was.

    Redirects and interlanguage links go beside: OUT.redirects.tsv, OUT.titles.tsv.

    Example: xorqa corpus make fiwiki-pages-articles.xml.bz2 --lang fi --out wiki.fi.jsonl
    """
    began = time.perf_counter()
    with progress() as tell:
        made = make_corpus(
            files,
            out,
            lang=lang,
            size=words,
            workers=workers,
            progress=lambda done, total: tell("bytes read", done, total),
        )
    console.print(
        f"{out}: {made.passages} passages of {made.pages - made.redirects} pages, "
        f"{made.redirects} redirects, {time.perf_counter() - began:.1f} s",
        soft_wrap=True,
    )
