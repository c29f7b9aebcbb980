"""A simulated annotator: fills tasks in from gold data, and errs in a given share of them.

It tests an annotation loop before people are paid, and shows what noise does to agreement,
verification and the finished data.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random

from ...core.text.words import word_spans
from .anchor import occurrences
from .tasks import Task

Gold = Callable[[Task], Mapping[str, str]]
"""What a perfect annotator fills in for a task, by column."""


def simulate(
    tasks: Iterable[Task], gold: Gold, *, annotator: str, noise: float, seed: int = 1
) -> dict[str, dict[str, str]]:
    """What the annotator fills in, by task and column, for `write_tasks`.

    In a share `noise` (0 to 1) of the tasks an answer is another word of its passage, a verdict is
    the opposite, and of other texts a word is missing. Tasks that exclude the annotator are
    left out.
    """
    filled = {}
    for task in tasks:
        if annotator in task.not_by:
            continue
        random = Random(f"{seed}:{annotator}:{task.id}")
        cells = dict(gold(task))
        if random.random() < noise:
            cells |= _error(task, cells, random)
        filled[task.id] = cells | {"annotator": annotator}
    return filled


def _error(task: Task, cells: Mapping[str, str], random: Random) -> dict[str, str]:
    if "verdict" in cells:
        return {"verdict": "no" if cells["verdict"] == "yes" else "yes"}
    if task.passages and cells.get("answer"):
        column = _column(task, cells)
        text = task.shown[column]
        if task.sentence:
            text = text[task.sentence[0] : task.sentence[1]]
        spans = [text[span.start : span.end] for span in word_spans(text)]
        others = [word for word in spans if word.isalnum() and word not in cells["answer"]]
        others = [word for word in others if occurrences(text, word)]
        return {"answer": random.choice(others), "start": ""} if others else {}
    name = "question" if "question" in cells else "answer"
    left = cells.get(name, "").split()
    if len(left) > 1:
        left.pop(random.randrange(len(left)))
    return {name: " ".join(left)}


def _column(task: Task, cells: Mapping[str, str]) -> str:
    passage = cells.get("passage", "")
    named = (name for name, docid in task.passages.items() if passage in (name, docid))
    return next(named, next(iter(task.passages)))
