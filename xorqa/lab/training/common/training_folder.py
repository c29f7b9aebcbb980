"""The files of a training folder: whose it is, a checkpoint to resume from, curves, and results.

Results are computed in chunks, each a file: an interrupted computation continues, none is repeated.
A chunk's file is named by the hash of its items and of all that its results depend on;
`manifest.json` records both, and the files in order.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import wraps
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Concatenate, ParamSpec, TypeVar
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from ....core.errors import ConfigError, DataError
from ....core.progress import Progress, silent
from ....io.files import atomic_path, digest, read_json, write_json
from ....io.locks import lock_folder

CHECKPOINT = "checkpoint.pt"
BATCH_ORDER = 2
"""Raise it when a seed gives other batches, so that no older training resumes with them."""

Options = ParamSpec("Options")
Job = TypeVar("Job")
Result = TypeVar("Result")
Item = TypeVar("Item")
Arrays = dict[str, NDArray[Any]]


def locks_out(
    what: str,
) -> Callable[
    [Callable[Concatenate[Job, Path, Options], Result]],
    Callable[Concatenate[Job, Path, Options], Result],
]:
    """A decorator of functions (job, out, ...) that lock the folder `out` while they run."""

    def decorate(
        work: Callable[Concatenate[Job, Path, Options], Result],
    ) -> Callable[Concatenate[Job, Path, Options], Result]:
        @wraps(work)
        def locked(
            job: Job, out: Path, /, *args: Options.args, **options: Options.kwargs
        ) -> Result:
            with lock_folder(out, what):
                return work(job, out, *args, **options)

        return locked

    return decorate


def claim_folder(out: Path, identity: Mapping[str, Any]) -> None:
    """Record in `out` which training run it contains; only that run can resume there.

    Raises:
        ConfigError: if `out` holds the training of another recipe.
    """
    path = out / "recipe.json"
    expected = json.loads(json.dumps(identity)) | {"batch_order_version": BATCH_ORDER}
    recorded = read_json(path) if path.is_file() else expected
    for key, value in expected.items():
        if not isinstance(recorded, dict) or recorded.get(key) != value:
            raise ConfigError(
                f"{out} holds a training with another recipe ({key} differs); "
                "choose another folder with --out"
            )
    write_json(path, expected)


@dataclass(slots=True)
class TrainingProgress:
    """Steps taken, the best validation score, validations since then, and whether it is done.

    `seconds` is the training time, without work that was lost when a run was killed; `losses` are
    those since the last row of the curve. `position` is the step whose learning rate the last one
    had: a later one than its own where time is limited.
    """

    step: int = 0
    seconds: float = 0.0
    best: float = -math.inf
    since_best: int = 0
    done: bool = False
    position: float = 0.0
    losses: list[float] = field(default_factory=list)


def save_checkpoint(
    path: Path, parameters: dict[str, Any], optimizer: Any, progress: TrainingProgress
) -> None:
    """Write everything needed to resume."""
    import torch

    state = {
        "progress": asdict(progress),
        "parameters": {name: value.detach() for name, value in parameters.items()},
        "optimizer": optimizer.state_dict(),
    }
    with atomic_path(path) as temporary:
        torch.save(state, temporary)


def restore_checkpoint(path: Path, parameters: dict[str, Any], optimizer: Any) -> TrainingProgress:
    """Set parameters and optimizer to a checkpoint's; returns its progress.

    Raises:
        DataError: if the checkpoint is damaged.
    """
    state = load_state(path)
    set_values(parameters, state["parameters"])
    optimizer.load_state_dict(state["optimizer"])
    return TrainingProgress(**state["progress"])


def load_state(path: Path) -> Any:
    """Load a file that `torch.save` wrote.

    Raises:
        DataError: if the file is damaged; torch itself checks no sums.
    """
    import torch

    try:
        with ZipFile(path) as archive:
            if archive.testzip() is None:
                return torch.load(path, weights_only=True, map_location="cpu")
    except (BadZipFile, RuntimeError, ValueError, LookupError, EOFError, UnpicklingError):
        pass
    raise DataError(f"{path} is damaged; delete checkpoint.pt and best.pt to train again")


def set_values(parameters: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Set the parameters in place."""
    import torch

    with torch.no_grad():
        for name, value in parameters.items():
            value.copy_(values[name])


def truncate_curve(path: Path, step: int) -> None:
    """Drop incomplete rows and those after `step`, which the resumed run logs again."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    header, *rows = [line for line in lines if line.endswith(b"\n")] or [b""]
    valid = [row for row in rows if int(row.split(b",", 1)[0]) <= step]
    if valid:
        with atomic_path(path) as temporary:
            temporary.write_bytes(b"".join([header, *valid]))
    else:
        path.unlink(missing_ok=True)  # the next row begins a new file


def append_row(path: Path, **values: float) -> None:
    """Add a row to a curve; numbers other than integers have four decimals."""
    new = not path.exists()
    with path.open("a", newline="") as stream:
        writer = csv.writer(stream)
        if new:
            writer.writerow(values)
        writer.writerow(v if isinstance(v, int) else f"{v:.4f}" for v in values.values())


def compute_in_chunks(
    items: Sequence[Item],
    compute: Callable[[Sequence[Item]], Arrays],
    *,
    folder: Path,
    depends_on: Mapping[str, Any],
    size: int,
    progress: Progress = silent,
) -> list[Arrays]:
    """The results of each chunk of `size` items, computed where `folder` lacks them.

    `depends_on`, the hashes and settings behind `compute`, and the items are JSON-serialisable.
    `progress` gets the number of items done after each chunk.
    """
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    names = [f"{digest(depends_on, chunk)}.safetensors" for chunk in chunks]
    manifest = {**depends_on, "items": len(items), "chunk": size, "files": names}
    write_json(folder / "manifest.json", manifest)
    results = []
    done = 0
    for chunk, name in zip(chunks, names, strict=True):
        arrays = _read(folder / name)
        if arrays is None:
            arrays = compute(chunk)
            _write(folder / name, arrays)
        results.append(arrays)
        done += len(chunk)
        progress(done, len(items))
    return results


def _write(path: Path, arrays: Arrays) -> None:
    from safetensors.numpy import save_file

    with atomic_path(path) as temporary:
        save_file({name: np.ascontiguousarray(a) for name, a in arrays.items()}, temporary)


def _read(path: Path) -> Arrays | None:
    """The arrays of a chunk, None if its file is missing or cannot be read."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        arrays: Arrays = load_file(path)
    except (OSError, SafetensorError):
        return None
    return arrays
