"""One reader from several trained alike: the mean of their weights.

Trainings from one start with different seeds end in one basin, whose middle often reads better
than its edges, in languages not trained on above all, and costs no more (Wortsman et al. 2022,
"Model soups", section 3: the uniform soup).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from ..models.adapters import Adapter, merge, save
from ..models.checkpoints import load, resolve
from .development import held_out
from .low_rank import open_start
from .methods import Full
from .reader import read_sources, write_judged
from .recipe import FILES, ReaderRecipe
from .sources import described


def average_readers(recipe: ReaderRecipe, files: Sequence[str], out: Path) -> Path:
    """Write the mean of readers to folder `out`, judged on the recipe's held-out questions.

    `files` are shipped names or paths, `recipe` that of their training; returns the file written.

    Raises:
        ConfigError: if there are fewer than two, or one is of another base.
        WeightsError: if one is no reader.
    """
    if len(files) < 2:
        raise ConfigError("an average needs two readers or more")
    base = resolve(recipe.base)
    readers = [open_start(file, base, task="reader") for file in files]
    model = load(base, "AutoModelForTokenClassification", num_labels=3)
    learning = Full(model, base, replace(recipe, start=None), "reader")
    _set_to_mean(model, readers)
    parts = [{"sha": reader.sha, "card": dict(reader.card)} for reader in readers]
    card = {"recipe": described(recipe, *FILES), "average": parts}
    write = partial(save, tensors=learning.exported(), task="reader", base=base)
    return write_judged(write, card, out, recipe, held_out(read_sources(recipe), recipe))


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
