"""`xorqa eval`: score prediction files as the published scripts do, or as in the papers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer
from typer import Option

from ..core.errors import ConfigError, one_of
from ..datasets.catalog import data_file
from ..datasets.ir_datasets import collection_qrels, is_collection
from ..io.predictions import KINDS, Problem, check
from ..io.squad_xor import read_langs
from ..io.trec import read_qrels, read_run
from ..metrics.ranking import MEASURES, score_ranking
from ..metrics.registry import TASKS, find_scorer, find_task
from ..metrics.report import Reference, Report, Score, average, write_scores
from ..metrics.scorer_differences import differences
from ..metrics.task import SCORERS, Task
from ..metrics.tasks.xor_retrieve import DEFAULT_K, XOR_RETRIEVE
from ..tables.grid import score_grid
from .commands import LazyGroup, open_group
from .differences import print_differences
from .options import FileLang, ScoringOutput, with_groups
from .show import counted, counting_notices

BOTH = "both"
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


@dataclass(frozen=True, slots=True)
class EvalOutput(ScoringOutput):
    """The output of a command that can also show where the two scorers differ."""

    diff: Annotated[
        bool,
        Option(
            "--diff",
            help="Show the questions on which the two scorers disagree: prediction, gold and "
            "passage.",
        ),
    ] = False
    limit: Annotated[int, Option(min=1, help="With --diff: questions per reason and language.")] = 3


@with_groups
def xor_retrieve(
    data: Data,
    pred: Pred,
    output: EvalOutput,
    k: Annotated[
        list[int] | None, Option(min=1, help="Thousands of tokens; repeatable; 2 and 5 by default.")
    ] = None,
) -> None:
    """R@kt: is an answer within the first k thousand tokens of the passages?

    Example: xorqa eval xor-retrieve --data dev.jsonl --pred pred.json --k 2 --k 5
    """
    _evaluate(find_task("xor-retrieve"), [data], [pred], output, k=k or DEFAULT_K)


@with_groups
def _task(
    context: typer.Context,
    data: Files,
    pred: Predictions,
    output: EvalOutput,
    lang: FileLang = None,
) -> None:
    _evaluate(find_task(str(context.info_name)), data, pred, output, lang=lang)


@with_groups
def xor_full(
    data: Files,
    pred: Predictions,
    output: EvalOutput,
    over_seven: Annotated[
        bool,
        Option("--over-seven", help="Add macro_over_seven even if some of the seven are missing."),
    ] = False,
    lang: FileLang = None,
) -> None:
    """XOR-Full: the answer in the question's language.

    macro is the mean over the languages present. macro_over_seven divides by seven, as XOR QA's
    script does; it is reported if all seven languages are present.

    Example: xorqa eval xor-full --data dev.jsonl --pred pred.json --over-seven
    """
    task = find_task("xor-full")
    if over_seven:
        task = replace(task, summarise=partial(task.summarise, over_seven=True))
    _evaluate(task, data, pred, output, lang=lang)


WITH_OPTIONS: dict[str, Callable[..., None]] = {"xor-retrieve": xor_retrieve, "xor-full": xor_full}
"""The commands of tasks that have options of their own."""

for name in TASKS:
    if name in WITH_OPTIONS:
        app.command(name)(WITH_OPTIONS[name])
    else:
        app.command(name, help=f"{find_task(name).title}.")(_task)
app.command(EXTERNAL, help="Your own task, which Python can import.")(_task)


@app.command("ranking")
@with_groups
def score_run(
    data: Annotated[str, Option(help="TREC qrels, or a collection: ir_datasets:ID.")],
    pred: Annotated[Path, Option(help="A TREC run.")],
    output: ScoringOutput,
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
) -> None:
    """Ranking measures; official leaves out queries without results, strict scores them 0.

    These are trec_eval's means without and with its option -c. Official orders equal scores as
    trec_eval does (32 bits, docids descending), strict by docid ascending. Measures have the names
    of ir_measures; mAP(pool) is LAReQA's, mAP@20 is XTREME-R's.

    Example: xorqa eval ranking --data qrels.txt --pred run.trec --measure mAP@20
    """
    langs = read_langs(queries) if queries else None
    run = read_run(pred, tag=tag)
    qrels, measures = (
        collection_qrels(data) if is_collection(data) else (read_qrels(data_file(Path(data))), ())
    )
    compute = partial(
        score_ranking, run, qrels, measures=measure or measures or MEASURES, langs=langs
    )
    ranking, official = compute(), compute(as_trec_eval=True)

    def score(by: str) -> list[Score]:
        if by == "strict":
            return ranking.scores
        return [row for row in official.scores if row.qid not in official.missing]

    problems = {"missing id": ranking.missing, "extra id": ranking.extra}
    print_scores("ranking", score, output, problems=problems)


LEFT_OUT = "left out: no gold answer"
"""The kind of problem of the unanswerable questions of SQuAD v2, which are not scored."""


@dataclass(frozen=True, slots=True)
class EvalInput:
    """Questions, the predictions for them, and the problems of the predictions.

    `retrieved` are the passages of a run folder's questions.
    """

    references: Sequence[Reference]
    predictions: Mapping[str, Any]
    problems: Sequence[Problem] = ()
    retrieved: Mapping[str, Sequence[str]] = field(default_factory=dict)


def _evaluate(
    task: Task,
    data: Sequence[Path],
    pred: Sequence[Path],
    output: EvalOutput,
    *,
    lang: str | None = None,
    **options: Any,
) -> None:
    """Score each data file with its own prediction file, or all with the same.

    Raises:
        ConfigError: if the numbers of files do not match, or a language is unknown.
        DataError: for a file of another format.
    """
    if len(pred) not in (1, len(data)):
        raise ConfigError(
            f"{len(data)} --data files for {len(pred)} --pred files; give one --pred file for "
            "each of them, or one for all"
        )
    with counting_notices() as notices:
        by_file = [task.read_references(data_file(path), lang=lang) for path in data]
    if len(pred) < len(data):
        by_file = [[reference for rows in by_file for reference in rows]]
        if len({reference.qid for reference in by_file[0]}) < len(by_file[0]):
            raise ConfigError("the --data files share ids; give a --pred file for each of them")
    inputs = [_read_input(task, rows, path) for rows, path in zip(by_file, pred, strict=True)]
    score_and_print(task, inputs, output, notices=notices, **options)


def _read_input(task: Task, references: Sequence[Reference], path: Path) -> EvalInput:
    """The predictions of a file, with the retrieved passages if it is in a run folder."""
    predictions = task.read_predictions(path)
    langs = {reference.qid: reference.lang for reference in references}
    problems = check(predictions, langs, scripts=task.check_script, alias=task.alias)
    by_alias = {task.alias(qid): value for qid, value in predictions.by_qid.items()}
    answers = by_alias | dict(predictions.by_qid)
    passages = path.parent / XOR_RETRIEVE.file
    is_run = path.name == task.file != XOR_RETRIEVE.file and passages.is_file()
    retrieved = XOR_RETRIEVE.read_predictions(passages).by_qid if is_run else {}
    return EvalInput(references, answers, problems, retrieved)


def score_and_print(
    task: Task,
    inputs: Sequence[EvalInput],
    output: ScoringOutput,
    *,
    notices: Mapping[str, int] = MappingProxyType({}),
    **options: Any,
) -> None:
    """Score inputs together, print the table, and write the files that the options name.

    `notices` are those of the data files, which are written with the problems.

    Raises:
        ConfigError, DataError: as `Task.score` and `Task.report`.
    """
    if output.scorer and ":" in output.scorer:
        task = replace(task, scorers={**task.scorers, output.scorer: find_scorer(output.scorer)})

    def score(scorer: str) -> list[Score]:
        return [
            row
            for eval_input in inputs
            for row in task.score(
                eval_input.references, eval_input.predictions, scorer=scorer, **options
            )
        ]

    qids: dict[str, list[str]] = {kind: [] for kind in KINDS}
    if task.needs_answers:
        inputs = [_answerable(each, qids) for each in inputs]
    for problem in (problem for eval_input in inputs for problem in eval_input.problems):
        qids[problem.kind].append(problem.qid)
    print_scores(
        task.name,
        score,
        output,
        scorers=[*task.scorers],
        summarise=task.summarise,
        problems=qids,
        notices=notices,
    )
    if isinstance(output, EvalOutput) and output.diff:
        rows = [
            row
            for each in inputs
            for row in differences(
                task, each.references, each.predictions, retrieved=each.retrieved, **options
            )
        ]
        print_differences(task.name, rows, output, limit=output.limit)


def _answerable(given: EvalInput, qids: dict[str, list[str]]) -> EvalInput:
    """Leave out the questions of SQuAD v2 that have no answer, unless all lack one."""
    without = [row.qid for row in given.references if row.context and not row.answers]
    if not without or len(without) == len(given.references):
        return given
    qids.setdefault(LEFT_OUT, []).extend(without)
    return replace(given, references=[row for row in given.references if row.answers])


def print_scores(
    name: str,
    score: Callable[[str], list[Score]],
    output: ScoringOutput,
    *,
    scorers: Sequence[str] = SCORERS,
    summarise: Callable[..., Report] = average,
    problems: Mapping[str, Sequence[str]],
    notices: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Print the scores and the ids with problems, and write the files that the options name.

    Raises:
        ConfigError: for an unknown scorer.
    """
    if output.scorer not in (None, BOTH, *scorers):
        valid = one_of([*scorers, BOTH])
        raise ConfigError(f"no scorer is called '{output.scorer}'; valid: {valid}")
    shown = scorers if output.scorer == BOTH else [output.scorer or scorers[0]]
    scores = {scorer: score(scorer) for scorer in (scorers if output.per_question else shown)}
    if output.per_question:
        rows = {(name, scorer): scores[scorer] for scorer in scores}
        write_scores(output.per_question, rows)
    reports = {by: summarise(scores[by], task=name, scorer=by) for by in shown}
    values = {by: report.to_json() for by, report in reports.items()}
    counts = {kind: len(qids) for kind, qids in problems.items()}
    written = values if output.scorer == BOTH else values[shown[0]]
    output.write_json(written | {"problems": {**counts, **notices}})
    output.print_grid(score_grid(name, reports, first="scorer"))
    for by, report in reports.items():
        output.aside(f"questions counted ({by}): {counted(report.n)}")
    for kind, qids in problems.items():
        if qids:
            first = ", ".join(map(repr, qids[:3])) + (", ..." if len(qids) > 3 else "")
            output.aside(f"{kind}: {len(qids)} ({first})")
