"""A judge's shares and agreement, with those of the strict scorer on the same answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ...metrics.report import Report, Score, average
from .agreement import Agreement, agreement
from .judge import JudgedAnswer, JudgedRun

JUDGE, STRICT, HUMAN = "judge", "strict", "human"
STRICT_EM, STRICT_F1 = "strict EM", "strict F1 >= 0.5"
VERDICTS: Mapping[str, Callable[[JudgedAnswer], bool]] = {
    JUDGE: lambda answer: bool(answer.verdict),
    STRICT_EM: lambda answer: answer.em == 1.0,
    STRICT_F1: lambda answer: answer.f1 >= 0.5,
    HUMAN: lambda answer: bool(answer.human),
}


class Compared(NamedTuple):
    """Two of `VERDICTS` and how often they agree."""

    verdicts: str
    reference: str
    agreement: Agreement


def reports(run: JudgedRun) -> dict[str, Report]:
    """The share of right answers by the judge, and EM and F1, over the answers with a verdict.

    Empty if there are none.
    """
    judged = [answer for answer in run.answers if answer.verdict is not None]
    if not judged:
        return {}
    right = [Score(a.qid, a.lang, {"right": float(bool(a.verdict))}) for a in judged]
    strict = [Score(a.qid, a.lang, {"em": a.em, "f1": a.f1}) for a in judged]
    return {
        JUDGE: average(right, task=JUDGE, scorer=run.judge),
        STRICT: average(strict, task=JUDGE, scorer=STRICT),
    }


def agreements(run: JudgedRun) -> list[Compared]:
    """The agreement of the judge with the strict scorer and, with labels, of both with humans.

    Only answers that the model was asked about count, and all rows with humans have the same
    answers.
    """
    judged = [a for a in run.answers if a.answer and a.verdict is not None]
    rows = [_compared(judged, JUDGE, reference) for reference in (STRICT_EM, STRICT_F1)]
    labelled = [answer for answer in judged if answer.human is not None]
    names = (JUDGE, STRICT_EM, STRICT_F1) if run.labels else ()
    return [*rows, *(_compared(labelled, name, HUMAN) for name in names)]


def _compared(answers: Sequence[JudgedAnswer], name: str, reference: str) -> Compared:
    verdicts, expected = ([VERDICTS[judge](a) for a in answers] for judge in (name, reference))
    return Compared(name, reference, agreement(verdicts, expected))
