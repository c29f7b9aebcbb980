"""Predict how long a recipe trains, from a few of its batches on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...core.config import find_toml, read_toml
from ...core.errors import ConfigError, one_of
from ...core.progress import announce
from ...models.device import pick_device
from ..training.common.recipe import RECIPES
from .workloads import WORKLOADS, Limits, missing_files

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class TrainingForecast:
    """The predicted cost of a recipe: `batch_s` and `update_s` were measured, in seconds.

    A measured batch had the `share` of a whole one, to whose size `batch_s` is scaled. `disk` is
    the largest that checkpoints of the training take, in bytes; reading the data, mining and
    validation are not included. `at_most`: each text had the greatest length that the recipe
    admits, because data files were missing or are made in training.
    """

    recipe: str
    batch_s: float
    update_s: float
    steps: int
    accumulate: int
    parameters: int
    disk: int
    at_most: bool
    texts: str = ""
    share: float = 1.0

    @property
    def seconds(self) -> float:
        """The time of all steps."""
        return self.steps * (self.accumulate * self.batch_s + self.update_s)


def plan_training(
    name: str, changes: Sequence[str] = (), limits: Limits | None = None
) -> TrainingForecast:
    """Measure a few batches of a recipe, with `changes` of its settings, and an update.

    Raises:
        ConfigError: if the recipe's kind is not planned, or its number of steps is unknown.
    """
    limits = limits or Limits()
    tables = read_toml(find_toml(name, RECIPES, kind="recipe"))
    table = next((table for table in WORKLOADS if table in tables), None)
    if table is None:
        raise ConfigError(f"{name} is not planned: it has none of the tables {one_of(WORKLOADS)}")
    kind, make_workload = WORKLOADS[table]
    recipe = kind.load(name, changes)
    if hasattr(recipe, "validation_files"):  # which is not planned
        recipe = replace(recipe, validation_files=())
    missing = missing_files(recipe)
    if limits.questions and not hasattr(recipe, "epochs"):
        raise ConfigError(f"{name} has its own number of steps; remove --questions")
    if limits.questions and not missing:
        announce(f"{name}: its data is there and is counted; --questions has no effect")
    if earlier := [row.get("recipe") or row["name"] for row in tables.get("stages", ())[:-1]]:
        announce(f"{name}: only its last stage is planned, not {', '.join(earlier)}")
    workload = make_workload(recipe, limits)
    if workload.texts:
        why = f"{missing[0]} is missing" if missing else "its data is made in training"
        announce(f"{name}: {why}, so batches of {workload.texts} are measured")
    batch_s, update_s = _measure(workload.parameters, workload.loss, workload.batches)
    return TrainingForecast(
        name,
        batch_s / workload.share,
        update_s,
        workload.steps,
        recipe.schedule.accumulate,
        size := sum(weight.numel() for weight in workload.parameters),
        disk=2 * 3 * 4 * size,  # weights and two moments, in an old and a new file
        at_most="greatest" in workload.texts,
        texts=workload.texts,
        share=workload.share,
    )


def _measure(
    parameters: Sequence[torch.nn.Parameter],
    loss: Callable[[Any], torch.Tensor],
    batches: Sequence[Any],
) -> tuple[float, float]:
    """The seconds of a batch, the fastest of several, and of an update of the weights."""
    import torch

    optimizer = torch.optim.AdamW(parameters, lr=0.0)
    times = []
    for batch in batches:
        began = time.perf_counter()
        loss(batch).backward()  # type: ignore[no-untyped-call]
        _wait()
        times.append(time.perf_counter() - began)
    optimizer.step()  # untimed: it allocates the moments
    began = time.perf_counter()
    optimizer.step()
    _wait()
    return min(times[1:] or times), time.perf_counter() - began


def _wait() -> None:
    """Wait for a GPU, which computes while the program goes on."""
    import torch

    if pick_device().type == "cuda":
        torch.cuda.synchronize()
