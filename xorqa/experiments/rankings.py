"""The scores of a run's rankings against the qrels of a retrieval collection."""

from collections.abc import Container, Sequence

from ..core.types import Trace
from ..datasets.dataset import Dataset
from ..metrics.per_question import Key
from ..metrics.ranking import MEASURES, score_ranking
from ..metrics.report import Score

TASK = "ranking"


def score_rankings(dataset: Dataset, traces: Sequence[Trace]) -> dict[Key, list[Score]]:
    """Score each route's ranking by the data set's measures, or `MEASURES`, by task and scorer.

    The scorers are those of `xorqa eval ranking`: official leaves out questions without a result,
    strict scores them 0. With several routes, the tasks are named `ranking ROUTE`. Empty if the
    data set has no qrels, or no judged question has a result.
    """
    langs = {trace.question.qid: trace.question.lang for trace in traces}
    grades = dataset.relevance() if dataset.qrels else {}
    qrels = {qid: row for qid, row in grades.items() if qid in langs}
    measures = dataset.measures or MEASURES
    scores: dict[Key, list[Score]] = {}
    for route, run in (runs := _runs(traces, qrels)).items():
        task = TASK if len(runs) == 1 else f"{TASK} {route}"
        ranking = score_ranking(run, qrels, measures=measures, langs=langs)
        scores[task, "official"] = [row for row in ranking.scores if row.qid in run]
        scores[task, "strict"] = ranking.scores
    return scores


def _runs(
    traces: Sequence[Trace], judged: Container[str]
) -> dict[str, dict[str, dict[str, float]]]:
    """Route to judged qid to docid to score, without empty results."""
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for trace in traces:
        for route, (_, hits) in trace.by_route.items():
            if hits and trace.question.qid in judged:
                docs = {hit.passage.docid: hit.score for hit in hits}
                runs.setdefault(route, {})[trace.question.qid] = docs
    return runs
