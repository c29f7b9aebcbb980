"""The loop under every recipe: accumulate, step, log, checkpoint, resume exactly."""

from __future__ import annotations

import csv
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import ConfigError
from ..files import atomic_path, read_json, write_json, write_text

if TYPE_CHECKING:
    import torch

Batch = TypeVar("Batch")


@dataclass(frozen=True, slots=True)
class Schedule:
    """How fast to learn: linear warm-up to `learning_rate`, then linear decay to zero."""

    learning_rate: float
    warmup: float = 0.06
    weight_decay: float = 0.01
    clip: float = 1.0
    checkpoint_seconds: float = 180.0
    log_every: int = 20

    def factor(self, step: int, steps: int) -> float:
        """The share of the learning rate used at `step` (from 0)."""
        warm = max(1, math.ceil(self.warmup * steps))
        if step < warm:
            return (step + 1) / warm
        return max(0.0, (steps - step) / max(1, steps - warm))


def train(
    parameters: dict[str, torch.nn.Parameter],
    batches: Sequence[Batch],
    loss_of: Callable[[Batch], torch.Tensor],
    *,
    schedule: Schedule,
    out: Path,
    report: Callable[[int, float], None] = lambda step, loss: None,
    stop_after: int | None = None,
) -> int:
    """Take one step a batch, in order, from wherever `out/checkpoint.pt` left off.

    The batches and `loss_of` must be deterministic for a resumed run to equal an
    uninterrupted one. `stop_after` ends the run early, as a kill would. Returns the number
    of steps taken in all; `out/curve.csv` has the losses.
    """
    import torch

    optimizer = torch.optim.AdamW(
        list(parameters.values()),
        lr=schedule.learning_rate,
        weight_decay=schedule.weight_decay,
    )
    out.mkdir(parents=True, exist_ok=True)
    checkpoint = out / "checkpoint.pt"
    step = _restore(checkpoint, parameters, optimizer) if checkpoint.exists() else 0
    _forget(out / "curve.csv", step)
    saved_at = time.monotonic()
    running: list[float] = []
    end = len(batches) if stop_after is None else min(stop_after, len(batches))
    while step < end:
        for group in optimizer.param_groups:
            group["lr"] = schedule.learning_rate * schedule.factor(step, len(batches))
        loss = loss_of(batches[step])
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(parameters.values()), schedule.clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        running.append(float(loss.detach()))
        if step % schedule.log_every == 0 or step == end:
            mean = sum(running) / len(running)
            _log(out / "curve.csv", step, mean)
            report(step, mean)
            running.clear()
        if time.monotonic() - saved_at > schedule.checkpoint_seconds or step == end:
            _save(checkpoint, parameters, optimizer, step)
            saved_at = time.monotonic()
    return step


def claim(out: Path, recipe: Mapping[str, Any]) -> None:
    """Make `out` the folder of one recipe, whose training may go on there.

    Raises:
        ConfigError: if the training in `out` has another recipe.
    """
    path = out / "recipe.json"
    wanted = json.loads(json.dumps(recipe))
    found = read_json(path) if path.is_file() else wanted
    for key, value in wanted.items():
        if not isinstance(found, dict) or found.get(key) != value:
            raise ConfigError(
                f"{out} holds a training with another recipe ({key} differs); "
                "name another folder with --out"
            )
    write_json(path, wanted)


def _save(path: Path, parameters: dict[str, Any], optimizer: Any, step: int) -> None:
    import torch

    state = {
        "step": step,
        "parameters": {name: value.detach() for name, value in parameters.items()},
        "optimizer": optimizer.state_dict(),
    }
    with atomic_path(path) as temporary:
        torch.save(state, temporary)


def _restore(path: Path, parameters: dict[str, Any], optimizer: Any) -> int:
    import torch

    state = torch.load(path, weights_only=True)
    with torch.no_grad():
        for name, value in parameters.items():
            value.copy_(state["parameters"][name])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["step"])


def _forget(path: Path, step: int) -> None:
    """Drop the losses after `step`: a killed run logged them, the resumed one will again."""
    if not path.exists():
        return
    head, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [row for row in rows if int(row.split(",", 1)[0]) <= step]
    write_text(path, "".join([head, *kept]))


def _log(path: Path, step: int, loss: float) -> None:
    new = not path.exists()
    with path.open("a", newline="") as stream:
        writer = csv.writer(stream)
        if new:
            writer.writerow(["step", "loss"])
        writer.writerow([step, f"{loss:.4f}"])
