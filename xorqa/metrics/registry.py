"""The tasks by name, and tasks and scorers from outside the package.

A task is an object in its own module in `tasks/`, and a line in `TASKS`. Wherever a task is named,
`my_package.module:MyTask` names a task from outside.
"""

from dataclasses import fields
from typing import Any, cast

from ..core.errors import ConfigError
from ..core.extensions import extended
from ..core.named import accepts, import_named
from ..io.predictions import read_answers
from .measure import SHARED, Measure
from .task import Scorer, Task

TASKS = extended(
    "tasks",
    {
        "xor-retrieve": "xorqa.metrics.tasks.xor_retrieve:XOR_RETRIEVE",
        "xor-engspan": "xorqa.metrics.tasks.xor_engspan:XOR_ENGSPAN",
        "xor-full": "xorqa.metrics.tasks.xor_full:XOR_FULL",
        "squad": "xorqa.metrics.tasks.squad:SQUAD",
        "tydi-goldp": "xorqa.metrics.tasks.tydi_goldp:TYDI_GOLDP",
        "mlqa": "xorqa.metrics.tasks.mlqa:MLQA",
    },
)

_REQUIRED = ("name", "title", "scorers")


def find_task(name: str) -> Task:
    """Find a task by name, or as `module:name`: a `Task`, or a class with a `Task`'s attributes.

    Raises:
        ConfigError: for an unknown task, or an object that lacks attributes of a task.
    """
    task = import_named(name, TASKS, kind="task")
    if isinstance(task, Task):
        return task
    missing = [attribute for attribute in _REQUIRED if not hasattr(task, attribute)]
    if missing:
        raise ConfigError(f"'{name}' is not a task: it lacks {', '.join(missing)}")
    names = [field.name for field in fields(Task) if hasattr(task, field.name)]
    return Task(**{attribute: getattr(task, attribute) for attribute in names})


def find_measure(name: str, *, task: str = "") -> Measure:
    """A measure by name: as the task declares it, as several tasks share it, or the bare name."""
    declared = find_task(task).measures if task in TASKS else ()
    by_name = SHARED | {measure.name: measure for measure in declared}
    return by_name.get(name, Measure(name, name))


def pipeline_tasks() -> list[Task]:
    """The tasks that score pipelines, in the order of the stages."""
    return [task for task in map(find_task, TASKS) if task.predict]


def answer_tasks() -> list[str]:
    """The names of the tasks whose prediction is one text for each question."""
    return [name for name in TASKS if find_task(name).read_predictions is read_answers]


def find_scorer(name: str) -> Scorer:
    """Find a scorer as `module:name`: a function of references and predictions, or a class.

    Raises:
        ConfigError: if it cannot be imported, or does not accept these arguments.
    """
    scorer: Any = import_named(name, {}, kind="scorer")
    if isinstance(scorer, type) and accepts(scorer):
        scorer = scorer()
    if isinstance(scorer, type) or not accepts(scorer, [], {}):
        raise ConfigError(
            f"'{name}' is not a scorer: it must be callable as scorer(references, predictions)"
        )
    return cast(Scorer, scorer)
