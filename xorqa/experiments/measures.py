"""The measures of a run's answers beside its tasks' scores, for `scores.json`."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..core.types import Example, Trace
from ..datasets.dataset import Dataset
from ..metrics import answer_measures
from ..metrics.abstention import abstention, risk_coverage, risk_coverage_area
from ..metrics.report import Score
from ..metrics.tasks.xor_engspan import english_spans
from ..metrics.tasks.xor_full import XOR_FULL, answers
from .citations import citation_reports, report_of
from .confidence import estimate, least_confidence, shipped_is_calibrated
from .evaluate import references_of
from .settings import ENGLISH, PipelineSettings

KEY = "measures"
"""The key in `scores.json`, beside the tasks."""

POINTS = 100
"""The most points of a curve that are stored."""


def measures(
    dataset: Dataset, traces: Sequence[Trace], settings: PipelineSettings
) -> dict[str, dict[str, Any]]:
    """The measures that the traces and the data set's gold answers allow, by name.

    Nothing is measured without gold answers. Reports are in percent, rates from 0 to 1.
    `risk-coverage` takes the error 1 - F1 of XOR-Full (official scorer) and the confidence of the
    answers. `abstention` needs questions without an answer in the corpus (`answered_in` is
    "nowhere"); an answer counts as given if its confidence reaches the threshold of `xorqa ask`, or
    if a model generated it. What answers cite is measured as in `citation_reports`.
    """
    if not any(example.golds for example in dataset.examples):
        return {}
    langs = {trace.question.qid: trace.question.lang for trace in traces}
    given, spans = answers(traces), english_spans(traces)
    references = references_of(dataset, XOR_FULL) if given else []
    keys = [(e.question.qid, e.question.lang, key) for e in dataset.examples if (key := _key(e))]
    scores = [
        (answer_measures.RECALL, answer_measures.score_recall(references, given)),
        (answer_measures.LANGUAGE, answer_measures.score_language(langs, given)),
        (answer_measures.CONSISTENCY, answer_measures.score_consistency(keys, spans)),
    ]
    values = {name: report_of(name, rows, KEY) for name, rows in scores if rows}
    if given:
        chosen = {trace.question.qid: trace.answer for trace in traces}
        in_order = [chosen.get(example.question.qid) for example in dataset.examples]
        values |= citation_reports(dataset, in_order, settings.routes)
    if references:
        values["risk-coverage"] = _risk_coverage(traces, XOR_FULL.score(references, given))
    unanswerable = {e.question.qid for e in dataset.examples if e.answered_in == "nowhere"}
    if given and unanswerable:
        values["abstention"] = _abstention(traces, settings, unanswerable)
    return values


def _key(example: Example) -> str | None:
    """The English question, which the languages of one question share."""
    question = example.question
    return question.text if question.lang == ENGLISH else example.human_translation


def _risk_coverage(traces: Sequence[Trace], scores: Sequence[Score]) -> dict[str, Any]:
    f1 = {score.qid: score.values["f1"] for score in scores}
    judged = [trace for trace in traces if trace.question.qid in f1]
    confidences = [confidence_of(trace) for trace in judged]
    errors = [1 - f1[trace.question.qid] for trace in judged]
    return curve(confidences, errors)


def curve(confidences: Sequence[float], errors: Sequence[float]) -> dict[str, Any]:
    """The area under the risk-coverage curve, and at most `POINTS` points of the curve."""
    points = risk_coverage(confidences, errors)
    shown = sorted({math.ceil(len(points) * at / POINTS) - 1 for at in range(1, POINTS + 1)})
    area = risk_coverage_area(confidences, errors)
    return {"area": area, "points": [points[at] for at in shown] if points else []}


def confidence_of(trace: Trace) -> float:
    """The answer's probability if known, else its score; no answer comes last."""
    if trace.answer is None or trace.answer.source is None:
        return float("-inf")
    confidence = trace.answer.confidence
    return trace.answer.score if confidence is None else confidence


def _abstention(
    traces: Sequence[Trace], settings: PipelineSettings, unanswerable: set[str]
) -> dict[str, Any]:
    least, calibrated = least_confidence(None), shipped_is_calibrated(settings)
    estimated = (estimate(trace, calibrated=calibrated, min_confidence=least) for trace in traces)
    answered = [trace.found for trace in estimated]
    answerable = [trace.question.qid not in unanswerable for trace in traces]
    return {"min_confidence": least, **asdict(abstention(answered, answerable))}
