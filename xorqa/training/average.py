"""One reader or encoder from several: the mean of their weights.

Trainings from one start, or one that goes on from another, end in one basin, whose middle is often
better than its edges, in languages not trained on above all, and costs no more (Wortsman et al.
2022, "Model soups", section 3: the uniform soup).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError
from ..io.files import write_json
from ..models.adapters import Adapter, merge, save
from ..models.checkpoints import Checkpoint, load, resolve
from .biencoder.model import Biencoder
from .biencoder.recipe import BiencoderRecipe
from .biencoder.recipe import described as encoder_described
from .biencoder.train import held_out_items
from .biencoder.validation import held_out as held_out_questions
from .common.finetuning import Full
from .common.lora import open_start
from .common.sources import described
from .reader.recipe import FILES, ReaderRecipe
from .reader.train import read_sources, write_judged
from .reader.validation import held_out


def average_readers(recipe: ReaderRecipe, files: Sequence[str], out: Path) -> Path:
    """Write the mean of readers to folder `out`, judged on the recipe's held-out questions.

    `files` are shipped names or paths, `recipe` that of their training; returns the file written.

    Raises:
        ConfigError: if there are fewer than two, or one is of another base.
        WeightsError: if one is no reader.
    """
    base = resolve(recipe.base)
    readers = _opened(files, base, task="reader")
    model = load(base, "AutoModelForTokenClassification", num_labels=3)
    learning = Full(model, base, replace(recipe, start=None), "reader")
    _set_to_mean(model, readers)
    card = {"recipe": described(recipe, *FILES), "average": _named(readers)}
    write = partial(save, tensors=learning.exported(), task="reader", base=base)
    return write_judged(write, card, out, recipe, held_out(read_sources(recipe), recipe))


def average_encoders(recipe: BiencoderRecipe, files: Sequence[str], out: Path) -> Path:
    """The same of encoders with one tower.

    Raises:
        ConfigError: if there are fewer than two, one is of another base, or the recipe has two
            towers.
        WeightsError: if one is no encoder.
    """
    if recipe.towers != 1:
        raise ConfigError("an average is of encoders with one tower; the recipe has two")
    encoders = _opened(files, resolve(recipe.base), task="encoder")
    model = Biencoder(replace(recipe, method="full", start=None))
    _set_to_mean(model.towers[0].learning.model, encoders)
    development = model.card(held_out_questions(held_out_items(recipe), recipe))
    del development["scale"]  # of no training
    card = {"recipe": encoder_described(recipe), "average": _named(encoders)} | development
    [path] = model.save(out, card)
    write_json(out / "card.json", card)
    return path


def _opened(files: Sequence[str], base: Checkpoint, *, task: str) -> list[Adapter]:
    if len(files) < 2:
        raise ConfigError(f"an average needs two {task}s or more")
    return [open_start(file, base, task=task) for file in files]


def _named(adapters: Sequence[Adapter]) -> list[dict[str, Any]]:
    """What a card says of the parts of a mean."""
    return [{"sha": adapter.sha, "card": dict(adapter.card)} for adapter in adapters]


def _set_to_mean(model: Any, adapters: Sequence[Adapter]) -> None:
    """Set the model's weights, now the base's, to the mean of what the adapters make of them."""
    import torch

    base = {name: value.clone() for name, value in model.state_dict().items()}
    total = {name: torch.zeros_like(value) for name, value in base.items()}
    for adapter in adapters:
        model.load_state_dict(base)
        merge(model, adapter)
        for name, value in model.state_dict().items():
            total[name] += value / len(adapters)
    model.load_state_dict(total)
