"""What answers cite, against the passages with a gold answer."""

from collections.abc import Collection, Sequence
from typing import Any

from ..core.types import Answer, Example
from ..datasets.dataset import Dataset
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
from .evaluate import languages_searched
from .settings import Route

SCORER = "attribution"


def citation_reports(
    dataset: Dataset, answers: Sequence[Answer | None], routes: Sequence[Route]
) -> dict[str, dict[str, Any]]:
    """Citation precision and recall against the gold passages of the languages searched.

    Generated answers also have the share of supported quotations; an extracted answer is its own
    quotation. Reports are in percent, and left out if nothing can be measured.
    """
    searched = languages_searched(dataset, routes)
    cited = [
        _cited(example, answer, searched)
        for example, answer in zip(dataset.examples, answers, strict=True)
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
