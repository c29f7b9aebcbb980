"""Annotation tasks and annotations, stored in the folder of a data set in construction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

from ...core.errors import ConfigError, DataError, one_of
from ...core.validation import Validator
from ...io.files import read_jsonl, write_jsonl

Record = TypeVar("Record")

ROUNDS = "rounds"
ANNOTATIONS = "annotations.jsonl"
FILLED = ("passage", "question", "answer", "start", "verdict", "impossible")
"""The columns that annotators fill in; each round has some of them."""

_RECORDS = Validator(DataError, noun="field")


@dataclass(frozen=True, slots=True)
class Task:
    """What one annotator is shown, and fills in.

    `shown` are texts by column, and `passages` those of them that an answer is marked in, with
    their docids. `question_lang` is the language of the question to write, "" without one. The
    answer should be in the characters from `sentence[0]` to `sentence[1]`; if `strict`, it must be.
    `closed`: "yes" and "no" are answers too; `long`: so is a passage alone. `not_by` are annotators
    who may not do the task. `offset` is where the text that is shown of a passage starts in it.
    `about` is the id of the question or sentence.
    """

    id: str
    round: str
    about: str
    lang: str
    shown: Mapping[str, str]
    filled: Sequence[str]
    passages: Mapping[str, str] = field(default_factory=dict)
    question_lang: str = ""
    sentence: Sequence[int] = ()
    strict: bool = False
    closed: bool = False
    long: bool = False
    not_by: Sequence[str] = ()
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator returned for a task, after the checks.

    `passage` is the docid of the passage with the answer, `start` the answer's offset in it.
    `impossible`: no question can be asked, or nothing answers it.
    """

    task: str
    annotator: str
    question: str = ""
    answer: str = ""
    passage: str = ""
    start: int | None = None
    verdict: str = ""
    impossible: bool = False


def read_tasks(folder: Path) -> dict[str, Task]:
    """The tasks exported so far, by id.

    Raises:
        ConfigError: if none was.
        DataError: if a file is damaged.
    """
    paths = sorted((folder / ROUNDS).glob("*.jsonl"))
    if not paths:
        raise ConfigError(f"{folder} has no tasks; export some first")
    tasks = {task.id: task for path in paths for task in stored_rows(path, Task)}
    for task in tasks.values():
        if not task.passages.keys() <= task.shown.keys() or len(task.sentence) not in (0, 2):
            raise DataError(f"{folder}, task '{task.id:.40}' is damaged; export its round again")
    return tasks


def add_tasks(folder: Path, tasks: Sequence[Task]) -> None:
    """Store the tasks of a round; earlier tasks of the round stay."""
    for name in dict.fromkeys(task.round for task in tasks):
        path = folder / ROUNDS / f"{name}.jsonl"
        earlier = {task.id: task for task in stored_rows(path, Task)} if path.exists() else {}
        merged = earlier | {task.id: task for task in tasks if task.round == name}
        write_jsonl(path, map(asdict, merged.values()))


def read_annotations(folder: Path) -> list[Annotation]:
    """All accepted annotations, in the order of their import.

    Raises:
        DataError: if the file is damaged.
    """
    path = folder / ANNOTATIONS
    return [*stored_rows(path, Annotation)] if path.exists() else []


def add_annotations(folder: Path, annotations: Iterable[Annotation]) -> list[Annotation]:
    """Store annotations; a later one of an annotator replaces the earlier one of that task."""
    merged = {(row.task, row.annotator): row for row in read_annotations(folder)}
    merged |= {(row.task, row.annotator): row for row in annotations}
    write_jsonl(folder / ANNOTATIONS, map(asdict, merged.values()))
    return [*merged.values()]


def remove_annotations(folder: Path, annotators: Sequence[str]) -> list[Annotation]:
    """Remove all annotations of annotators; returns those that are left.

    Raises:
        ConfigError: listing the annotators, if one has none.
    """
    rows = read_annotations(folder)
    names = {row.annotator for row in rows}
    for name in annotators:
        if name not in names:
            raise ConfigError(f"no annotation is by '{name:.40}'; annotators: {one_of(names)}")
    kept = [row for row in rows if row.annotator not in annotators]
    write_jsonl(folder / ANNOTATIONS, map(asdict, kept))
    return kept


def of_round(
    name: str, tasks: Mapping[str, Task], annotations: Iterable[Annotation]
) -> dict[str, list[tuple[Task, Annotation]]]:
    """The annotations of a round with their tasks, by what these are about."""
    groups: dict[str, list[tuple[Task, Annotation]]] = {}
    for row in annotations:
        task = tasks.get(row.task)
        if task is not None and task.round == name:
            groups.setdefault(task.about, []).append((task, row))
    return groups


def stored_rows(path: Path, kind: type[Record]) -> Iterator[Record]:
    """The lines of a stored file as records of a dataclass.

    Raises:
        DataError: naming a line with another layout.
    """
    for number, row in read_jsonl(path):
        try:
            yield _RECORDS.fill(kind, row, where=f"{path}, line {number}")
        except DataError as error:
            raise DataError(f"{error}; export or import again") from error
