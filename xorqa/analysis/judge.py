"""Scores of what a saved run could have answered: by a chooser, by one route, at best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..answering.choosing.rule import RuleChooser
from ..experiments.saved_run import SavedRun
from ..metrics import tasks
from ..metrics.report import Reference, Score

TASK = "xor-full"


class Judge:
    """XOR-Full's scores of the questions that have a gold answer in their own language."""

    def __init__(self, run: SavedRun, scorer: tasks.Scorer) -> None:
        self.run = run
        self.scorer = scorer
        self.questions = [example.question for example in run.dataset.examples]
        self.references = [
            Reference(e.question.qid, e.question.lang, answers)
            for e in run.dataset.examples
            if (answers := e.answers(e.question.lang))
        ]

    def chosen(self, chooser: Mapping[str, Any]) -> list[Score]:
        """Of the answers that a chooser takes."""
        return self._scores([answer.text for answer in self.run.choose(chooser)])

    def alone(self, route: str) -> list[Score]:
        """Of one route's answers with the best score."""
        rows = [
            [a for a in row if a.source and a.source.route == route] for row in self.run.answers
        ]
        best = RuleChooser(prefer="score").choose(self.questions, rows)
        return self._scores([answer.text for answer in best])

    def ceiling(self) -> list[Score]:
        """Of the best answers there were."""
        rows = [list(dict.fromkeys(a.text for a in row)) or [""] for row in self.run.answers]
        deepest = max(map(len, rows), default=0)
        return self.best(
            [self._scores([row[min(at, len(row) - 1)] for row in rows]) for at in range(deepest)]
        )

    @staticmethod
    def best(ways: Iterable[Sequence[Score]]) -> list[Score]:
        """Of each question's scores those with the best F1, then exact match, then BLEU."""
        return [max(some, key=_f1_first) for some in zip(*ways, strict=True)]

    def _scores(self, texts: Sequence[str]) -> list[Score]:
        found = {q.qid: text for q, text in zip(self.questions, texts, strict=True)}
        return tasks.score(TASK, self.references, found, scorer=self.scorer)


def _f1_first(score: Score) -> tuple[float, ...]:
    return score.values["f1"], score.values["em"], score.values["bleu"]
