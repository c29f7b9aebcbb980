"""`xorqa eval`: score prediction files as the published scripts do, or as in the papers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from ...datasets.catalog import data_file
from ...datasets.ir_datasets import collection_qrels, is_collection
from ...io.squad_xor import read_langs
from ...io.trec import Qrels, read_qrels, read_run
from ...metrics.ranking import MEASURES, score_ranking
from ...metrics.registry import TASKS, find_task
from ...metrics.report import Score
from ...metrics.tasks.xor_retrieve import DEFAULT_K
from ..commands import LazyGroup, open_group
from ..options import (
    DiffOption,
    Format,
    JsonFile,
    LangOption,
    LimitOption,
    QuestionsOption,
    ScorerOption,
    Wide,
)
from .scoring import DEFAULT_LIMIT, Output, print_scores, read_inputs, score_and_print

EXTERNAL = "my_package:MyTask"


class TaskGroup(LazyGroup):
    """The commands of `eval`, where `module:name` stands for a task from outside the package."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, EXTERNAL if ":" in cmd_name else cmd_name)


app = open_group("eval", cls=TaskGroup)

Data = Annotated[Path, Option("--data", help="XOR QA data, JSONL with answers.")]
Pred = Annotated[Path, Option("--pred", help="Predictions in the task's official format.")]
Files = Annotated[
    list[Path], Option("--data", help="The task's data files, with answers; repeatable.")
]
Predictions = Annotated[
    list[Path], Option("--pred", help="Predictions, one for each --data or one for all.")
]


def xor_retrieve(
    data: Data,
    pred: Pred,
    k: Annotated[
        list[int] | None, Option(min=1, help="Thousands of tokens; repeatable; 2 and 5 by default.")
    ] = None,
    scorer: ScorerOption = None,
    json_file: JsonFile = None,
    per_question: QuestionsOption = None,
    diff: DiffOption = False,
    limit: LimitOption = DEFAULT_LIMIT,
    format: Format = "terminal",
    wide: Wide = False,
) -> None:
    """R@kt: is an answer within the first k thousand tokens of the passages?

    Example: xorqa eval xor-retrieve --data dev.jsonl --pred pred.json --k 2 --k 5
    """
    task = find_task("xor-retrieve")
    output = Output(scorer, json_file, per_question, diff, limit, format, wide)
    score_and_print(task, read_inputs(task, [data], [pred]), output, k=k or DEFAULT_K)


def _task(
    context: typer.Context,
    data: Files,
    pred: Predictions,
    lang: LangOption = None,
    scorer: ScorerOption = None,
    json_file: JsonFile = None,
    per_question: QuestionsOption = None,
    diff: DiffOption = False,
    limit: LimitOption = DEFAULT_LIMIT,
    format: Format = "terminal",
    wide: Wide = False,
) -> None:
    task = find_task(str(context.info_name))
    output = Output(scorer, json_file, per_question, diff, limit, format, wide)
    score_and_print(task, read_inputs(task, data, pred, lang=lang), output)


def xor_full(
    data: Files,
    pred: Predictions,
    over_seven: Annotated[
        bool,
        Option("--over-seven", help="Add macro_over_seven even if some of the seven are missing."),
    ] = False,
    lang: LangOption = None,
    scorer: ScorerOption = None,
    json_file: JsonFile = None,
    per_question: QuestionsOption = None,
    diff: DiffOption = False,
    limit: LimitOption = DEFAULT_LIMIT,
    format: Format = "terminal",
    wide: Wide = False,
) -> None:
    """XOR-Full: the answer in the question's language.

    macro is the mean over the languages present. macro_over_seven divides by seven, as XOR QA's
    script does; it is reported if all seven languages are present.

    Example: xorqa eval xor-full --data dev.jsonl --pred pred.json --over-seven
    """
    task = find_task("xor-full")
    if over_seven:
        task = replace(task, summarise=partial(task.summarise, over_seven=True))
    output = Output(scorer, json_file, per_question, diff, limit, format, wide)
    score_and_print(task, read_inputs(task, data, pred, lang=lang), output)


WITH_OPTIONS: dict[str, Callable[..., None]] = {
    "xor-retrieve": xor_retrieve,
    "xor-full": xor_full,
}
"""The commands of tasks that have options of their own."""

for name in TASKS:
    if name in WITH_OPTIONS:
        app.command(name)(WITH_OPTIONS[name])
    else:
        app.command(name, help=f"{find_task(name).title}.")(_task)
app.command(EXTERNAL, help="Your own task, which Python can import.")(_task)


@app.command("ranking")
def score_run(
    data: Annotated[str, Option(help="TREC qrels, or a collection: ir_datasets:ID.")],
    pred: Annotated[Path, Option(help="A TREC run.")],
    measure: Annotated[
        list[str] | None,
        Option(
            help=f"Repeatable; by default {' '.join(MEASURES)}, or those that a collection states."
        ),
    ] = None,
    tag: Annotated[str | None, Option(help="The tag of the run, if the file has several.")] = None,
    queries: Annotated[
        Path | None, Option(help="JSONL with qid and lang, such as a run's queries.jsonl.")
    ] = None,
    scorer: ScorerOption = None,
    json_file: JsonFile = None,
    per_question: QuestionsOption = None,
    format: Format = "terminal",
    wide: Wide = False,
) -> None:
    """Ranking measures; official leaves out queries without results, strict scores them 0.

    These are trec_eval's means without and with its option -c. Measures have the names of
    ir_measures; mAP(pool) is LAReQA's, mAP@20 is XTREME-R's.

    Example: xorqa eval ranking --data qrels.txt --pred run.trec --measure mAP@20
    """
    langs = read_langs(queries) if queries else None
    run, (qrels, measures) = read_run(pred, tag=tag), _judgements(data)
    ranking = score_ranking(run, qrels, measures=measure or measures or MEASURES, langs=langs)

    def score(by: str) -> list[Score]:
        return [row for row in ranking.scores if by == "strict" or row.qid not in ranking.missing]

    problems = {"missing id": ranking.missing, "extra id": ranking.extra}
    output = Output(scorer, json_file, per_question, format=format, wide=wide)
    print_scores("ranking", score, output, problems=problems)


def _judgements(data: str) -> tuple[Qrels, Sequence[str]]:
    """The qrels of a file or a collection, and the measures that the collection states."""
    return (
        collection_qrels(data) if is_collection(data) else (read_qrels(data_file(Path(data))), ())
    )
