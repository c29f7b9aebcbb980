"""`xorqa data`: list, fetch and show data sets."""

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated

from rich.table import Table
from typer import Argument, Option

from ..core.errors import ConfigError, one_of
from ..core.text.normalize import visible
from ..datasets.catalog import CATALOG, PUBLICATIONS, find_dataset, load_dataset, missing_files
from ..datasets.dataset import Dataset
from ..datasets.fetch import fetch as fetch_publication
from .commands import open_group
from .options import AsJson, Langs, datasets, publications, split_langs
from .show import console, print_json, progress

app = open_group("data")


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
    names: Annotated[
        list[str],
        Argument(metavar="PUBLICATION...", help="squad, xquad, ...", autocompletion=publications),
    ],
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
def show(
    name: Annotated[str, Argument(autocompletion=datasets)],
    titles: Annotated[bool, Option("--titles", help="Print the articles' titles.")] = False,
    passages: Annotated[bool, Option("--passages", help="Print the passages.")] = False,
    questions: Annotated[bool, Option("--questions", help="Print the questions.")] = False,
    lang: Langs = None,
    as_json: AsJson = False,
) -> None:
    """Show a data set's counts and its first question, or its titles, passages or questions.

    Titles, passages and questions are printed as tab-separated lines that begin with the language.

    Example: xorqa data show mini --questions --lang ko
    """
    if titles + passages + questions > 1:
        raise ConfigError("use only one of --titles, --passages and --questions")
    dataset = load_dataset(name)
    every_question = [example.question for example in dataset.examples]
    every_passage = [passage for corpus in dataset.corpora.values() for passage in corpus]
    valid = {*dataset.corpora, *(question.lang for question in every_question)}
    valid |= {passage.lang for passage in every_passage}
    langs = split_langs(lang) or valid
    for code in langs:
        if code not in valid:
            raise ConfigError(f"{dataset.name} has nothing in '{code}'; valid: {one_of(valid)}")
    if titles:
        rows = {(p.lang, p.title): None for p in every_passage if p.title}
        _print_rows(rows, langs)
    elif passages:
        _print_rows(((p.lang, p.docid, p.title, p.text) for p in every_passage), langs)
    elif questions:
        _print_rows(((q.lang, q.qid, q.text) for q in every_question), langs)
    else:
        _show_counts(name, dataset, langs, as_json=as_json)


def _show_counts(name: str, dataset: Dataset, langs: Collection[str], *, as_json: bool) -> None:
    examples = [example for example in dataset.examples if example.question.lang in langs]
    questions = Counter(example.question.lang for example in examples)
    corpora = {lang: corpus for lang, corpus in dataset.corpora.items() if lang in langs}
    passages = {corpus.name: len(corpus) for corpus in corpora.values()}
    if as_json:
        print_json({"name": name, "questions": questions, "passages": passages})
        return
    table = Table("corpus", "passages", "language", "questions")
    for lang in sorted({*corpora, *questions}):
        corpus = corpora.get(lang)
        columns = (corpus.name, str(len(corpus))) if corpus else ("–", "0")
        table.add_row(*columns, lang, str(questions.get(lang, 0)))
    entry = find_dataset(name)
    console.print(f"{name}: {entry.about} ({entry.license})")
    console.print(table)
    for first in examples[:1]:
        console.print(f"{first.question.qid} {first.question.text}")
        if first.human_translation is not None:
            console.print(f"  = {first.human_translation}")
        for gold in first.golds:
            console.print(f"  {gold.lang}: {gold.text}  {gold.docid or ''}")


def _print_rows(rows: Iterable[tuple[str, ...]], langs: Collection[str]) -> None:
    """Print a line per row whose language, the first cell, is selected."""
    for row in rows:
        if row[0] in langs:
            print("\t".join(visible(" ".join(cell.split())) for cell in row))
