"""How good annotators are: against gold annotations, with each other, and by verdicts.

As Asai et al. 2021 (XOR QA), appendices B.2 and B.3: annotators qualify on a batch that experts
have annotated, gold items among later tasks show whether they stay good, and annotations of those
who do not are removed.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from .agreement import answer_f1
from .tasks import Annotation, Task

LEAST = 0.8
"""The mean F1 with gold annotations that qualifies an annotator; the paper prints no mark."""


@dataclass(frozen=True, slots=True)
class Quality:
    """An annotator's numbers; means from 0 to 1, None without a task to compare.

    `gold` of the `annotated` tasks have a gold annotation, with which the mean F1 is `score`;
    `shared` are annotated by others too, with whom it is `agreement`; others judged `judged` pieces
    of the work, and found `right` of them right.
    """

    annotator: str
    annotated: int
    gold: int = 0
    score: float | None = None
    shared: int = 0
    agreement: float | None = None
    judged: int = 0
    right: int = 0

    def passes(self, least: float) -> bool | None:
        """Whether the score is at least a mark; None without one."""
        return None if self.score is None else self.score >= least


def qualities(
    tasks: Mapping[str, Task], annotations: Sequence[Annotation], gold: Iterable[Annotation] = ()
) -> list[Quality]:
    """The quality of each annotator, by name; those of the gold annotations are left out."""
    experts: defaultdict[str, list[Annotation]] = defaultdict(list)
    for row in gold:
        experts[row.task].append(row)
    names = {row.annotator for rows in experts.values() for row in rows}
    done: defaultdict[str, list[Annotation]] = defaultdict(list)
    for row in annotations:
        if row.task in tasks and row.annotator not in names:
            done[row.task].append(row)
    number: defaultdict[str, int] = defaultdict(int)
    scores: defaultdict[str, list[float]] = defaultdict(list)
    shared: defaultdict[str, list[float]] = defaultdict(list)
    verdicts: defaultdict[str, list[bool]] = defaultdict(list)
    for name, rows in done.items():
        task = tasks[name]
        for row in rows:
            number[row.annotator] += 1
            if is_comparable(task) and experts[name]:
                best = max(similarity(task, row, other) for other in experts[name])
                scores[row.annotator].append(best)
            for judged in task.not_by if row.verdict else ():
                verdicts[judged].append(row.verdict == "yes")
        for first, second in combinations(rows, 2) if is_comparable(task) else ():
            for row in (first, second):
                shared[row.annotator].append(similarity(task, first, second))
    return [
        Quality(
            name,
            number[name],
            len(scores[name]),
            fmean(scores[name]) if scores[name] else None,
            len(shared[name]),
            fmean(shared[name]) if shared[name] else None,
            len(verdicts[name]),
            sum(verdicts[name]),
        )
        for name in sorted({*number, *verdicts} - names)
    ]


def is_comparable(task: Task) -> bool:
    """Whether two annotations of a task should be the same: not questions that annotators write."""
    return "verdict" in task.filled or ("answer" in task.filled and task.round != "question")


def similarity(task: Task, first: Annotation, second: Annotation) -> float:
    """The F1 of two answers, from 0 to 1; verdicts, missing answers and passages alone are equal
    or not.
    """
    if "verdict" in task.filled:
        return float(first.verdict == second.verdict)
    if first.impossible or second.impossible:
        return float(first.impossible == second.impossible)
    if not first.answer or not second.answer:
        return float((first.answer, first.passage) == (second.answer, second.passage))
    # The answers of XOR QA are English, whatever the question's language is.
    return answer_f1(first.answer, second.answer, "en" if task.closed else task.lang)
