"""Score the traces of a data set by task, and write the official prediction files."""

from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from ..core.types import Trace
from ..datasets.dataset import TARGET, Dataset, gold_subsets
from ..metrics import per_question
from ..metrics.registry import pipeline_tasks
from ..metrics.report import Reference, Report, average, with_subsets
from ..metrics.task import Task
from .rankings import score_rankings
from .settings import POOL, Route
from .settings import TARGET as TARGET_CORPUS

Reports = dict[per_question.Key, Report]
"""Reports by task and scorer."""


def evaluate(
    dataset: Dataset,
    traces: Sequence[Trace],
    *,
    routes: Sequence[Route] | None = None,
    levels: Mapping[str, str] | None = None,
    out: Path | None = None,
    all_passages: bool = False,
) -> Reports:
    """Score each task that the traces reached; write the official prediction files into `out`.

    Without gold answers, the predictions are written, but not scored; the rankings are scored if
    the data set has qrels.

    XOR-Retrieve's file has the passages that fill 5,000 tokens or, with `all_passages`, all.

    Tasks with English answers (XOR-Retrieve and XOR-EnglishSpan) count the questions that English
    passages answer, if there are any, and are left out if none of `routes` searches English
    passages. Each report includes the data set's subsets.
    """
    langs = {trace.question.qid: trace.question.lang for trace in traces}
    divisions = [division for division in (gold_subsets(dataset), levels) if division]
    scores = score_rankings(dataset, traces)
    reports: Reports = {
        (task, by): average(rows, task=task, scorer=by) for (task, by), rows in scores.items()
    }
    unlabelled = {e.question.qid for e in dataset.examples if not e.golds}
    searched = None if routes is None else languages_searched(dataset, routes)
    for task in pipeline_tasks():
        if searched is not None and task.answer_lang and task.answer_lang not in searched:
            continue
        references = references_of(dataset, task)
        predictions = _predictions(task, traces, references, unlabelled)
        if not predictions:
            continue
        for scorer in task.scorers if references else ():
            rows = task.score(references, predictions, scorer=scorer)
            scores[task.name, scorer] = rows
            report = task.report(rows, scorer=scorer)
            reports[task.name, scorer] = with_subsets(report, rows, divisions)
        if out is not None:
            if task.scored_part is not None and not all_passages:
                predictions = {qid: task.scored_part(row) for qid, row in predictions.items()}
            task.write_predictions(out / task.file, predictions, langs)
    if out is not None:
        per_question.write_scores(out / per_question.FILE, scores)
    return reports


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


def _predictions(
    task: Task, traces: Sequence[Trace], references: Sequence[Reference], unlabelled: Set[str]
) -> dict[str, Any]:
    """A task's predictions; if its answers are in one language, only for its own questions.

    A question without gold answers, whose task is not known, is predicted for all tasks.
    """
    qids = {reference.qid for reference in references} | unlabelled
    predictions = task.predict(traces) if task.predict else {}
    return {qid: value for qid, value in predictions.items() if not task.answer_lang or qid in qids}


def in_json(reports: Reports) -> dict[str, dict[str, Any]]:
    """The reports as JSON values, by task and scorer."""
    values: dict[str, dict[str, Any]] = {}
    for (task, scorer), report in reports.items():
        values.setdefault(task, {})[scorer] = report.to_json()
    return values
