"""What a training keeps in its folder: a checkpoint to go on from, and its curves."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...io.files import atomic_path, write_text

CHECKPOINT = "checkpoint.pt"


@dataclass(slots=True)
class Progress:
    """How far a training is: steps taken, the best validation and those since, and whether done.

    `seconds` is the time it took, killed parts that no checkpoint kept left out.
    """

    step: int = 0
    seconds: float = 0.0
    best: float = -math.inf
    since_best: int = 0
    done: bool = False


def save(path: Path, parameters: dict[str, Any], optimizer: Any, progress: Progress) -> None:
    """Write all that a training needs to go on."""
    import torch

    state = {
        "progress": asdict(progress),
        "parameters": {name: value.detach() for name, value in parameters.items()},
        "optimizer": optimizer.state_dict(),
    }
    with atomic_path(path) as temporary:
        torch.save(state, temporary)


def restore(path: Path, parameters: dict[str, Any], optimizer: Any) -> Progress:
    """Set parameters and optimizer to what was saved; returns how far that was."""
    import torch

    state = torch.load(path, weights_only=True, map_location="cpu")
    set_values(parameters, state["parameters"])
    optimizer.load_state_dict(state["optimizer"])
    return Progress(**state["progress"])


def set_values(parameters: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Set the parameters in place."""
    import torch

    with torch.no_grad():
        for name, value in parameters.items():
            value.copy_(values[name])


def progress_in(out: Path) -> Progress:
    """How far the training in folder `out` is, by its checkpoint."""
    import torch

    state = torch.load(out / CHECKPOINT, weights_only=True, mmap=True, map_location="cpu")
    return Progress(**state["progress"])


def forget(path: Path, step: int) -> None:
    """Drop the losses after `step`: a killed run logged them, the resumed one will again."""
    if not path.exists():
        return
    head, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [row for row in rows if int(row.split(",", 1)[0]) <= step]
    write_text(path, "".join([head, *kept]))


def log(path: Path, **values: float) -> None:
    """Add a row to a curve; whole numbers stay whole, others have four decimals."""
    new = not path.exists()
    with path.open("a", newline="") as stream:
        writer = csv.writer(stream)
        if new:
            writer.writerow(values)
        writer.writerow(v if isinstance(v, int) else f"{v:.4f}" for v in values.values())
