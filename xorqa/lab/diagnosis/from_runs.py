"""Read questions and outcomes from run folders over the same data set."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, one_of
from ...core.lang import ENGLISH
from ...core.types import Example, Gold, Passage
from ...datasets.dataset import Dataset
from ...experiments.run_folder import RunFolder
from ...metrics.registry import find_task
from ...metrics.report import PER_QUESTION, Score, ScoreKey, read_scores
from ...metrics.significance import check_questions
from ...metrics.task import Task
from ..common.saved_run import dataset_of, finished
from .facts import DiagnosisInput, Outcome, QuestionFacts
from .from_files import as_text
from .from_ranking import rank_of_gold

Queries = Mapping[str, Mapping[str, Any]]


def read_run_folders(
    runs: Sequence[Path],
    *,
    task: str | None = None,
    scorer: str = "official",
    trust: bool = False,
) -> DiagnosisInput:
    """Read runs over the same questions of a data set.

    Args:
        runs: run folders.
        task: the task to diagnose; by default the last that all runs have scores of.
        scorer: the scorer.
        trust: allow a run folder to import stages and data sets from outside the package.

    Raises:
        ConfigError: if a folder contains no finished run, or the runs share no scores.
        DataError: if a run is damaged, its data set has changed, or the runs have different
            questions.
    """
    names = [str(run) for run in runs]
    scores = {str(run): read_scores(run / PER_QUESTION) for run in runs}
    name = _shared_task(scores, task, scorer)
    first, dataset = _open(runs[0], trust)
    counted = {(row.lang, row.qid) for row in scores[names[0]][name, scorer]}
    examples = [e for e in dataset.examples if (e.question.lang, e.question.qid) in counted]
    definition = find_task(name)
    systems = {names[0]: _outcomes(runs[0], definition, examples, scores[names[0]], scorer, first)}
    for run in runs[1:]:
        queries, _ = _open(run, trust)
        check_questions(scores[names[0]][name, scorer], scores[str(run)][name, scorer], str(run))
        systems[str(run)] = _outcomes(run, definition, examples, scores[str(run)], scorer, queries)
    return DiagnosisInput(name, scorer, question_facts(examples, definition, dataset), systems)


def question_facts(
    examples: Sequence[Example], task: Task, dataset: Dataset
) -> tuple[QuestionFacts, ...]:
    """What is known of a data set's questions, with the gold answers of a task."""
    passages = _gold_passages(examples, dataset)
    return tuple(_facts(example, task, passages) for example in examples)


def _open(run: Path, trust: bool) -> tuple[Queries, Dataset]:
    """The queries of a run, and its data set."""
    manifest, _ = finished(run, trust=trust)
    folder = RunFolder(run)
    with folder.complete():
        queries = folder.queries()
        return queries, dataset_of(run, manifest, queries)


def _shared_task(
    scores: Mapping[str, Mapping[ScoreKey, Sequence[Score]]], task: str | None, scorer: str
) -> str:
    first, *others = scores.values()
    shared = [name for name, by in first if by == scorer and all((name, by) in o for o in others)]
    if task is None and shared:
        return shared[-1]
    if task not in shared:
        raise ConfigError(
            f"the runs share no {scorer} scores of {task or 'any task'}; shared: {one_of(shared)}"
        )
    return task


def _facts(example: Example, task: Task, passages: Mapping[str, Passage]) -> QuestionFacts:
    question = example.question
    lang = task.answer_lang or question.lang
    gold = _gold_with_passage(example, lang)
    passage = passages.get(gold.docid or "") if gold else None
    answers = example.answers(gold.lang if gold else lang) or example.answers(lang)
    english = example.answers(ENGLISH)
    return QuestionFacts(
        qid=question.qid,
        lang=question.lang,
        text=question.text,
        answers=answers,
        answer_lang=gold.lang if gold else lang,
        context=passage.text if passage else "",
        answer_start=gold.span.start if gold and gold.span and passage else None,
        english=example.human_translation or (question.text if question.lang == ENGLISH else ""),
        english_answer=english[0] if english else "",
        answered_in=example.answered_in,
    )


def _gold_with_passage(example: Example, lang: str) -> Gold | None:
    """The gold answer with a passage: the first in a language, or else the first of all."""
    located = [gold for gold in example.golds if gold.docid]
    return next((gold for gold in located if gold.lang == lang), next(iter(located), None))


def _gold_passages(examples: Sequence[Example], dataset: Dataset) -> dict[str, Passage]:
    wanted = {gold.docid for example in examples for gold in example.golds if gold.docid}
    return {
        passage.docid: passage
        for corpus in dataset.corpora.values()
        for passage in corpus
        if passage.docid in wanted
    }


def _outcomes(
    run: Path,
    task: Task,
    examples: Sequence[Example],
    scores: Mapping[ScoreKey, Sequence[Score]],
    scorer: str,
    queries: Queries,
) -> tuple[Outcome, ...]:
    values = {row.qid: row.values for row in scores[task.name, scorer]}
    predictions = task.read_predictions(run / task.file).by_qid
    rankings = RunFolder(run).rankings().values()
    outcomes = []
    for example in examples:
        qid = example.question.qid
        gold = {g.docid: 1 for g in example.golds if g.docid}
        ranks = [rank_of_gold(ranking.get(qid, {}), gold) for ranking in rankings]
        outcomes.append(
            Outcome(
                values.get(qid),
                as_text(predictions.get(qid, "")),
                _english_query(queries[qid]),
                min((rank for rank in ranks if rank is not None), default=None),
            )
        )
    return tuple(outcomes)


def _english_query(row: Mapping[str, Any]) -> str:
    """The first query that differs from the question, which is its translation into English."""
    queries = row.get("queries")
    texts = queries.values() if isinstance(queries, dict) else ()
    return next((str(query) for query in texts if query != row.get("question")), "")
