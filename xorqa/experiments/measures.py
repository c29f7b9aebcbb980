"""The measures of a run's answers beside its tasks' scores, for `scores.json`.

They are recall, language and consistency of the answers, risk and coverage, abstention, and what
answers cite: the passages with a gold answer, and quotations that occur in them.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..core.types import Answer, Example, Trace
from ..metrics import answer_measures
from ..metrics.abstention import abstention, risk_coverage, risk_coverage_area
from ..metrics.answer_measures import LANGUAGE, score_language
from ..metrics.attribution import (
    PRECISION,
    RECALL,
    SUPPORTED,
    Cited,
    score_precision,
    score_recall,
    score_supported,
)
from ..metrics.report import Score, average
from ..metrics.tasks.xor_engspan import XOR_ENGSPAN
from ..metrics.tasks.xor_full import XOR_FULL
from .confidence import estimate, least_confidence, shipped_is_calibrated
from .evaluate import Results, languages_searched
from .run_folder import RunFolder
from .saved_run import open_run
from .settings import ENGLISH, PipelineSettings

KEY = "measures"
"""The key in `scores.json`, beside the tasks."""

POINTS = 100
"""The most points of a curve that are stored."""

SCORER = "attribution"
"""The scorer that the reports of `citation_reports` name."""


def measures(results: Results, settings: PipelineSettings) -> dict[str, dict[str, Any]]:
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
        (answer_measures.RECALL, answer_measures.score_recall(references, answers)),
        (LANGUAGE, score_language(results.langs, answers)),
        (answer_measures.CONSISTENCY, answer_measures.score_consistency(keys, spans)),
    ]
    values = {name: report_of(name, rows, KEY) for name, rows in scores if rows}
    if answers:
        searched = results.searched or set()
        values |= citation_reports(examples, results.answers, searched)
    if references:
        f1 = {row.qid: row.values["f1"] for row in XOR_FULL.score(references, answers)}
        judged = [trace for trace in traces if trace.question.qid in f1]
        errors = [1 - f1[trace.question.qid] for trace in judged]
        values["risk-coverage"] = curve([confidence_of(trace) for trace in judged], errors)
    unanswerable = {e.question.qid for e in examples if e.answered_in == "nowhere"}
    if answers and unanswerable:
        values["abstention"] = _abstention(traces, settings, unanswerable)
    return values


def _key(example: Example) -> str | None:
    """The English question, which the languages of one question share."""
    question = example.question
    return question.text if question.lang == ENGLISH else example.human_translation


def curve(confidences: Sequence[float], errors: Sequence[float]) -> dict[str, Any]:
    """The area under the risk-coverage curve, and at most `POINTS` points of the curve."""
    points = risk_coverage(confidences, errors)
    # The last of each hundredth of the points; of fewer points than `POINTS`, all.
    shown = {math.ceil(len(points) * part / POINTS) - 1 for part in range(1, POINTS + 1)}
    area = risk_coverage_area(confidences, errors)
    return {"area": area, "points": [points[place] for place in sorted(shown)] if points else []}


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


def citation_reports(
    examples: Sequence[Example], answers: Sequence[Answer | None], searched: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Citation precision and recall against the gold passages of the languages `searched`.

    Generated answers also have the share of supported quotations; an extracted answer is its own
    quotation. Reports are in percent, and left out if nothing can be measured.
    """
    cited = [
        _cited(example, answer, searched) for example, answer in zip(examples, answers, strict=True)
    ]
    generated = any(answer and answer.source and answer.source.generated for answer in answers)
    scores = [
        (PRECISION, score_precision(cited)),
        (RECALL, score_recall(cited)),
        (SUPPORTED, score_supported(cited) if generated else []),
    ]
    return {name: report_of(name, rows) for name, rows in scores if rows}


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


def report_of(name: str, rows: Sequence[Score], scorer: str = SCORER) -> dict[str, Any]:
    """The means of a measure, as JSON."""
    return average(rows, task=name, scorer=scorer).to_json()


def attribution_of(folder: Path, *, trust: bool = False) -> dict[str, dict[str, Any]]:
    """The measures of a finished run: `citation_reports`, the language and the abstention.

    The span reader's answers cite the passage that they were read from. `abstention` has the
    shares, from 0 to 1, of `answerable` and `unanswerable` questions without an answer, without
    the `failed` ones, which had no usable reply; None without such questions.

    Raises:
        ConfigError, DataError: as `open_run`.
    """
    run = open_run(folder, trust=trust)
    answers = run.choose(run.settings.chooser)
    examples, failed = run.dataset.examples, RunFolder(folder).unread_qids()
    texts = {
        example.question.qid: answer.text
        for example, answer in zip(examples, answers, strict=True)
        if answer.source
    }
    langs = {example.question.qid: example.question.lang for example in examples}
    searched = languages_searched(run.dataset, run.settings.routes)
    values = citation_reports(examples, answers, searched)
    if rows := score_language(langs, texts):
        values[LANGUAGE] = report_of(LANGUAGE, rows)
    judged = [example for example in examples if example.question.qid not in failed]
    answered = [bool(texts.get(example.question.qid)) for example in judged]
    rates = abstention(answered, [example.answered_in != "nowhere" for example in judged])
    hallucinated = rates.hallucination_rate
    values["abstention"] = {
        "answerable": rates.error_rate,
        "unanswerable": None if hallucinated is None else 1 - hallucinated,
        "failed": len(examples) - len(judged),
    }
    return values
