"""The reading ledger: where a run loses points in XOR-EnglishSpan.

The same questions are answered from the gold passage, by the best candidate of the passages that
the run read, and by the run itself. Passage recall limits the last two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache as memoize

from ..caching.store import Cache
from ..core.progress import Progress, silent
from ..metrics.official.squad import exact_match, f1, normalize
from ..metrics.overlap import best
from ..metrics.report import Report, Score, average
from ..metrics.tasks.xor_engspan import XOR_ENGSPAN
from ..reading.given import read_given
from ..reading.pairs import QuestionPassage
from ..reading.span import SpanReader
from .cases import Case

GOLD_PASSAGE, ORACLE_PASSAGE = "gold passage given", "oracle passage choice"
END_TO_END = "end to end"
UNRANKED = "read without ranker"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Reports in percent, by row name.

    `answers` has F1 and exact match; `passages` has the share of questions whose gold passage,
    or any passage with an answer, was "retrieved" or was "read" and, if the run has a ranker,
    would have been "read without ranker".
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
        END_TO_END: [case.prediction for case in cases],
    }
    return Ledger(
        {name: _answer_report(cases, texts) for name, texts in predictions.items()},
        {name: _passage_recall(cases, texts) for name, texts in _passages(cases).items()},
    )


def _passages(cases: Sequence[Case]) -> dict[str, list[Sequence[str]]]:
    """The passages of each case, by row name."""
    passages: dict[str, list[Sequence[str]]] = {"retrieved": [case.retrieved for case in cases]}
    if any(case.first_retrieved is not None for case in cases):
        passages[UNRANKED] = [case.first_retrieved or () for case in cases]
    return passages | {"read": [case.read for case in cases]}


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


def _passage_recall(cases: Sequence[Case], passages: Sequence[Sequence[str]]) -> Report:
    """Whether the passages include the gold passage, or any with an answer as whole words."""
    words = memoize(lambda text: f" {normalize(text)} ")
    scores = []
    for case, texts in zip(cases, passages, strict=True):
        answers = [words(answer) for answer in case.reference.answers if normalize(answer)]
        gold = not set(texts).isdisjoint(case.gold_passages)
        answered = gold or any(answer in words(text) for text in texts for answer in answers)
        values = {"gold passage": float(gold), "or an answer": float(answered)}
        scores.append(Score(case.reference.qid, case.reference.lang, values))
    return average(scores, task="passages", scorer="share of questions")
