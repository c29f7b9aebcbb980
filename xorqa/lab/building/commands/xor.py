"""`xorqa build xor`: cross-lingual questions with English answers, as XOR QA was made."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from ....cli.options import (
    Changes,
    Format,
    Indexes,
    Langs,
    Tables,
    configs,
    datasets,
    split_langs,
)
from ....cli.show import print_line, progress
from ....core.errors import ConfigError, DataError
from ....core.progress import quantity
from ....core.types import Example
from ....datasets.catalog import load_dataset
from ....datasets.corpus import Corpus
from ....datasets.user_data import read_corpora
from ....io.files import write_json
from ....tables.grid import Grid
from ..coverage import coverage, coverage_grid
from ..english_search import search_english
from ..review import SHARE, review_tasks, verdicts
from ..split import Manner, read_shares, split_examples
from ..tasks import Annotation, Task, of_round, read_tasks
from ..xor import (
    COLUMNS,
    Round,
    answer_tasks,
    answers,
    back_translation_tasks,
    count_rounds,
    difficulty,
    finished,
    select,
    translation_tasks,
    translations,
    verification_tasks,
)
from ..xor_files import (
    add_passages,
    article_titles,
    english_passages,
    read_stored,
    write_questions,
    write_xor,
)
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
LEVELS = "levels.json"
PASSAGES = 5  # shown to annotators

app = typer.Typer(
    no_args_is_help=True, help="Cross-lingual questions with English answers, as XOR QA was made."
)


@app.command()
def export(
    folder: Folder,
    out: TaskFile,
    round: Annotated[
        Round,
        Option(
            help="translation: translate the questions that W_i does not answer; review: others "
            "judge a share of the translations; answer: answer "
            "them from English passages; verification: others judge the answers; "
            "back-translation: translate the answers."
        ),
    ],
    data: Annotated[
        str | None,
        Option(
            help="The questions of the round translation, and the English passages of the round "
            "answer: a data set, or a folder of your own.",
            autocompletion=datasets,
        ),
    ] = None,
    lang: Langs = None,
    sample: Annotated[
        int | None,
        Option(min=1, help="Maximum questions per language that W_i does not answer, by their id."),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        Option(help="With the round answer: other English passages, en=wiki.en.jsonl."),
    ] = None,
    config: Annotated[
        str,
        Option(
            help="With the round answer: the pipeline that searches; its routes over English.",
            autocompletion=configs,
        ),
    ] = "dense",
    changes: Changes = None,
    passages: Annotated[
        int, Option(min=1, help="With the round answer: the passages shown per question.")
    ] = PASSAGES,
    further: Annotated[
        int,
        Option(min=0, help="With the round answer: passages of a second tier, for the others."),
    ] = 0,
    share: Annotated[
        float, Option(min=0, max=1, help="With the round review: the share, at least 1 question.")
    ] = SHARE,
    correct: Annotated[
        bool,
        Option(
            "--correct",
            help="With the round verification: who rejects an answer may mark another one.",
        ),
    ] = False,
    only: Only = None,
    indexes: Indexes = None,
) -> None:
    """Export the annotation tasks of a round as CSV, JSONL or Label Studio's JSON.

    A question without an annotated translation is searched with the data set's own, if it has one.

    Example: xorqa build xor export asked --round translation --data mini --out questions.csv
    """
    if round == "translation":
        tasks = _first_round(folder, data, split_langs(lang), sample)
    elif round == "review":
        qids = {example.question.qid for example in read_stored(folder)[0]}
        tasks = review_tasks(*stored(folder), qids, ["en"], share=share)
    elif round == "answer":
        selected, _ = read_stored(folder)
        english = translations(selected, *stored(folder))
        with progress() as bars:
            hits = search_english(
                english,
                _english_corpus(data, corpus),
                config=config,
                changes=changes or [],
                passages=passages + further,
                indexes=indexes,
                progress=bars,
            )
        add_passages(folder, chain.from_iterable(hits.values()))
        questions = [e.question for e in selected if e.question.qid in english]
        tasks = answer_tasks(questions, english, hits, first=passages)
    else:
        tasks = _later_round(folder, round, correct=correct)
    export_tasks(folder, out, round, tasks, only)


@app.command("import")
def import_(
    folder: Folder,
    files: Files,
    split: Annotated[
        Manner | None,
        Option(help="Split the data set: at random, or by article (not as published)."),
    ] = None,
    shares: Annotated[
        str,
        Option(
            help="With --split: the shares of train, dev and test. XOR QA: random, 90,10,0; its "
            "test set is made from TyDi QA's dev set."
        ),
    ] = "80,10,10",
    seed: Annotated[int, Option(min=0, help="With --split: the random seed.")] = 0,
    report: ReportFile = None,
    any_language: AnyLanguage = False,
    without: Without = None,
    format: Format = "terminal",
) -> None:
    """Check and store annotations, and write the data set and its statistics.

    Files may be of any round. FOLDER/dataset has the questions with a verified answer and those
    that W_i answers: questions.jsonl for `xorqa run --questions`, and XOR QA's files;
    with --split, in folders train, dev and test. FOLDER/dataset/levels.json has which questions
    were answered from the first passages, for `xorqa run --levels`, and FOLDER/statistics.json the
    counts and percentages.

    Example: xorqa build xor import asked verified.csv --split random --shares 90,10,0
    """
    parts_of = read_shares(shares)
    tasks, (selected, in_language) = read_tasks(folder), read_stored(folder)
    titles = article_titles(folder)
    annotations = import_files(
        folder, tasks, files, report, any_language=any_language, without=without
    )
    english = translations(selected, tasks, annotations)
    annotated = answers(tasks, annotations)
    examples = finished(selected, english, annotated, tasks, annotations)
    given = of_round("answer", tasks, annotations)
    impossible = [qid for qid, rows in given.items() if all(row.impossible for _, row in rows)]
    long_only = [qid for qid, rows in given.items() if any(_is_long(row) for _, row in rows)]
    counts = count_rounds(
        selected, in_language, english, annotated, examples, impossible, long_only
    )
    merged = [*examples, *in_language]
    parts = {"": merged}
    if split is not None:
        parts = split_examples(merged, titles, by=split, shares=parts_of, seed=seed)
    for part, of_part in parts.items():
        write_xor(folder / DATASET, of_part, part)
    by_part = {part: _by_lang(of_part) for part, of_part in parts.items() if part}
    write_json(folder / DATASET / LEVELS, difficulty(annotated))
    statistics = {"rounds": counts, "coverage": (percentages := coverage(counts))}
    write_json(folder / "statistics.json", statistics | {"split": split, "parts": by_part})
    tables = Tables(format)
    tables.print_grids([_grid(counts, by_part, split), coverage_grid(percentages)])
    for judged in verdicts(tasks, annotations).values():
        tables.aside(f"review: {judged['yes']} right, {judged['no']} wrong, which stay")
    tables.aside(f"data set: {folder / DATASET} ({quantity(len(merged), 'question')})")


app.command()(quality_of("xor quality asked --gold experts.csv --least 0.8"))


def _is_long(row: Annotation) -> bool:
    return bool(row.passage) and not row.answer


def _first_round(
    folder: Path, data: str | None, langs: list[str] | None, sample: int | None
) -> list[Task]:
    """Store the questions, and return the tasks of those that have no translation yet."""
    if data is None:
        raise ConfigError("the round translation needs --data: a data set, or a folder of your own")
    dataset = load_dataset(data)
    dataset = dataset.only(langs) if langs else dataset
    selected, in_language = select(dataset)
    if sample is not None:
        selected = [*replace(dataset, examples=tuple(selected)).sample(sample).examples]
    if not selected:
        raise ConfigError(f"{data} has no question that W_i leaves unanswered")
    write_questions(folder, selected, in_language, dataset)
    print_line(f"{len(selected)} selected; {len(in_language)} have an answer in W_i")
    return translation_tasks(selected)


def _later_round(folder: Path, round: Round, *, correct: bool) -> list[Task]:
    selected, _ = read_stored(folder)
    tasks, annotations = stored(folder)
    annotated = [*chain.from_iterable(answers(tasks, annotations).values())]
    questions = {example.question.qid: example.question for example in selected}
    english = translations(selected, tasks, annotations)
    passages = english_passages(folder)
    for answer in annotated:
        if answer.qid not in english or answer.docid not in passages:
            raise DataError(
                f"{folder} has no translation or no passage of '{answer.qid:.40}'; export the "
                "round 'answer' again"
            )
    if round == "verification":
        return verification_tasks(annotated, questions, english, passages, correct=correct)
    return back_translation_tasks(annotated, questions, passages)


def _grid(
    counts: Mapping[str, Mapping[str, int]],
    parts: Mapping[str, Mapping[str, int]],
    split: str | None,
) -> Grid:
    """Questions by language and round, and by part."""
    columns = [*COLUMNS, *parts]
    rows = [
        (lang, *(str(row.get(name, parts.get(name, {}).get(lang, 0))) for name in columns))
        for lang, row in counts.items()
    ]
    total = [str(sum(int(row[column]) for row in rows)) for column in range(1, 1 + len(columns))]
    caption = {
        None: "Questions. cross-lingual: with a verified English answer. XOR-Full: with an answer "
        "in the question's language.",
        "random": "Split at random.",
        "article": "Split by article, which is not how XOR QA was split.",
    }
    text = " ".join(dict.fromkeys([caption[None] or "", caption[split] or ""]))
    return Grid("Questions", ("language", *columns), (tuple(rows), (("all", *total),)), text)


def _by_lang(examples: Sequence[Example]) -> dict[str, int]:
    langs = sorted({example.question.lang for example in examples})
    return {lang: sum(e.question.lang == lang for e in examples) for lang in langs}


def _english_corpus(data: str | None, options: list[str] | None) -> Corpus:
    """The English passages of `--corpus`, or those of the data set."""
    corpora = read_corpora(options) if options else {}
    if not corpora and data is not None:
        corpora = dict(load_dataset(data).corpora)
    if "en" not in corpora:
        raise ConfigError("no English passages; name them: --corpus en=FILE, or --data NAME")
    return corpora["en"]
