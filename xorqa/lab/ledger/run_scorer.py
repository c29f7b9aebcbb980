"""Score a saved run's answers on XOR-Full: by chooser, by route, and by oracle."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...answering.choosing.rule import RuleChooser
from ...metrics.report import Reference, Score
from ...metrics.task import ScorerName
from ...metrics.tasks.xor_full import XOR_FULL
from ..common.saved_run import SavedRun

TASK = XOR_FULL.name


class RunScorer:
    """Scores the questions that have a gold answer in their own language."""

    def __init__(self, run: SavedRun, scorer: ScorerName) -> None:
        self.run = run
        self.scorer = scorer
        self.questions = [example.question for example in run.dataset.examples]
        self.references = [
            Reference(e.question.qid, e.question.lang, answers)
            for e in run.dataset.examples
            if (answers := e.answers(e.question.lang))
        ]

    def by_chooser(self, chooser: Mapping[str, Any]) -> list[Score]:
        """Score the answers that a chooser selects."""
        return self._scores([answer.text for answer in self.run.choose(chooser)])

    def by_route(self, route: str) -> list[Score]:
        """Score the most confident answers of a route."""
        answers = [
            [a for a in row if a.source and a.source.route == route] for row in self.run.answers
        ]
        chosen = RuleChooser(prefer="score").choose(self.questions, answers)
        return self._scores([answer.text for answer in chosen])

    def oracle(self) -> list[Score]:
        """Score the best answer of each question."""
        rows = [list(dict.fromkeys(a.text for a in row)) or [""] for row in self.run.answers]
        depth = max(map(len, rows), default=0)
        return self.best_of(
            self._scores([row[min(rank, len(row) - 1)] for row in rows]) for rank in range(depth)
        )

    @staticmethod
    def best_of(systems: Iterable[Sequence[Score]]) -> list[Score]:
        """The best score of each question, by F1, then exact match, then BLEU."""
        rows = zip(*systems, strict=True)
        return [max(row, key=lambda s: [s.values[m] for m in ("f1", "em", "bleu")]) for row in rows]

    def _scores(self, texts: Sequence[str]) -> list[Score]:
        predictions = {q.qid: text for q, text in zip(self.questions, texts, strict=True)}
        return XOR_FULL.score(self.references, predictions, scorer=self.scorer)
