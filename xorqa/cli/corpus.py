"""`xorqa corpus`: passages from your own documents, dumps and other projects' corpora."""

import time
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from ..core.progress import quantity
from ..datasets.corpora.make import make_corpus
from .options import Wait
from .show import print_line, progress, waiting_if

app = typer.Typer(no_args_is_help=True)


@app.command()
def make(
    files: Annotated[
        list[Path],
        Argument(
            help="Files or folders: text, Markdown, HTML, CSV, PDF, DOCX, MediaWiki .xml, "
            ".jsonl, .tsv (psgs_w100), .trec, SQuAD's .json; each may be compressed (.bz2, .gz)."
        ),
    ],
    out: Annotated[Path, Option(help="The passages, as JSONL.")],
    lang: Annotated[
        str | None, Option(help="The language of the files, such as fi; detected by default.")
    ] = None,
    words: Annotated[int, Option(min=1, help="Maximum tokens per passage.")] = 100,
    workers: Annotated[int, Option(min=0, help="Parsing processes; 0: this process.")] = 0,
    wait: Wait = False,
) -> None:
    """Split documents and articles into passages; a killed run resumes.

    Redirects, links between articles and interlanguage links are written to OUT.redirects.tsv,
    OUT.links.tsv and OUT.titles.tsv.

    Examples: xorqa corpus make handbooks --out handbooks.jsonl
    xorqa corpus make fiwiki-pages-articles.xml.bz2 --lang fi --out wiki.fi.jsonl
    """
    began = time.perf_counter()
    with waiting_if(wait), progress() as report:
        read = partial(report, "bytes read")
        counts = make_corpus(files, out, lang=lang, size=words, workers=workers, progress=read)
    print_line(
        f"{out}: {quantity(counts.passages, 'passage')} of "
        f"{quantity(counts.pages - counts.redirects, 'page')}, "
        f"{quantity(counts.redirects, 'redirect')}, {time.perf_counter() - began:.1f} s"
    )
