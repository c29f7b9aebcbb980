"""Check a prediction file, and the metadata beside it, before a submission."""

from dataclasses import dataclass
from pathlib import Path

from ...core.devices import kind_of_file
from ...core.errors import ConfigError, DataError
from ...core.progress import quantity
from ...datasets.catalog import data_file
from ...io.files import read_json
from ...io.predictions import WARNINGS, Problem, check
from ...io.squad_xor import read_langs
from ...metrics.task import Task
from .metadata import Metadata, missing_fields, read_metadata

_MANIFEST, _QUERIES = "manifest.json", "queries.jsonl"
UNCHECKED = "The ids were not checked; name the questions with --data FILE.jsonl"


@dataclass(frozen=True, slots=True)
class Submission:
    """What a check found.

    Attributes:
        problems: of the predictions.
        note: what was not checked.
        services: the black-box services that the file's run used.
        metadata: problems of the metadata; empty also if there is no metadata file.
    """

    problems: tuple[Problem, ...]
    note: str
    services: tuple[str, ...]
    metadata: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        """The number of problems that are not only warnings."""
        wrong = sum(problem.kind not in WARNINGS for problem in self.problems)
        return wrong + len(self.metadata)


def check_submission(
    task: Task, file: Path, *, data: Path | None = None, metadata: Path | None = None
) -> Submission:
    """Check a prediction file, and metadata if given.

    Args:
        task: the task.
        file: predictions in the task's official format.
        data: the task's data file; by default the questions of the run folder of `file`.
        metadata: a metadata file.

    Raises:
        DataError: if the prediction file cannot be read, or a file is a pipe or a device.
    """
    beside = (file.with_name(name) for name in (_MANIFEST, _QUERIES))
    for path in filter(None, (file, data, metadata, *beside)):
        if kind := kind_of_file(path):
            raise DataError(f"{path} is a {kind}; name a file")
    langs = _languages(task, file, data)
    problems = check(
        task.read_predictions(file), langs, scripts=task.check_script, alias=task.alias
    )
    note = UNCHECKED if langs is None else ""
    if data is None and task.answer_lang:  # a run may have questions that this task does not count
        missing = sum(problem.kind == "missing id" for problem in problems)
        problems = [problem for problem in problems if problem.kind != "missing id"]
        if missing:
            note = (
                f"no prediction for {quantity(missing, 'question')} of the run; "
                f"--data FILE.jsonl shows whether {task.name} needs them"
            )
    services = black_boxes(file.parent)
    return Submission(tuple(problems), note, services, _metadata_problems(metadata, services))


def black_boxes(folder: Path) -> tuple[str, ...]:
    """The black-box services that the run in a folder used."""
    try:
        manifest = read_json(folder / _MANIFEST)
    except DataError:
        return ()
    used = manifest.get("black_box") if isinstance(manifest, dict) else None
    return tuple(sorted(set(used.values()))) if isinstance(used, dict) else ()


def metadata_problems(metadata: Metadata, services: tuple[str, ...]) -> list[str]:
    """The missing fields, and the services that the metadata do not state."""
    problems = [f"{name} is missing" for name in missing_fields(metadata)]
    stated = set(metadata.black_box or ())
    problems += [
        f"black_box does not state {name}, which the run used"
        for name in services
        if name not in stated
    ]
    return problems


def _metadata_problems(path: Path | None, services: tuple[str, ...]) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        return tuple(metadata_problems(read_metadata(path), services))
    except ConfigError as error:
        return (str(error),)


def _languages(task: Task, file: Path, data: Path | None) -> dict[str, str] | None:
    """qid to language of the questions in `data`, or else of the run that `file` is in."""
    if data is not None:
        return {row.qid: row.lang for row in task.read_references(data_file(data))}
    try:
        return read_langs(file.parent / _QUERIES) or None
    except DataError:  # no such file, or one of another program
        return None
