"""Score the traces of a data set by task, and write the official prediction files.

`read_results` reads data set and traces once, for the tasks, the rankings and the other measures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.types import Answer, Trace
from ..datasets.dataset import TARGET, Dataset, gold_subsets
from ..io.trec import Qrels, Run
from ..metrics import per_question
from ..metrics.ranking import MEASURES, score_ranking
from ..metrics.registry import pipeline_tasks
from ..metrics.report import Reference, Report, Score, average, with_subsets
from ..metrics.task import Task
from .settings import POOL, Route
from .settings import TARGET as TARGET_CORPUS

RANKING = "ranking"

Reports = dict[per_question.Key, Report]
"""Reports by task and scorer."""


@dataclass(frozen=True, slots=True)
class TaskResults:
    """A task's questions with their gold answers, and the predictions of all traces by qid."""

    task: Task
    references: list[Reference]
    predictions: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Results:
    """A data set with its traces, as the scorers read them.

    Attributes:
        dataset: the data set.
        traces: the traces of its questions.
        langs: qid to the question's language, in the order of the traces.
        answers: the chosen answer of each example of the data set, None without one.
        tasks: the tasks that pipelines do, by name.
        qrels: qid to docid to grade, of the questions with a trace.
        rankings: route to judged qid to docid to score, without empty rankings.
        searched: the languages of the passages that the routes search, None if they are unknown.
    """

    dataset: Dataset
    traces: Sequence[Trace]
    langs: Mapping[str, str]
    answers: list[Answer | None]
    tasks: Mapping[str, TaskResults]
    qrels: Qrels
    rankings: Mapping[str, Run]
    searched: set[str] | None


def read_results(
    dataset: Dataset, traces: Sequence[Trace], routes: Sequence[Route] | None = None
) -> Results:
    """Read a data set and its traces for all scorers."""
    by_qid = {trace.question.qid: trace for trace in traces}
    qrels = {qid: grades for qid, grades in dataset.relevance().items() if qid in by_qid}
    rankings: dict[str, dict[str, dict[str, float]]] = {}
    for qid, trace in by_qid.items():
        for route, result in trace.by_route.items():
            if result.hits and qid in qrels:
                docs = {hit.passage.docid: hit.score for hit in result.hits}
                rankings.setdefault(route, {})[qid] = docs
    chosen = {qid: trace.answer for qid, trace in by_qid.items()}
    return Results(
        dataset,
        traces,
        langs={qid: trace.question.lang for qid, trace in by_qid.items()},
        answers=[chosen.get(example.question.qid) for example in dataset.examples],
        tasks={
            task.name: TaskResults(
                task, references_of(dataset, task), task.predict(traces) if task.predict else {}
            )
            for task in pipeline_tasks()
        },
        qrels=qrels,
        rankings=rankings,
        searched=None if routes is None else languages_searched(dataset, routes),
    )


def references_of(dataset: Dataset, task: Task) -> list[Reference]:
    """The questions of a data set with answers in the task's language, and these answers.

    A task with answers in one language leaves out questions that only passages in the question's
    language answer.
    """
    lang = task.answer_lang
    return [
        Reference(e.question.qid, e.question.lang, answers)
        for e in dataset.examples
        if (answers := e.answers(lang or e.question.lang))
        and not (lang and e.answered_in == TARGET)
    ]


def languages_searched(dataset: Dataset, routes: Sequence[Route]) -> set[str]:
    """The languages of the passages that the routes search.

    A corpus that is not in the data set, as with recorded rankings, is named by its language.
    """
    keys = {TARGET_CORPUS: dataset.languages, POOL: list(dataset.corpora)}
    names = {key for route in routes for key in keys.get(route.corpus, [route.corpus])}
    corpora = dataset.corpora
    return {lang for key in names for lang in (corpora[key].languages if key in corpora else [key])}


def evaluate(
    dataset: Dataset,
    traces: Sequence[Trace],
    *,
    routes: Sequence[Route] | None = None,
    levels: Mapping[str, str] | None = None,
    out: Path | None = None,
    all_passages: bool = False,
    rankings: Sequence[str] = (),
) -> Reports:
    """Score each task that the traces reached; write the official prediction files into `out`.

    Without gold answers, the predictions are written, but not scored; the rankings are scored if
    the data set has qrels. `rankings` are the measures to score them by, such as `nDCG@10`; with
    them, the rankings are also scored if passages with gold answers are known.

    XOR-Retrieve's file has the passages that fill 5,000 tokens or, with `all_passages`, all.

    Tasks with English answers (XOR-Retrieve and XOR-EnglishSpan) count the questions that English
    passages answer, if there are any, and are left out if none of `routes` searches English
    passages. Each report includes the data set's subsets.
    """
    results = read_results(dataset, traces, routes)
    return score_results(
        results, levels=levels, out=out, all_passages=all_passages, rankings=rankings
    )


def score_results(
    results: Results,
    *,
    levels: Mapping[str, str] | None = None,
    out: Path | None = None,
    all_passages: bool = False,
    rankings: Sequence[str] = (),
) -> Reports:
    """As `evaluate`, from results that were read once."""
    examples = results.dataset.examples
    divisions = [division for division in (gold_subsets(results.dataset), levels) if division]
    scores = score_rankings(results, rankings)
    reports: Reports = {
        (task, by): average(rows, task=task, scorer=by) for (task, by), rows in scores.items()
    }
    unlabelled = {example.question.qid for example in examples if not example.golds}
    for name, reached in results.tasks.items():
        task, references, predictions = reached.task, reached.references, reached.predictions
        if results.searched is not None and task.answer_lang not in {None, *results.searched}:
            continue
        # The task of a question without gold answers is unknown: it is predicted for all tasks.
        own = {reference.qid for reference in references} | unlabelled
        if task.answer_lang:
            predictions = {qid: value for qid, value in predictions.items() if qid in own}
        if not predictions:
            continue
        for scorer in task.scorers if references else ():
            rows = task.score(references, predictions, scorer=scorer)
            scores[name, scorer] = rows
            report = task.report(rows, scorer=scorer)
            reports[name, scorer] = with_subsets(report, rows, divisions)
        if out is not None:
            if task.scored_part is not None and not all_passages:
                predictions = {qid: task.scored_part(value) for qid, value in predictions.items()}
            task.write_predictions(out / task.file, predictions, results.langs)
    if out is not None:
        per_question.write_scores(out / per_question.FILE, scores)
    return reports


def score_rankings(
    results: Results, measures: Sequence[str] = ()
) -> dict[per_question.Key, list[Score]]:
    """Score each route's ranking by `measures`, by task and scorer.

    By default, the measures are those of the data set's owners or `MEASURES`, and only a data set
    with qrels is scored. The scorers are those of `xorqa eval ranking`: official leaves out
    questions without a result, strict scores them 0. With several routes, the tasks are named
    `ranking ROUTE`. Empty if no judged question has a result.
    """
    if not measures and not results.dataset.qrels:
        return {}
    chosen = measures or results.dataset.measures or MEASURES
    scores: dict[per_question.Key, list[Score]] = {}
    for route, run in results.rankings.items():
        name = RANKING if len(results.rankings) == 1 else f"{RANKING} {route}"
        ranking = score_ranking(run, results.qrels, measures=chosen, langs=results.langs)
        scores[name, "official"] = [row for row in ranking.scores if row.qid in run]
        scores[name, "strict"] = ranking.scores
    return scores


def in_json(reports: Reports) -> dict[str, dict[str, Any]]:
    """The reports as JSON values, by task and scorer."""
    values: dict[str, dict[str, Any]] = {}
    for (task, scorer), report in reports.items():
        values.setdefault(task, {})[scorer] = report.to_json()
    return values
