"""`xorqa build qa`: a parallel QA set from mined sentences, as MLQA was made."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from ....cli.options import FileLang, Langs, split_langs
from ....cli.show import counted, print_line
from ....core.errors import ConfigError, DataError
from ....core.lang import in_name, language
from ....core.progress import quantity
from ....datasets.catalog import data_file
from ....datasets.user_data import read_corpora
from ....io.files import write_json
from ....io.squad_xor import read_squad
from ....tables.grid import MISSING
from ..agreement import agreement as answer_agreement
from ..agreement import has_majority
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
    without_answer,
)
from ..qa_files import split_by_article, write_qa, write_without_answer
from ..review import SHARE, answer_lengths, review_tasks, verdicts
from ..tasks import Task, read_tasks
from ..units import make_units, read_parallel, read_units, write_units
from .quality import quality_of
from .report import (
    AnyLanguage,
    Files,
    Folder,
    Only,
    ReportFile,
    TaskFile,
    Without,
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
            "translation: translate both; review: others judge a share of the translations."
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
    share: Annotated[
        float,
        Option(min=0, max=1, help="With the round review: the share of each language, at least 1."),
    ] = SHARE,
    only: Only = None,
) -> None:
    """Export the annotation tasks of a round as CSV, JSONL or Label Studio's JSON.

    --lang selects the target languages of the rounds translation and review.

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
        targets = split_langs(lang) or sorted(others)
        if round == "answer":
            tasks = answer_tasks(questions, units, code)
        elif round == "review":
            kept = {question.id for question in questions if question.reason is None}
            tasks = review_tasks(tasks_so_far, annotations, kept, targets, share=share)
        else:
            tasks = translation_tasks(questions, units, targets)
    export_tasks(folder, out, round, tasks, only)


@app.command("import")
def import_(
    folder: Folder,
    files: Files,
    report: ReportFile = None,
    any_language: AnyLanguage = False,
    pivot: Pivot = "en",
    dev: Annotated[
        float,
        Option(min=0, max=1, help="The share of articles for FOLDER/dev; the rest is FOLDER/test."),
    ] = 0.0,
    without: Without = None,
) -> None:
    """Check and store annotations, filter the questions, and write the data set.

    Files may be of any round. FOLDER/dataset has SQuAD-style files for `xorqa mlqa` and
    `xorqa lareqa`, and questions and passages for `xorqa run`; FOLDER/without-answer the questions
    that nothing in a target passage answers; FOLDER/statistics.json the counts.

    Examples: xorqa build qa import rivers questions.csv

    xorqa build qa import rivers fi.csv --dev 0.1
    """
    code = language(pivot).code
    tasks, units = read_tasks(folder), read_units(folder)
    check_tasks(tasks.values(), units, code)
    annotations = import_files(
        folder, tasks, files, report, any_language=any_language, without=without
    )
    questions = authored(tasks, annotations, units, code)
    translations = translated(tasks, annotations, questions)
    counts = statistics(tasks, annotations, questions, translations, code)
    lengths, judged = answer_lengths(questions, translations, code), verdicts(tasks, annotations)
    further = {"answer_words": lengths, "review": judged}
    write_json(folder / "statistics.json", asdict(counts) | further)
    write_json(folder / "questions.json", [asdict(question) for question in questions])
    _print_statistics(counts)
    for target, means in lengths.items():
        print_line(
            f"words of an answer in {target}: {means[target]:.1f}; {code}: {means[code]:.1f}"
        )
    for target, found in judged.items():
        print_line(f"review in {target}: {found['yes']} right, {found['no']} wrong, which stay")
    if any(question.reason is None for question in questions):
        write_qa(folder / DATASET, questions, translations, units, code)
        print_line(f"data set: {folder / DATASET}")
        unanswered = without_answer(tasks, annotations, questions)
        write_without_answer(folder / "without-answer", questions, unanswered, units)
    if dev:
        for part, ids in split_by_article(questions, units, code, dev).items():
            of_part = [question for question in questions if question.id in ids]
            if any(question.reason is None for question in of_part):
                write_qa(
                    folder / part,
                    of_part,
                    [row for row in translations if row.id in ids],
                    units,
                    code,
                )
            print_line(f"{part}: {quantity(sum(q.reason is None for q in of_part), 'question')}")


app.command()(quality_of("qa quality rivers --gold experts.csv --least 0.8"))


@app.command()
def agreement(
    files: Annotated[
        list[Path], Argument(help="SQuAD-style JSON with several answers per question.")
    ],
    lang: FileLang = None,
) -> None:
    """How well the annotators of given files agree: mean F1 of their answers, equal answers.

    As MLQA reports of its own and of SQuAD's answers (section 2.2), by MLQA's normalisation.

    Example: xorqa build qa agreement squad/dev-v1.1.json --lang en
    """
    for file in map(data_file, files):
        code = lang or in_name(file.name)
        if code is None:
            raise ConfigError(f"name the language of {file} with --lang; its name has none")
        rows = [q.answers for q in read_squad(file, needs_offsets=False) if len(q.answers) > 1]
        if not rows:
            raise DataError(f"{file} has no question with two answers or more")
        values = [answer_agreement(answers, code) or 0.0 for answers in rows]
        f1, equal = (100 * sum(of) / len(rows) for of in (values, map(has_majority, rows)))
        print_line(
            f"{file}: {quantity(len(rows), 'question')} with several answers, agreement (F1) "
            f"{f1:.1f}, with equal answers {equal:.1f} %"
        )


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
