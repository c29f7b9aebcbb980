"""When runs should rather not answer: risk-coverage curves and NoMIRACL's two rates, run by run.

The confidence is that of `xorqa ask`, estimated again from what the run folder has; a generated
answer has its score instead, and counts as given whatever it is. See `metrics.answer_measures`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...core.types import RouteResult, Trace
from ...datasets.dataset import NOWHERE
from ...experiments.confidence import (
    confidence_of,
    estimate,
    least_confidence,
    shipped_is_calibrated,
)
from ...experiments.evaluate import references_of
from ...experiments.run_folder import RunFolder
from ...metrics.answer_measures import abstention, risk_coverage_curve
from ...metrics.tasks.xor_full import XOR_FULL
from ..common.saved_run import SavedRun, open_run
from .run_hits import hits_of

ANSWERABLE, ALL = "answerable", "all"
"""The questions of a curve."""


@dataclass(frozen=True, slots=True)
class RunAbstention:
    """A run's abstention; shares and areas from 0 to 1.

    `curves` are `risk_coverage_curve`s of the answerable questions and, if there are unanswerable
    ones, of all: the error is 1 - F1 (XOR-Full, official scorer), and 1 for any answer to an
    unanswerable question. At the threshold `min_confidence`, `coverage` is the share of all
    questions that are answered, `risk` their mean error (None if none is), and the two rates are
    NoMIRACL's.
    `calibrated` is None for generated answers, which have no probability.
    """

    answerable: int
    unanswerable: int
    failed: int
    curves: dict[str, dict[str, Any]]
    min_confidence: float
    coverage: float
    risk: float | None
    hallucination_rate: float | None
    error_rate: float | None
    calibrated: bool | None


@dataclass(frozen=True, slots=True)
class _Question:
    confidence: float
    answered: bool
    answerable: bool
    error: float


def abstention_of_run(
    folder: Path, *, min_confidence: float | None = None, trust: bool = False
) -> RunAbstention:
    """Measure a finished run; `min_confidence` as in `xorqa ask`.

    Questions without a gold answer count as unanswerable if their `answered_in` is "nowhere", and
    are left out otherwise, as those are on which the reader failed.

    Raises:
        ConfigError, DataError: as `open_run`, or if no question has a gold answer.
    """
    run, least = open_run(folder, trust=trust), least_confidence(min_confidence)
    generates, failed = run.settings.generates, RunFolder(folder).unread_qids()
    calibrated = not generates and shipped_is_calibrated(run.settings)
    traces = [
        estimate(trace, calibrated=calibrated, min_confidence=least) for trace in _traces(run)
    ]
    rows = _questions(run, [trace for trace in traces if trace.question.qid not in failed])
    answerable = [row for row in rows if row.answerable]
    if not answerable:
        raise DataError(f"{folder}: no question with a gold answer was read")
    rates = abstention([row.answered for row in rows], [row.answerable for row in rows])
    errors = [row.error for row in rows if row.answered]
    return RunAbstention(
        answerable=len(answerable),
        unanswerable=len(rows) - len(answerable),
        failed=len(failed),
        curves={ANSWERABLE: _curve(answerable)}
        | ({ALL: _curve(rows)} if len(rows) > len(answerable) else {}),
        min_confidence=least,
        coverage=len(errors) / len(rows),
        risk=sum(errors) / len(errors) if errors else None,
        hallucination_rate=rates.hallucination_rate,
        error_rate=rates.error_rate,
        calibrated=None if generates else calibrated,
    )


def _traces(run: SavedRun) -> list[Trace]:
    """The traces of a run's questions, as far as the confidence depends on them."""
    routes = hits_of(run.folder, run.dataset, run.settings.routes, texts=False)
    chosen = run.choose(run.settings.chooser)
    traces = []
    for example, best, answers in zip(run.dataset.examples, chosen, run.answers, strict=True):
        qid = example.question.qid
        by_route = {
            hits.route.name: RouteResult(query, hits.ranked.get(qid, []))
            for hits in routes
            if (query := hits.queries.get(qid))
        }
        sources = tuple(answer.source for answer in answers if answer.source)
        traces.append(Trace(example.question, by_route, sources, best, answers=answers))
    return traces


def _questions(run: SavedRun, traces: Sequence[Trace]) -> list[_Question]:
    """The questions that are known to have an answer, or to have none."""
    predictions = {trace.question.qid: trace.answer.text for trace in traces if trace.answer}
    nowhere = {e.question.qid for e in run.dataset.examples if e.answered_in == NOWHERE}
    references = [
        reference
        for reference in references_of(run.dataset, XOR_FULL)
        if reference.qid in predictions and reference.qid not in nowhere
    ]
    scores = XOR_FULL.score(references, predictions) if references else []
    f1 = {score.qid: score.values["f1"] for score in scores}
    return [
        _Question(confidence_of(trace), trace.found, qid not in nowhere, 1 - f1.get(qid, 0.0))
        for trace in traces
        if (qid := trace.question.qid) in f1 or qid in nowhere
    ]


def _curve(rows: Sequence[_Question]) -> dict[str, Any]:
    return risk_coverage_curve([row.confidence for row in rows], [row.error for row in rows])
