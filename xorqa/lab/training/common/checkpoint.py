"""The files of a training folder: a checkpoint to resume from, and the curves."""

import csv
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from pickle import UnpicklingError
from typing import Any
from zipfile import BadZipFile, ZipFile

from ....core.errors import DataError
from ....io.files import atomic_path

CHECKPOINT = "checkpoint.pt"


@dataclass(slots=True)
class TrainingProgress:
    """Steps taken, the best validation score, validations since then, and whether it is done.

    `seconds` is the training time, without work that was lost when a run was killed; `losses` are
    those since the last row of the curve.
    """

    step: int = 0
    seconds: float = 0.0
    best: float = -math.inf
    since_best: int = 0
    done: bool = False
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
