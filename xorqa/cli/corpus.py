"""`xorqa corpus`: passages from your own documents, dumps and other projects' corpora."""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from ..core.progress import quantity
from ..datasets.corpora.make import make_corpus
from .options import AsJson, Wait
from .show import counting_notices, print_json, print_line, progress, waiting_if

_EXAMPLES = 10  # of names of templates

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
    encoding: Annotated[
        str,
        Option(
            help="The encoding of the text files, such as windows-1251; by default their own, or "
            "a guess, which is printed."
        ),
    ] = "",
    words: Annotated[int, Option(min=1, help="Maximum tokens per passage.")] = 100,
    workers: Annotated[int, Option(min=0, help="Parsing processes; 0: this process.")] = 0,
    as_json: AsJson = False,
    wait: Wait = False,
) -> None:
    """Split documents and articles into passages; a killed run resumes.

    What is not read, such as navigation, deleted text and templates, is counted by kind; guessed
    encodings and languages are reported for each file, and counted in --json.

    Redirects, links between articles and interlanguage links are written to OUT.redirects.tsv,
    OUT.links.tsv and OUT.titles.tsv.

    Examples: xorqa corpus make handbooks --out handbooks.jsonl
    xorqa corpus make letters --encoding koi8-r --out letters.jsonl
    xorqa corpus make fiwiki-pages-articles.xml.bz2 --lang fi --out wiki.fi.jsonl
    """
    began = time.perf_counter()
    with waiting_if(wait), counting_notices() as notices, progress() as report:
        read = partial(report, "bytes read")
        counts = make_corpus(
            files, out, lang=lang, size=words, encoding=encoding, workers=workers, progress=read
        )
    seconds = time.perf_counter() - began
    if as_json:
        skipped = {
            kind: {"count": count, "characters": characters}
            for kind, (count, characters) in counts.skipped.items()
        }
        table = {"out": str(out), **asdict(counts), "skipped": skipped}
        table |= {"notices": dict(notices), "seconds": seconds}
        print_json(table)
        return
    print_line(
        f"{out}: {quantity(counts.passages, 'passage')} of "
        f"{quantity(counts.pages - counts.redirects, 'page')}, "
        f"{quantity(counts.redirects, 'redirect')}, {seconds:.1f} s"
    )
    if counts.skipped:
        print_line(f"Not read: {counts.skipped}")
    if counts.templates:
        print_line(_templates(counts.templates))


def _templates(counts: Mapping[str, int]) -> str:
    common = Counter(counts).most_common(_EXAMPLES)
    names = ", ".join(f"{name} {count:,}" for name, count in common)
    more = f", and {len(counts) - len(common):,} more names" if len(counts) > len(common) else ""
    return f"Templates without text: {sum(counts.values()):,} ({names}{more})"
