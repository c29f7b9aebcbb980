"""Where a task's two scorers disagree, question by question, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import ConfigError
from .report import Reference
from .scorer_differences import agree
from .task import Task, Values


@dataclass(frozen=True, slots=True)
class Difference:
    """A question on which the scorers disagree: its values (None: not counted) and the reason."""

    qid: str
    lang: str
    official: Values | None
    strict: Values | None
    reason: str


def differences(
    task: Task, references: Sequence[Reference], predictions: Mapping[str, Any], **options: Any
) -> list[Difference]:
    """The questions that the official and the strict scorer of a task score differently.

    Args:
        task: a task with two scorers.
        references: the questions with their gold answers.
        predictions: qid to answer; for xor-retrieve qid to passages, best first.
        options: of the scorers.

    Raises:
        ConfigError: if the task has no two scorers; and as `Task.score`.
        DataError: as `Task.score`.
    """
    if len(task.scorers) < 2:
        raise ConfigError(f"{task.name} has only one scorer, '{task.default_scorer}'")
    first, second = (
        {
            (row.lang, row.qid): row.values
            for row in task.score(references, predictions, scorer=scorer, **options)
        }
        for scorer in list(task.scorers)[:2]
    )
    disagreements = []
    for row in references:
        pair = first.get((row.lang, row.qid)), second.get((row.lang, row.qid))
        if not agree(*pair):
            prediction = predictions.get(row.qid)
            reason = task.explain(row, prediction, *pair) if task.explain else ""
            disagreements.append(Difference(row.qid, row.lang, *pair, reason))
    return disagreements
