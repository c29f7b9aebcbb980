"""`xorqa data`: list, fetch, show, check and export data sets."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table
from typer import Argument, Option

from ..core.errors import ConfigError, one_of
from ..core.quantity import quantity
from ..core.text.control_characters import visible
from ..core.types import Example, Passage
from ..datasets.catalog import CATALOG, find_dataset, load_dataset
from ..datasets.check_folder import ERRORS, KINDS, Checked, FolderProblem, check_folder
from ..datasets.dataset import Dataset
from ..datasets.export import EXPORTS
from ..datasets.fetch import fetch as fetch_publication
from ..datasets.fetch import missing_files
from ..datasets.own_folder import PASSAGES, is_own_folder
from ..datasets.publications import PUBLICATIONS
from ..datasets.subsets import NOWHERE
from ..datasets.without_gold import without_gold
from ..io.files import write_json
from .commands import open_group
from .options import AsJson, JsonFile, Langs, datasets, publications, split_langs
from .show import console, counted, print_json, print_line, progress

app = open_group("data")


EXAMPLES = 5  # of each kind, without --all


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
    langs = _selected(dataset, split_langs(lang))
    if titles:
        rows = {(p.lang, p.title): None for p in _passages(dataset) if p.title}
        _print_rows(rows, langs)
    elif passages:
        _print_rows(((p.lang, p.docid, p.title, p.text) for p in _passages(dataset)), langs)
    elif questions:
        every_question = (example.question for example in dataset.examples)
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
        _show_example(first)


def _show_example(first: Example) -> None:
    console.print(f"{first.question.qid} {first.question.text}")
    if first.human_translation is not None:
        console.print(f"  = {first.human_translation}")
    for gold in first.golds:
        console.print(f"  {gold.lang}: {gold.text}  {gold.docid or ''}")


def _selected(dataset: Dataset, langs: Sequence[str] | None) -> Collection[str]:
    """The selected languages, or all languages of the questions and passages.

    Raises:
        ConfigError: for a language that the data set does not have; the message lists those it has.
    """
    of_questions = {example.question.lang for example in dataset.examples}
    valid = of_questions | {*dataset.corpora} | {passage.lang for passage in _passages(dataset)}
    for lang in langs or ():
        if lang not in valid:
            raise ConfigError(f"{dataset.name} has nothing in '{lang}'; valid: {one_of(valid)}")
    return langs or valid


def _passages(dataset: Dataset) -> Iterator[Passage]:
    for corpus in dataset.corpora.values():
        yield from corpus


def _print_rows(rows: Iterable[tuple[str, ...]], langs: Collection[str]) -> None:
    """Print a line per row whose language, the first cell, is selected."""
    for row in rows:
        if row[0] in langs:
            print("\t".join(visible(" ".join(cell.split())) for cell in row))


@app.command("check")
def check(
    folder: Annotated[
        Path, Argument(help="The folder: questions.fi.jsonl, passages.fi.jsonl, ...")
    ],
    json_file: JsonFile = None,
    everything: Annotated[
        bool, Option("--all", help=f"Show more than {EXAMPLES} problems of a kind.")
    ] = False,
) -> None:
    """Check a data set of your own: ids, gold passages, spans, duplicates and languages.

    The exit status is 1 if there is an error; warnings may be intended.

    Example: xorqa data check rivers
    """
    if not is_own_folder(folder):
        raise ConfigError(f"{folder} has no questions.jsonl or questions.*.jsonl")
    checked = check_folder(folder)
    if json_file:
        write_json(json_file, asdict(checked) | {"valid": checked.is_valid})
    print_line(f"questions: {counted(checked.questions) or 'none'}")
    print_line(f"passages: {counted(checked.passages) or f'none ({PASSAGES})'}")
    for kind in KINDS:
        _print_kind(kind, [p for p in checked.problems if p.kind == kind], everything)
    print_line(_verdict(folder, checked))
    if not checked.is_valid:
        raise typer.Exit(1)


@app.command("export")
def export(
    name: Annotated[
        str, Argument(help="A data set, or a folder of your own.", autocompletion=datasets)
    ],
    out: Annotated[Path, Option(help="The folder of the files.")],
    format: Annotated[
        Literal["xor", "squad", "trec", "folder"],
        Option(
            help="xor: XOR QA's JSONL and psgs_w100 TSV; squad: SQuAD-style JSON; trec: topics, "
            "qrels and documents; folder: for --data FOLDER."
        ),
    ],
    share: Annotated[
        float | None,
        Option(
            "--without-gold",
            min=0,
            max=1,
            help="Remove this share of the gold passages, so that questions have no answer.",
        ),
    ] = None,
    seed: Annotated[int, Option(min=0, help="--without-gold: which passages are drawn.")] = 0,
) -> None:
    """Write a data set in the layout of XOR QA, SQuAD or TREC, or as a folder of your own.

    Examples: xorqa data export rivers --format trec --out rivers-trec
    xorqa data export mini --format folder --without-gold 0.33 --out gaps
    """
    dataset = load_dataset(name)
    if share is not None:
        dataset = without_gold(dataset, share, seed=seed)
        nowhere = [e.question.lang for e in dataset.examples if e.answered_in == NOWHERE]
        print_line(f"questions without an answer: {counted(Counter(nowhere)) or 'none'}")
    for file, count in EXPORTS[format](dataset, out).items():
        unit = "passage" if file.startswith("passages") else "question"
        print_line(f"{out / file}: {quantity(count, unit)}")


def _print_kind(kind: str, problems: Sequence[FolderProblem], everything: bool) -> None:
    if not problems:
        return
    level = "error" if kind in ERRORS else "warning"
    print_line(f"{level}: {kind}: {len(problems)}")
    shown = problems if everything else problems[:EXAMPLES]
    for problem in shown:
        print_line(f"  {problem.where}: {problem.detail}")
    if len(shown) < len(problems):
        print_line(f"  and {len(problems) - len(shown)} more (--all)")


def _verdict(folder: Path, checked: Checked) -> str:
    if not checked.is_valid:
        return f"{folder}: correct the errors before you use it"
    return f"{folder} is valid; run it with: xorqa run CONFIG --data {folder}"
