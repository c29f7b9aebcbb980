"""`xorqa data`: which data sets there are, where they come from, what is in them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ..datasets.catalog import CATALOG, load_dataset
from ..datasets.fetch import fetch as fetch_source
from ..datasets.fetch import missing
from ..datasets.sources import SOURCES
from .distant import distant
from .show import console, progress

app = typer.Typer(no_args_is_help=True)
app.command("distant")(distant)


@app.command("list")
def list_() -> None:
    """List the data sets, the publications to fetch, and whether they are here."""
    table = Table("name", "what it is", "licence", "made of", "here")
    for name, entry in CATALOG.items():
        here = not entry.absent()
        sources = " + ".join(entry.sources) or "the package"
        table.add_row(name, entry.about, entry.license, sources, "yes" if here else "no")
    console.print(table)
    table = Table("publication", "may be used for", "licence", "here")
    for name, source in SOURCES.items():
        here = not missing(name)
        table.add_row(name, source.use, source.license, "yes" if here else "no")
    console.print(table)


@app.command()
def fetch(
    sources: Annotated[list[str], typer.Argument(help="squad, xquad, ...")],
    copy_from: Annotated[
        Path | None, typer.Option("--from", help="A folder with a local copy: DIR/squad/...")
    ] = None,
) -> None:
    """Fetch published data, from its official address or a local copy.

    Example: xorqa data fetch squad xquad --from ~/datasets
    """
    for source in sources:
        with progress() as tell:
            folder = fetch_source(source, copy_from=copy_from, progress=tell)
        console.print(f"{source}: {folder}", soft_wrap=True)


@app.command()
def show(
    name: str,
    as_json: Annotated[bool, typer.Option("--json", help="Counts as JSON.")] = False,
) -> None:
    """Show a data set's counts and its first question."""
    dataset = load_dataset(name)
    questions = Counter(example.question.lang for example in dataset.examples)
    passages = {corpus.name: len(corpus) for corpus in dataset.corpora.values()}
    if as_json:
        print(json.dumps({"name": name, "questions": questions, "passages": passages}))
        return
    table = Table("corpus", "passages", "language", "questions")
    for lang in sorted({*dataset.corpora, *questions}):
        corpus = dataset.corpora.get(lang)
        here = (corpus.name, str(len(corpus))) if corpus else ("–", "0")
        table.add_row(*here, lang, str(questions.get(lang, 0)))
    console.print(f"{name}: {CATALOG[name].about} ({CATALOG[name].license})")
    console.print(table)
    first = dataset.examples[0]
    console.print(f"{first.question.qid} {first.question.text}", highlight=False)
    console.print(f"  = {first.human_translation}", highlight=False)
    for gold in first.golds:
        console.print(f"  {gold.lang}: {gold.text}  {gold.docid or ''}", highlight=False)
