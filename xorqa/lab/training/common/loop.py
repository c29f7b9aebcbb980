"""The training loop of all recipes: accumulate, step, log, checkpoint, resume exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ....core.progress import Log, silent
from ....core.validation import SETTINGS, Count, CountOrZero, NonNegative, Share
from ....io.files import atomic_path
from .time_limit import UNLIMITED, TimeLimit
from .training_folder import (
    CHECKPOINT,
    TrainingProgress,
    append_row,
    load_state,
    restore_checkpoint,
    save_checkpoint,
    set_values,
    truncate_curve,
)

if TYPE_CHECKING:
    import torch

Batch = TypeVar("Batch")
Decay = Literal["linear", "inverse_sqrt"]
BETAS = 0.9, 0.999
SCHEDULE_ADDED_LATER = {
    "decay": "linear",
    "warmup_steps": 0,
    "warmup_from": 0.0,
    "betas": BETAS,
}
"""Settings of `Schedule` that are described only where they differ: older folders lack them."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Learning rate and frequencies: linear warm-up to `learning_rate`, then decay.

    The decay is linear to zero or, with "inverse_sqrt", by the inverse square root of the steps
    (Vaswani et al. 2017). `warmup` is a share of the steps; `warmup_steps`, if set,
    their number, and `warmup_from` the rate that they begin with.
    """

    learning_rate: float
    warmup: float = 0.06
    weight_decay: float = 0.01
    clip: float = 1.0
    accumulate: Count = 1  # batches per step
    checkpoint_seconds: float = 180.0
    log_every: int = 20
    validate_every: int = 0  # steps; 0: only at the end
    patience: int = 0  # validations without a better score before training stops; 0: never
    decay: Decay = "linear"
    warmup_steps: CountOrZero = 0
    warmup_from: NonNegative = 0.0
    betas: tuple[Share, Share] = BETAS  # of Adam's moments

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        SETTINGS.check_numbers(self, where="schedule")

    def factor(self, step: float, steps: int) -> float:
        """The share of the learning rate used at `step` (from 0)."""
        warm = self.warmup_steps or max(1, math.ceil(self.warmup * steps))
        if step < warm:
            first = self.warmup_from / self.learning_rate if self.warmup_from else 0.0
            return first + (1 - first) * (step + 1) / warm
        if self.decay == "inverse_sqrt":
            return math.sqrt(warm / (step + 1))
        return max(0.0, (steps - step) / max(1, steps - warm))

    def validates_at(self, step: int, steps: int) -> bool:
        """Whether `step` steps are followed by a validation."""
        return step == steps or (self.validate_every > 0 and step % self.validate_every == 0)


def described_schedule(values: Mapping[str, Any]) -> dict[str, Any]:
    """A schedule's values without those `SCHEDULE_ADDED_LATER` that are not set."""
    unset = {n for n, default in SCHEDULE_ADDED_LATER.items() if values[n] == default}
    return {name: value for name, value in values.items() if name not in unset}


def fit(
    parameters: dict[str, torch.nn.Parameter],
    batches: Sequence[Batch],
    loss: Callable[[Batch], torch.Tensor],
    *,
    schedule: Schedule,
    out: Path,
    validate: Callable[[], float] | None = None,
    report: Log = silent,
    stop_after: int | None = None,
    limit: TimeLimit = UNLIMITED,
) -> TrainingProgress:
    """Take one step per `schedule.accumulate` batches, continuing from `out/checkpoint.pt`.

    A step follows the gradient of its batches' mean loss. The batches and `loss` must be
    deterministic for a resumed run to equal an uninterrupted one. With `validate` (higher is
    better) the final parameters are those of the best validation. `stop_after` (steps) ends the
    run early, as if it were killed. A run that reaches the time `limit`, after a step at least, is
    finished, and the learning rate decays by the share of the time if that is greater than the
    share of the steps. `out/curve.csv` has the losses, `out/validation.csv` the scores; `report`
    is called with one line per loss.
    """
    import torch

    optimizer = torch.optim.AdamW(
        list(parameters.values()),
        lr=schedule.learning_rate,
        betas=schedule.betas,
        weight_decay=schedule.weight_decay,
    )
    out.mkdir(parents=True, exist_ok=True)
    checkpoint = out / CHECKPOINT
    progress = TrainingProgress()
    if checkpoint.exists():
        progress = restore_checkpoint(checkpoint, parameters, optimizer)
    for name in ("curve.csv", "validation.csv"):
        truncate_curve(out / name, progress.step)
    began = saved_at = time.monotonic()
    size = schedule.accumulate
    steps = -(-len(batches) // size)  # the last one may have fewer batches
    end = steps if stop_after is None else min(stop_after, steps)
    resumed_at, seconds = progress.position, limit.left
    while progress.step < end and not progress.done:
        by_time = resumed_at + (steps - resumed_at) * limit.passed_of(seconds)
        progress.position = max(progress.step, by_time)
        rate = schedule.learning_rate * schedule.factor(progress.position, steps)
        step_batches = batches[progress.step * size : (progress.step + 1) * size]
        progress.losses.append(_step(optimizer, loss, step_batches, rate, schedule.clip))
        progress.step = step = progress.step + 1
        progress.done = step == steps or limit.reached
        if step % schedule.log_every == 0 or step == end or progress.done:
            mean = sum(progress.losses) / len(progress.losses)
            append_row(out / "curve.csv", step=step, loss=mean)
            minutes = (time.monotonic() - began) / 60
            report(f"step {step}/{steps}  loss {mean:.3f}  {minutes:.1f} min")
            progress.losses.clear()
        if validate and (progress.done or schedule.validates_at(step, steps)):
            _record_validation(progress, validate(), parameters, out)
            progress.done = progress.done or 0 < schedule.patience <= progress.since_best
        is_last = step == end or progress.done
        if is_last or time.monotonic() - saved_at > schedule.checkpoint_seconds:
            progress.seconds += time.monotonic() - saved_at
            saved_at = time.monotonic()
            save_checkpoint(checkpoint, parameters, optimizer, progress)
    if progress.done and (out / "best.pt").exists():
        set_values(parameters, load_state(out / "best.pt"))
    return progress


def _step(
    optimizer: torch.optim.Optimizer,
    loss: Callable[[Batch], torch.Tensor],
    batches: Sequence[Batch],
    rate: float,
    clip: float,
) -> float:
    """One step down the gradient of the batches' mean loss; returns that mean."""
    import torch

    [group] = optimizer.param_groups
    group["lr"] = rate
    mean = 0.0
    for batch in batches:
        batch_loss = loss(batch) / len(batches)
        batch_loss.backward()  # type: ignore[no-untyped-call]
        mean += float(batch_loss.detach())
    torch.nn.utils.clip_grad_norm_(group["params"], clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return mean


def _record_validation(
    progress: TrainingProgress, score: float, parameters: dict[str, Any], out: Path
) -> None:
    """Log a validation score; save the parameters if they are the best so far."""
    import torch

    append_row(out / "validation.csv", step=progress.step, score=score)
    progress.since_best += 1
    if score > progress.best:
        progress.best, progress.since_best = score, 0
        with atomic_path(out / "best.pt") as temporary:
            torch.save({name: value.detach() for name, value in parameters.items()}, temporary)
