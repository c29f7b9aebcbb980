"""`xorqa data`: list, fetch and show data sets."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from typer import Argument, Option

from ..datasets.catalog import CATALOG, find_dataset, load_dataset
from ..datasets.fetch import fetch as fetch_publication
from ..datasets.fetch import missing_files
from ..datasets.publications import PUBLICATIONS
from .distant import distant
from .options import AsJson
from .show import console, print_json, progress
from .synthetic import synthetic

app = typer.Typer(no_args_is_help=True)
app.command("distant")(distant)
app.command("synthetic")(synthetic)


@app.command("list")
def list_() -> None:
    """List the data sets and the publications they are built from, and which are available."""
    table = Table("name", "description", "licence", "built from", "available")
    for name in CATALOG:
        entry = find_dataset(name)
        available = "no" if entry.absent() else "yes"
        sources = " + ".join(entry.sources) or "the package"
        table.add_row(name, entry.about, entry.license, sources, available)
    console.print(table)
    table = Table("publication", "permitted use", "licence", "fetched")
    for name, publication in PUBLICATIONS.items():
        fetched = "no" if missing_files(name) else "yes"
        table.add_row(name, publication.use, publication.license, fetched)
    console.print(table)


@app.command()
def fetch(
    names: Annotated[list[str], Argument(metavar="PUBLICATION...", help="squad, xquad, ...")],
    copy_from: Annotated[
        Path | None, Option("--from", help="A folder with a local copy: DIR/squad/...")
    ] = None,
) -> None:
    """Fetch published data from its official address or a local copy.

    Example: xorqa data fetch squad xquad --from ~/datasets
    """
    for name in names:
        with progress() as report:
            folder = fetch_publication(name, copy_from=copy_from, progress=report)
        console.print(f"{name}: {folder}", soft_wrap=True)


@app.command()
def show(name: str, as_json: AsJson = False) -> None:
    """Show a data set's counts and its first question."""
    dataset = load_dataset(name)
    questions = Counter(example.question.lang for example in dataset.examples)
    passages = {corpus.name: len(corpus) for corpus in dataset.corpora.values()}
    if as_json:
        print_json({"name": name, "questions": questions, "passages": passages})
        return
    table = Table("corpus", "passages", "language", "questions")
    for lang in sorted({*dataset.corpora, *questions}):
        corpus = dataset.corpora.get(lang)
        columns = (corpus.name, str(len(corpus))) if corpus else ("–", "0")
        table.add_row(*columns, lang, str(questions.get(lang, 0)))
    entry = find_dataset(name)
    console.print(f"{name}: {entry.about} ({entry.license})")
    console.print(table)
    first = dataset.examples[0]
    console.print(f"{first.question.qid} {first.question.text}")
    if first.human_translation is not None:
        console.print(f"  = {first.human_translation}")
    for gold in first.golds:
        console.print(f"  {gold.lang}: {gold.text}  {gold.docid or ''}")
