"""Score the traces of a data set: tasks, rankings and what else its answers allow to measure.

`read_results` reads data set and traces once; `score_results` scores the tasks and the rankings,
and writes the official prediction files, and `measure_answers` measures the answers beside.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..core.lang import ENGLISH
from ..core.types import Answer, Example, Trace
from ..datasets.dataset import TARGET, Dataset, gold_subsets
from ..io.trec import Qrels, Run
from ..metrics.answer_measures import (
    CONSISTENCY,
    LANGUAGE,
    RECALL,
    SUPPORTED,
    Cited,
    abstention,
    risk_coverage_curve,
    score_citations,
    score_consistency,
    score_language,
    score_recall,
)
from ..metrics.ranking import MEASURES, score_ranking
from ..metrics.registry import pipeline_tasks
from ..metrics.report import (
    PER_QUESTION,
    Reference,
    Report,
    Score,
    ScoreKey,
    average,
    with_subsets,
    write_scores,
)
from ..metrics.task import OFFICIAL, STRICT, Task
from ..metrics.tasks.xor_engspan import XOR_ENGSPAN
from ..metrics.tasks.xor_full import XOR_FULL
from .confidence import confidence_of, estimate, least_confidence, shipped_is_calibrated
from .run_folder import rankings_of
from .settings import POOL, PipelineSettings, Route
from .settings import TARGET as TARGET_CORPUS

RANKING = "ranking"

MEASURES_KEY = "measures"
"""The key of what `measure_answers` returns in `scores.json`, beside the tasks."""

ATTRIBUTION = "attribution"
"""The scorer that the reports of `citation_reports` name."""

Reports = dict[ScoreKey, Report]
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
    judged = {
        route: {qid: docs for qid, docs in run.items() if docs and qid in qrels}
        for route, run in rankings_of(traces).items()
    }
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
        rankings={route: run for route, run in judged.items() if run},
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
        write_scores(out / PER_QUESTION, scores)
    return reports


def score_rankings(results: Results, measures: Sequence[str] = ()) -> dict[ScoreKey, list[Score]]:
    """Score each route's ranking by `measures`, by task and scorer.

    By default, the measures are those of the data set's owners or `MEASURES`, and only a data set
    with qrels is scored. The scorers are those of `xorqa eval ranking`: official leaves out
    questions without a result, strict scores them 0. With several routes, the tasks are named
    `ranking ROUTE`. Empty if no judged question has a result.
    """
    if not measures and not results.dataset.qrels:
        return {}
    chosen = measures or results.dataset.measures or MEASURES
    scores: dict[ScoreKey, list[Score]] = {}
    for route, run in results.rankings.items():
        name = RANKING if len(results.rankings) == 1 else f"{RANKING} {route}"
        ranking = score_ranking(run, results.qrels, measures=chosen, langs=results.langs)
        scores[name, OFFICIAL] = [row for row in ranking.scores if row.qid in run]
        scores[name, STRICT] = ranking.scores
    return scores


def in_json(reports: Reports) -> dict[str, dict[str, Any]]:
    """The reports as JSON values, by task and scorer."""
    values: dict[str, dict[str, Any]] = {}
    for (task, scorer), report in reports.items():
        values.setdefault(task, {})[scorer] = report.to_json()
    return values


def measure_answers(results: Results, settings: PipelineSettings) -> dict[str, dict[str, Any]]:
    """The measures that the traces and the data set's gold answers allow, by name.

    Nothing is measured without gold answers. Reports are in percent, rates from 0 to 1.
    `risk-coverage` takes the error 1 - F1 of XOR-Full (official scorer) and the confidence of the
    answers. `abstention` needs questions without an answer in the corpus (`answered_in` is
    "nowhere"); an answer counts as given if its confidence reaches the threshold of `xorqa ask`, or
    if a model generated it. What answers cite is measured as in `citation_reports`.
    """
    examples, traces = results.dataset.examples, results.traces
    if not any(example.golds for example in examples):
        return {}
    full, spans = results.tasks[XOR_FULL.name], results.tasks[XOR_ENGSPAN.name].predictions
    references, answers = full.references if full.predictions else [], full.predictions
    keys = [(e.question.qid, e.question.lang, key) for e in examples if (key := _key(e))]
    scores = [
        (RECALL, score_recall(references, answers)),
        (LANGUAGE, score_language(results.langs, answers)),
        (CONSISTENCY, score_consistency(keys, spans)),
    ]
    values = {name: report_of(name, rows, MEASURES_KEY) for name, rows in scores if rows}
    if answers:
        searched = results.searched or set()
        values |= citation_reports(examples, results.answers, searched)
    if references:
        f1 = {row.qid: row.values["f1"] for row in XOR_FULL.score(references, answers)}
        judged = [trace for trace in traces if trace.question.qid in f1]
        errors = [1 - f1[trace.question.qid] for trace in judged]
        values["risk-coverage"] = risk_coverage_curve(
            [confidence_of(trace) for trace in judged], errors
        )
    unanswerable = {e.question.qid for e in examples if e.answered_in == "nowhere"}
    if answers and unanswerable:
        values["abstention"] = _abstention(traces, settings, unanswerable)
    return values


def _key(example: Example) -> str | None:
    """The English question, which the languages of one question share."""
    question = example.question
    return question.text if question.lang == ENGLISH else example.human_translation


def _abstention(
    traces: Sequence[Trace], settings: PipelineSettings, unanswerable: set[str]
) -> dict[str, Any]:
    least, calibrated = least_confidence(None), shipped_is_calibrated(settings)
    estimated = (estimate(trace, calibrated=calibrated, min_confidence=least) for trace in traces)
    answered = [trace.found for trace in estimated]
    answerable = [trace.question.qid not in unanswerable for trace in traces]
    return {"min_confidence": least, **asdict(abstention(answered, answerable))}


def citation_reports(
    examples: Sequence[Example], answers: Sequence[Answer | None], searched: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Citation precision and recall against the gold passages of the languages `searched`.

    Generated answers also have the share of supported quotations; an extracted answer is its own
    quotation. Reports are in percent, and left out if nothing can be measured.
    """
    generated = any(answer and answer.source and answer.source.generated for answer in answers)
    scores = score_citations(
        _cited(example, answer, searched) for example, answer in zip(examples, answers, strict=True)
    )
    return {
        name: report_of(name, rows)
        for name, rows in scores.items()
        if rows and (generated or name != SUPPORTED)
    }


def _cited(example: Example, answer: Answer | None, searched: Collection[str]) -> Cited:
    gold = frozenset(g.docid for g in example.golds if g.docid and g.lang in searched)
    source = answer.source if answer else None
    docids: tuple[str, ...] = ()
    supported = 0
    if source is not None and source.generated:
        docids = tuple(citation.docid for citation in source.generated.citations)
        supported = source.generated.supported
    elif source is not None:
        docids, supported = (source.docid,), 1
    return Cited(example.question.qid, example.question.lang, docids, supported, gold)


def report_of(name: str, rows: Sequence[Score], scorer: str = ATTRIBUTION) -> dict[str, Any]:
    """The means of a measure, as JSON."""
    return average(rows, task=name, scorer=scorer).to_json()
