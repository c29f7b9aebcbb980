"""The reading ledger: where a run loses points in XOR-EnglishSpan.

The same questions are answered from the gold passage, by the best candidate of the passages that
the run read, and by the run itself; with a ranker, also as if it had none. Passage recall limits
all but the first. `generated_ledger` is that of a run whose answers a model generated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache as memoize

from ...core.progress import Progress, silent
from ...io.cache import Cache
from ...metrics.answers import best
from ...metrics.report import Reference, Report, Score, average
from ...metrics.tasks.squad import exact_match, f1, normalize
from ...metrics.tasks.xor_engspan import XOR_ENGSPAN
from ...reading.pairs import QuestionPassage, Reading
from ...reading.span import SpanReader
from ..common.given_passages import read_given, read_pairs
from .cases import Case

GOLD_PASSAGE, ORACLE_PASSAGE = "gold passage given", "oracle passage choice"
END_TO_END, END_UNRANKED = "end to end", "end to end without ranker"
RETRIEVED, UNRANKED, READ, CITED = "retrieved", "read without ranker", "read", "cited"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Reports in percent, by row name.

    `answers` has F1 and exact match; `passages` has the share of questions whose gold passage,
    or any passage with an answer, was "retrieved" or was "read" and, if the run has a ranker,
    would have been "read without ranker" or, if a model generated the answers, is "cited".
    """

    answers: Mapping[str, Report]
    passages: Mapping[str, Report]


def make_ledger(
    reader: SpanReader, cases: Sequence[Case], *, cache: Cache, progress: Progress = silent
) -> Ledger:
    """Read each question's first gold passage and score all rows; the cache makes it resumable."""
    pairs = [QuestionPassage(case.reader_query, case.gold_passages[0]) for case in cases]
    predictions = {
        GOLD_PASSAGE: read_given(reader, pairs, cache=cache, progress=progress),
        ORACLE_PASSAGE: [_best_candidate(case) for case in cases],
    }
    if _is_ranked(cases):
        predictions[END_UNRANKED] = _read_unranked(reader, cases, cache=cache)
    predictions[END_TO_END] = [case.prediction for case in cases]
    references = [case.reference for case in cases]
    golds = [case.gold_passages for case in cases]
    return Ledger(
        {name: _answer_report(cases, texts) for name, texts in predictions.items()},
        {
            name: passage_recall(references, golds, texts)
            for name, texts in _passages(cases).items()
        },
    )


def _is_ranked(cases: Sequence[Case]) -> bool:
    return any(case.first_retrieved is not None for case in cases)


def _passages(cases: Sequence[Case]) -> dict[str, list[Sequence[str]]]:
    """The passages of each case, by row name."""
    passages: dict[str, list[Sequence[str]]] = {RETRIEVED: [case.retrieved for case in cases]}
    if _is_ranked(cases):
        passages[UNRANKED] = [case.first_retrieved or () for case in cases]
    return passages | {READ: [case.read for case in cases]}


def _read_unranked(reader: SpanReader, cases: Sequence[Case], *, cache: Cache) -> list[str]:
    """The best span of the passages that each case would have read without the ranker."""
    passages = [case.first_retrieved or () for case in cases]
    pairs = [
        QuestionPassage(case.reader_query, text)
        for case, texts in zip(cases, passages, strict=True)
        for text in texts
    ]
    readings = iter(read_pairs(reader, pairs, cache=cache))
    return [_best_span([(text, next(readings)) for text in texts]) for texts in passages]


def _best_span(readings: Sequence[tuple[str, Reading]]) -> str:
    """The best span of the passage that most probably answers; ties go to the first."""
    spans = [
        (reading.passage_score, text[span.start : span.end])
        for text, reading in readings
        if (span := reading.best)
    ]
    return max(spans, key=lambda scored: scored[0], default=(0.0, ""))[1]


def _best_candidate(case: Case) -> str:
    """The candidate with the best F1; ties go to exact match."""
    golds = case.reference.answers
    return max(
        case.candidates,
        key=lambda text: (best(f1, text, golds), best(exact_match, text, golds)),
        default="",
    )


def _answer_report(cases: Sequence[Case], texts: Sequence[str]) -> Report:
    references = [case.reference for case in cases]
    predictions = {row.qid: text for row, text in zip(references, texts, strict=True)}
    return XOR_ENGSPAN.evaluate(references, predictions)


def passage_recall(
    references: Sequence[Reference],
    gold_passages: Sequence[Sequence[str]],
    passages: Sequence[Sequence[str]],
) -> Report:
    """Whether the passages include a gold passage, or any with an answer as whole words."""
    words = memoize(lambda text: f" {normalize(text)} ")
    scores = []
    for reference, golds, texts in zip(references, gold_passages, passages, strict=True):
        answers = [words(answer) for answer in reference.answers if normalize(answer)]
        gold = not set(texts).isdisjoint(golds)
        answered = gold or any(answer in words(text) for text in texts for answer in answers)
        values = {"gold passage": float(gold), "or an answer": float(answered)}
        scores.append(Score(reference.qid, reference.lang, values))
    return average(scores, task="passages", scorer="share of questions")
