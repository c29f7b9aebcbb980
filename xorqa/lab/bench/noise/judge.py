"""Compare the answers of a data set with the gold answers of its questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from ....core.types import Example
from ....metrics.tasks.squad import f1
from ...building import qa, xor
from ...building.agreement import answer_f1
from .loops import PIVOT

Figures = dict[str, float | None]
"""The figures of a data set in percent, but for `kept`; None without a value."""


@dataclass(frozen=True, slots=True)
class Judge:
    """The questions with their gold answers, and a pipeline's English answers, by qid."""

    examples: Mapping[str, Example]
    predictions: Mapping[str, str]

    def qa(self, questions: Sequence[qa.Authored]) -> Figures:
        """`before`: wrong answers of the authors; `wrong`: those of the kept questions."""
        kept = [question for question in questions if question.reason is None]
        agreed = [q.agreement for q in questions if q.agreement is not None]
        return {
            "kept": len(kept),
            "agreement": _percent(agreed),
            "before": self._wrong((q.id, q.answers[0][0]) for q in questions),
            "wrong": self._wrong((q.id, q.answer[0]) for q in kept),
        } | self._scores({question.id: [question.answer[0]] for question in kept})

    def xor(self, answers: Sequence[xor.AnnotatedAnswer], finished: Sequence[Example]) -> Figures:
        """`before`: wrong answers before verification; `wrong`: those verified.

        `translated` are wrong answers in the questions' languages, which nobody verifies.
        """
        translated = chain.from_iterable(
            [(e.question.qid, text) for text in e.answers(e.question.lang)] for e in finished
        )
        return {
            "kept": len(finished),
            "before": self._wrong((answer.qid, answer.answer) for answer in answers),
            "wrong": self._wrong((a.qid, a.answer) for a in answers if a.is_verified),
            "translated": self._wrong(translated, translated=True),
        } | self._scores({e.question.qid: e.answers(PIVOT) for e in finished})

    def _wrong(
        self, answers: Iterable[tuple[str, str]], *, translated: bool = False
    ) -> float | None:
        """The share of answers that are no gold answer of their question."""
        wrong = []
        for qid, text in answers:
            example = self.examples[qid]
            lang = example.question.lang if translated else PIVOT
            golds = example.answers(lang)
            wrong.append(max(answer_f1(text, gold, lang) for gold in golds) < 1)
        return _percent(wrong)

    def _scores(self, golds: Mapping[str, Sequence[str]]) -> Figures:
        """The F1 of the predictions by the data set's answers, and by the gold answers."""
        right = {qid: self.examples[qid].answers(PIVOT) for qid in golds}
        return {"f1": self._f1(golds), "right": self._f1(right)}

    def _f1(self, golds: Mapping[str, Sequence[str]]) -> float | None:
        predicted = self.predictions
        return _percent([max(f1(predicted[qid], gold) for gold in golds[qid]) for qid in golds])


def _percent(values: Sequence[float]) -> float | None:
    return 100 * fmean(values) if values else None
