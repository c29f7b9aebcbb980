"""What the answered questions of a data set score, task by task, and the official files of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.types import Candidate, Trace
from ..datasets.dataset import Dataset
from ..datasets.subsets import TARGET, gold_subsets
from ..io.predictions import RankedPassages, write_answers, write_ranked
from ..metrics import per_question, tasks
from ..metrics.report import Reference, Report, Score
from .settings import ENGLISH

Reports = dict[per_question.Key, Report]
"""Reports by task and scorer."""


def score(
    dataset: Dataset,
    traces: Sequence[Trace],
    *,
    levels: Mapping[str, str] | None = None,
    out: Path | None = None,
) -> Reports:
    """The scores of each task the traces reached; `out` gets the official files.

    XOR-Retrieve and XOR-EnglishSpan count the questions that English passages answer, if there
    are any, and use English passages only. Each report includes the data set's subsets.
    """
    english = [
        Reference(e.question.qid, e.question.lang, e.answers(ENGLISH))
        for e in dataset.examples
        if e.answers(ENGLISH) and e.answered_in != TARGET
    ]
    own = [
        Reference(e.question.qid, e.question.lang, e.answers(e.question.lang))
        for e in dataset.examples
        if e.answers(e.question.lang)
    ]
    wanted = {reference.qid for reference in english}
    ranked = [ranked_english(trace) for trace in traces if trace.question.qid in wanted]
    spans = {trace.question.qid: english_span(trace) for trace in traces}
    predictions: dict[str, tuple[list[Reference], Mapping[str, Any]]] = {}
    if english:
        predictions["xor-retrieve"] = english, {entry.qid: entry.ctxs for entry in ranked}
    if english and any(trace.candidates for trace in traces):
        predictions["xor-engspan"] = english, {qid: spans[qid] for qid in sorted(wanted)}
    answers = {trace.question.qid: trace.answer.text for trace in traces if trace.answer}
    if answers and own:
        predictions["xor-full"] = own, answers
    scores: dict[per_question.Key, list[Score]] = {
        (task, scorer): tasks.score(task, references, found, scorer=scorer)
        for task, (references, found) in predictions.items()
        for scorer in tasks.SCORERS
    }
    if out is not None:
        if english:
            write_ranked(out / "xor_retrieve.json", ranked)
        for task in ("xor-engspan", "xor-full"):
            if task in predictions:
                write_answers(out / f"{task.replace('-', '_')}.json", predictions[task][1])
        per_question.write_scores(out / per_question.FILE, scores)
    divided = [some for some in (gold_subsets(dataset), levels) if some]
    return {
        (task, str(scorer)): tasks.with_parts(
            tasks.summary(task, scores[task, scorer], scorer=scorer), scores[task, scorer], divided
        )
        for task in predictions
        for scorer in tasks.SCORERS
    }


def in_json(reports: Reports) -> dict[str, dict[str, Any]]:
    """Task to scorer to report, as plain values."""
    values: dict[str, dict[str, Any]] = {}
    for (task, scorer), report in reports.items():
        values.setdefault(task, {})[scorer] = report.to_json()
    return values


def ranked_english(trace: Trace) -> RankedPassages:
    """The English passages of a trace, best first, as the official file wants them."""
    hits = [
        hit for _, some in trace.by_route.values() for hit in some if hit.passage.lang == ENGLISH
    ]
    return RankedPassages(
        trace.question.qid, trace.question.lang, tuple(hit.passage.text for hit in hits)
    )


def english_span(trace: Trace) -> str:
    """The best English candidate's text, or nothing."""
    english = [candidate for candidate in trace.candidates if candidate.lang == ENGLISH]
    return max(english, key=_by_score).text if english else ""


def _by_score(candidate: Candidate) -> tuple[float, int]:
    return candidate.score, -candidate.retrieval_rank
