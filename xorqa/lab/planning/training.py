"""Predict how long a bi-encoder's recipe trains, from a few of its batches on this machine."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import ConfigError
from ...core.progress import announce
from ..training.biencoder.data import prepare
from ..training.biencoder.model import Batch
from ..training.biencoder.pairs import Item, Paragraph
from ..training.biencoder.recipe import BiencoderRecipe
from ..training.biencoder.samplers import Pick
from ..training.biencoder.train import new_biencoder
from ..training.common.training_data import matching

if TYPE_CHECKING:
    import torch

BATCHES = 2
"""Measured batches, after one that is not: the first one of a process takes longer."""


@dataclass(frozen=True, slots=True)
class TrainingForecast:
    """The predicted cost of a recipe: `batch_s` and `update_s` were measured, in seconds.

    `disk` is the largest that checkpoints of the training take, in bytes; reading the data,
    mining and validation are not included. `at_most`: each text had the greatest length that the
    recipe admits, because data files were missing.
    """

    recipe: str
    batch_s: float
    update_s: float
    steps: int
    accumulate: int
    parameters: int
    disk: int
    at_most: bool

    @property
    def seconds(self) -> float:
        """The time of all steps."""
        return self.steps * (self.accumulate * self.batch_s + self.update_s)


def plan_training(name: str, recipe: BiencoderRecipe) -> TrainingForecast:
    """Measure a few batches of a recipe and an update of its weights.

    Raises:
        ConfigError: if the recipe mines negatives, whose time depends on the data.
    """
    import torch

    if recipe.negatives:
        raise ConfigError(f"{name} mines negatives; plan it without: --set negatives=[]")
    missing = [path for path in matching(recipe.patterns()) if not path.is_file()]
    batches = _longest(recipe) if missing else _of_the_data(recipe)
    if missing:
        announce(
            f"{name}: {missing[0]} is missing, so batches of texts of the greatest length are "
            "measured; with the data the estimate is lower"
        )
    model = new_biencoder(recipe, recipe.finetuning)
    weights = list(model.parameters.values())
    optimizer = torch.optim.AdamW(weights, lr=0.0)
    times = []
    for batch in batches:
        began = time.perf_counter()
        model.loss(batch).backward()  # type: ignore[no-untyped-call]
        _wait(model.towers[0].device)
        times.append(time.perf_counter() - began)
    optimizer.step()  # untimed: it allocates the moments
    began = time.perf_counter()
    optimizer.step()
    _wait(model.towers[0].device)
    return TrainingForecast(
        name,
        sum(times[1:]) / BATCHES,
        time.perf_counter() - began,
        recipe.steps,
        recipe.schedule.accumulate,
        size := sum(weight.numel() for weight in weights),
        disk=2 * 3 * 4 * size,  # weights and two moments, in an old and a new file
        at_most=bool(missing),
    )


def _of_the_data(recipe: BiencoderRecipe) -> Sequence[Batch]:
    """The first batches of the training."""
    few = replace(
        recipe, steps=1 + BATCHES, schedule=replace(recipe.schedule, accumulate=1), validation=0
    )
    with tempfile.TemporaryDirectory() as folder:
        return prepare(few, Path(folder)).batches


def _longest(recipe: BiencoderRecipe) -> Sequence[Batch]:
    """Batches of texts as long as the recipe admits."""
    question, answer = (
        " a" * size for size in (recipe.max_question_tokens, recipe.max_passage_tokens)
    )
    items = [
        Item(
            str(number),
            {"en": f"{number}{question}"},
            {"en": f"{number}{answer}"},
            {},
            {"en": Paragraph("", f"{number}{answer}", "en")},
        )
        for number in range(recipe.batch_size)
    ]
    picks = [(item, Pick(position, "en", "en")) for position, item in enumerate(items)]
    return [Batch(picks, [], (), recipe.context)] * (1 + BATCHES)


def _wait(device: torch.device) -> None:
    """Wait for a GPU, which computes while the program goes on."""
    import torch

    if device.type == "cuda":
        torch.cuda.synchronize()
