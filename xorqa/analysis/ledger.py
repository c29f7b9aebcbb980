"""The reading ledger: where a run's XOR-EnglishSpan points are lost.

The same questions are answered from the gold passage, from the best of the passages that the
run read, and as the run answered. Beside that stands how often there was something to find.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache as remembered

from ..caching.store import Cache
from ..core.progress import Progress, silent
from ..io.squad_xor import SquadQuestion
from ..metrics import tasks
from ..metrics.official.squad import exact_match, f1, normalize
from ..metrics.overlap import best
from ..metrics.report import Report, Score, average
from ..reading.given import read_given
from ..reading.span import SpanReader
from .cases import Case

GIVEN, ORACLE, ANSWERED = "gold passage given", "oracle passage choice", "end to end"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Reports in percent, by the rows' names.

    `answers` has F1 and exact match of each way to answer; `passages` the questions whose
    gold passage, or else a passage with an answer, was "retrieved" and was "read".
    """

    answers: Mapping[str, Report]
    passages: Mapping[str, Report]


def make_ledger(
    reader: SpanReader,
    cases: Sequence[Case],
    *,
    cache: Cache,
    progress: Progress = silent,
) -> Ledger:
    """Read each gold passage (through the cache, so that it resumes) and score all ways.

    Of several gold passages the first is given.
    """
    alone = [SquadQuestion(c.reference.qid, c.asked, "", c.golds[0], (), -1) for c in cases]
    answers = {
        GIVEN: read_given(reader, alone, cache=cache, progress=progress),
        ORACLE: [_oracle(case) for case in cases],
        ANSWERED: [case.answered for case in cases],
    }
    return Ledger(
        {name: _answered(cases, texts) for name, texts in answers.items()},
        {
            "retrieved": _found(cases, [case.retrieved for case in cases]),
            "read": _found(cases, [case.read for case in cases]),
        },
    )


def _oracle(case: Case) -> str:
    """The candidate with the best F1, and of those with equal F1 the best exact match."""
    golds = case.reference.answers
    return max(
        case.candidates,
        key=lambda text: (best(f1, text, golds), best(exact_match, text, golds)),
        default="",
    )


def _answered(cases: Sequence[Case], texts: Sequence[str]) -> Report:
    references = [case.reference for case in cases]
    found = {row.qid: text for row, text in zip(references, texts, strict=True)}
    return tasks.evaluate("xor-engspan", references, found)


def _found(cases: Sequence[Case], passages: Sequence[Sequence[str]]) -> Report:
    """Whether the gold passage, or any with an answer as whole words, is among the passages."""
    words = remembered(lambda text: f" {normalize(text)} ")
    scores = []
    for case, texts in zip(cases, passages, strict=True):
        answers = [words(answer) for answer in case.reference.answers if normalize(answer)]
        gold = not set(texts).isdisjoint(case.golds)
        found = gold or any(answer in words(text) for text in texts for answer in answers)
        values = {"gold passage": float(gold), "or an answer": float(found)}
        scores.append(Score(case.reference.qid, case.reference.lang, values))
    return average(scores, task="passages", scorer="share of questions")
