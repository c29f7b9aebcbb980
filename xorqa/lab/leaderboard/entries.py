"""The rows of a leaderboard: systems in a folder, and those that a check rejects."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.devices import kind_of_file
from ...core.errors import ConfigError, DataError, XorqaError
from ...core.progress import quantity
from ...metrics.registry import pipeline_tasks
from .metadata import FILE, Metadata, read_metadata
from .result import Result
from .results import read_entry, read_run
from .submission import black_boxes, check_submission, metadata_problems

_MOST_BYTES, _MOST_METADATA = 2**30, 2**20


@dataclass(frozen=True, slots=True)
class System:
    """A system with its results.

    Attributes:
        name: the name of its folder or, of a published row, its key.
        folder: where its files are; None for a published row.
        is_run: whether the folder is a run folder.
        human: whether the values are those of people, which are not ranked.
    """

    name: str
    metadata: Metadata
    results: tuple[Result, ...]
    folder: Path | None = None
    is_run: bool = False
    human: bool = False

    @property
    def published(self) -> bool:
        """Whether the values are from a paper."""
        return self.folder is None


@dataclass(frozen=True, slots=True)
class Rejected:
    """A system that a check rejects, with the reasons."""

    name: str
    model: str
    reasons: tuple[str, ...]


def read_systems(folder: Path) -> tuple[list[System], list[Rejected]]:
    """The systems in the subfolders of `folder`, and those that are not ranked.

    A subfolder without `metadata.toml` is rejected, as is one with a link, a pipe, a device or a
    very large file: submitters fill these folders. A hidden one is ignored.

    Raises:
        ConfigError: if the folder contains no subfolder.
    """
    if not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder; name one with a subfolder for each system")
    places = sorted(
        path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")
    )
    if not places:
        raise ConfigError(f"{folder} contains no subfolder with a {FILE}")
    read = [_read(place) for place in places]
    accepted = [row for row in read if isinstance(row, System)]
    return accepted, [row for row in read if isinstance(row, Rejected)]


def _read(place: Path) -> System | Rejected:
    if refused := tuple(_refused_files(place)):
        return Rejected(place.name, "", refused)
    if not (place / FILE).is_file():
        return Rejected(place.name, "", (f"there is no {FILE}",))
    try:
        metadata = read_metadata(place / FILE)
    except ConfigError as error:
        return Rejected(place.name, "", (_relative(error, place),))
    is_run = (place / "manifest.json").is_file()
    reasons = metadata_problems(metadata, black_boxes(place))
    results: list[Result] = []
    try:
        results += read_run(place) if is_run else ()
        results += [read_entry(entry, place) for entry in metadata.results]
        reasons += _prediction_problems(place) if is_run else ()
    except XorqaError as error:
        reasons.append(_relative(error, place))
    if not results and not reasons:
        reasons.append(f"{FILE} names no results, and this is no run folder")
    if reasons:
        return Rejected(place.name, metadata.model, tuple(reasons))
    return System(place.name, metadata, tuple(results), place, is_run)


def _refused_files(place: Path) -> Iterator[str]:
    """Why files of a folder are not read: others than plain files, and too large ones."""
    if place.is_symlink():
        yield "the folder is a link; submit the folder itself"
        return
    for folder, folders, files in os.walk(place):
        folders.sort()
        for name in sorted(files + folders):
            path = Path(folder, name)
            shown = path.relative_to(place).as_posix()
            kind = kind_of_file(path, follow=False)
            most = _MOST_METADATA if shown == FILE else _MOST_BYTES
            if kind == "link":
                yield f"{shown} is a link; submit the file itself"
            elif kind:
                yield f"{shown} is a {kind}; submit a file"
            elif name in files and path.stat().st_size > most:
                yield f"{shown} has more than {'1 MiB' if shown == FILE else '1 GiB'}"


def _prediction_problems(place: Path) -> list[str]:
    """The errors in the prediction files of a run folder, counted by file."""
    problems = []
    for task in pipeline_tasks():
        file = place / task.file
        if not file.is_file():
            continue
        try:
            errors = check_submission(task, file).errors
        except DataError as error:
            problems.append(_relative(error, place))
            continue
        if errors:
            problems.append(
                f"{file.name} has {quantity(errors, 'error')}; xorqa submission check {file.name} "
                f"--task {task.name} lists them"
            )
    return problems


def _relative(error: XorqaError, place: Path) -> str:
    """The message without the folder's path, which the site should not reveal."""
    return str(error).replace(f"{place.resolve()}/", "").replace(f"{place}/", "")


def by_board(systems: Sequence[System]) -> Mapping[str, list[tuple[System, Result]]]:
    """Board to its rows, in the order of the systems."""
    rows: dict[str, list[tuple[System, Result]]] = {}
    for system in systems:
        for result in system.results:
            rows.setdefault(result.board.name, []).append((system, result))
    return rows
