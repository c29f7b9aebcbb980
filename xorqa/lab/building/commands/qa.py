"""`xorqa build qa`: a parallel QA set from mined sentences, as MLQA was made."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from ....cli.options import Langs, split_langs
from ....cli.show import counted, print_line
from ....core.errors import ConfigError
from ....core.lang import language
from ....core.progress import quantity
from ....datasets.user_data import read_corpora
from ....io.files import write_json
from ....tables.grid import MISSING
from ..qa import (
    Round,
    Statistics,
    answer_tasks,
    authored,
    check_tasks,
    question_tasks,
    statistics,
    translated,
    translation_tasks,
)
from ..qa_files import write_qa
from ..tasks import Task, read_tasks
from ..units import make_units, read_parallel, read_units, write_units
from .report import (
    AnyLanguage,
    Files,
    Folder,
    ReportFile,
    TaskFile,
    export_tasks,
    import_files,
    stored,
)

DATASET = "dataset"
Pivot = Annotated[str, Option(help="The language that questions are written in.")]

app = typer.Typer(
    no_args_is_help=True, help="A parallel QA set from mined sentences, as MLQA was made."
)


@app.command()
def export(
    folder: Folder,
    out: TaskFile,
    round: Annotated[
        Round,
        Option(
            help="question: write questions about the sentences; answer: others answer them; "
            "translation: translate both."
        ),
    ],
    sentences: Annotated[
        Path | None,
        Option(help="With the round question: parallel sentences, the output of xorqa mine."),
    ] = None,
    langs: Annotated[
        str | None, Option(help="The languages of sentences mined without --pivot: en,fi.")
    ] = None,
    corpus: Annotated[
        list[str] | None,
        Option(help="The passages that the sentences are from: fi=wiki.fi.jsonl; repeatable."),
    ] = None,
    lang: Langs = None,
    pivot: Pivot = "en",
) -> None:
    """Export the annotation tasks of a round as CSV, JSONL or Label Studio's JSON.

    --lang selects the target languages of the round translation.

    Example: xorqa build qa export rivers --round question --sentences parallel.tsv --corpus
    en=wiki.en.jsonl --corpus fi=wiki.fi.jsonl --out questions.csv
    """
    code = language(pivot).code
    if round == "question":
        tasks = _first_round(
            folder, sentences, split_langs([langs] if langs else None), corpus, code
        )
    else:
        units = read_units(folder)
        tasks_so_far, annotations = stored(folder)
        check_tasks(tasks_so_far.values(), units, code)
        questions = authored(tasks_so_far, annotations, units, code)
        others = {lang for unit in units.values() for lang in unit.contexts} - {code}
        if round == "answer":
            tasks = answer_tasks(questions, units, code)
        else:
            tasks = translation_tasks(questions, units, split_langs(lang) or sorted(others))
    export_tasks(folder, out, round, tasks)


@app.command("import")
def import_(
    folder: Folder,
    files: Files,
    report: ReportFile = None,
    any_language: AnyLanguage = False,
    pivot: Pivot = "en",
) -> None:
    """Check and store annotations, filter the questions, and write the data set.

    Files may be of any round. FOLDER/dataset has SQuAD-style files for `xorqa mlqa` and
    `xorqa lareqa`, and questions and passages for `xorqa run`; FOLDER/statistics.json the counts.

    Example: xorqa build qa import rivers questions.csv
    """
    code = language(pivot).code
    tasks, units = read_tasks(folder), read_units(folder)
    check_tasks(tasks.values(), units, code)
    annotations = import_files(folder, tasks, files, report, any_language=any_language)
    questions = authored(tasks, annotations, units, code)
    translations = translated(tasks, annotations, questions)
    counts = statistics(tasks, annotations, questions, translations, code)
    write_json(folder / "statistics.json", asdict(counts))
    write_json(folder / "questions.json", [asdict(question) for question in questions])
    _print_statistics(counts)
    if any(question.reason is None for question in questions):
        write_qa(folder / DATASET, questions, translations, units, code)
        print_line(f"data set: {folder / DATASET}")


def _first_round(
    folder: Path,
    sentences: Path | None,
    langs: list[str] | None,
    corpus: list[str] | None,
    pivot: str,
) -> list[Task]:
    if sentences is None:
        raise ConfigError("the round question needs --sentences, the output of xorqa mine")
    rows = read_parallel(sentences, langs)
    units, lost = make_units(rows, read_corpora(corpus or []), pivot=pivot)
    if lost:
        print_line(f"{quantity(lost, 'sentence')} in no passage of --corpus")
    if not units:
        raise ConfigError(f"{sentences} has no sentence in {pivot} and another language")
    write_units(folder, units)
    return question_tasks(units, pivot=pivot)


def _print_statistics(counts: Statistics) -> None:
    print_line(f"questions: {counts.written} written, {counts.kept} kept")
    if counts.rejected:
        print_line(f"rejected: {counted(counts.rejected)}")
    agreed = MISSING if counts.agreement is None else f"{100 * counts.agreement:.1f}"
    majority = MISSING if counts.majority is None else f"{100 * counts.majority:.1f}"
    print_line(f"agreement between annotators (F1): {agreed}; with equal answers: {majority} %")
    print_line(f"questions by language: {counted(counts.per_lang)}")
    if counts.unanswered:
        print_line(f"without an answer in the passage: {counted(counts.unanswered)}")
    ways = {f"in {n} languages": count for n, count in counts.languages.items()}
    print_line(f"parallel: {counted(ways) or 'none'}")
