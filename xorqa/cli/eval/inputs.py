"""The data files and prediction files of an evaluation, read and paired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...io.predictions import Problem, check
from ...metrics.report import Reference
from ...metrics.task import Task


@dataclass(frozen=True, slots=True)
class EvalInput:
    """Questions, the predictions for them, and what is wrong with the predictions."""

    references: Sequence[Reference]
    predictions: Mapping[str, Any]
    problems: Sequence[Problem] = ()


def read_inputs(
    task: Task, data: Sequence[Path], pred: Sequence[Path], *, lang: str | None = None
) -> list[EvalInput]:
    """Data files, each with its predictions, or all with one file of predictions.

    Raises:
        ConfigError: if the files do not pair up, or if a language is not known.
        DataError: for a file of another format.
    """
    if len(pred) not in (1, len(data)):
        raise ConfigError(
            f"{len(data)} --data files for {len(pred)} --pred files; give one --pred file for "
            "each of them, or one for all"
        )
    by_file = [task.read_references(path, lang=lang) for path in data]
    if len(pred) == len(data):
        return [_read_input(task, rows, path) for rows, path in zip(by_file, pred, strict=True)]
    references = [reference for rows in by_file for reference in rows]
    if len({reference.qid for reference in references}) < len(references):
        raise ConfigError("the --data files share ids; give a --pred file for each of them")
    return [_read_input(task, references, pred[0])]


def _read_input(task: Task, references: Sequence[Reference], path: Path) -> EvalInput:
    predictions = task.read_predictions(path)
    langs = {reference.qid: reference.lang for reference in references}
    problems = check(predictions, langs, scripts=task.check_script, alias=task.alias)
    by_alias = {task.alias(qid): value for qid, value in predictions.found.items()}
    return EvalInput(references, by_alias | dict(predictions.found), problems)
