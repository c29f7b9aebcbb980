"""What is trained of a reader, and how it goes into an adapter: low-rank pairs, or all of it.

Both begin at the base's weights, or at those an adapter makes of them; of both the lowest
layers may be frozen, which then stay as they are at the start and are exported along.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError
from ..models.adapters import merge, pack
from ..models.checkpoints import Checkpoint, load
from ..models.device import options_in_training
from .low_rank import exported, go_on_from, learnt, open_start, with_pairs
from .recipe import ReaderRecipe

if TYPE_CHECKING:
    import torch

HEAD = "classifier."
LAYER = re.compile(r"\bencoder\.layer\.(\d+)\.")


class LowRank:
    """Low-rank pairs on all linear layers of the body, and a new head."""

    def __init__(self, base: Checkpoint, recipe: ReaderRecipe) -> None:
        self.size = {"rank": recipe.rank, "alpha": recipe.alpha}
        self.model = with_pairs(_load(base, recipe), task_type="TOKEN_CLS", **self.size,
                                modules=r".*encoder.*(query|key|value|dense)")  # fmt: skip
        self._all = learnt(self.model)
        if recipe.start:
            go_on_from(open_start(recipe.start, base, task="reader"), self._all, **self.size)
        self.parameters = _unfrozen(self._all, recipe)

    def exported(self) -> dict[str, torch.Tensor]:
        """Pairs and head."""
        return exported(self._all, **self.size)


class Full:
    """All weights, biases and norms of the layers, and a new head; embeddings stay frozen."""

    def __init__(self, base: Checkpoint, recipe: ReaderRecipe) -> None:
        self.model = _load(base, recipe).train()
        named = dict(self.model.named_parameters())
        self._all = {n: p for n, p in named.items() if LAYER.search(n) or n.startswith(HEAD)}
        self._base = {name: value.detach().clone() for name, value in self._all.items()}
        if recipe.start:
            merge(self.model, open_start(recipe.start, base, task="reader"))
        self.parameters = _unfrozen(self._all, recipe)
        for name, value in named.items():
            value.requires_grad_(name in self.parameters)

    def exported(self) -> dict[str, torch.Tensor]:
        """What differs from the base, under an adapter's names: matrices in 4 bits, else whole."""
        tensors = {}
        for name, value in self._all.items():
            change = value.detach().cpu() - self._base[name]
            if name.startswith(HEAD) or (value.ndim == 1 and change.any()):
                tensors[name] = value
            elif change.any():
                module = name.removesuffix(".weight")
                tensors[f"{module}.Q"], tensors[f"{module}.S"] = pack(change)
        return tensors


def trained(base: Checkpoint, recipe: ReaderRecipe) -> LowRank | Full:
    """The recipe's method on its base.

    Raises:
        ConfigError: if it cannot go on from the recipe's start, or freezes all layers.
    """
    return Full(base, recipe) if recipe.method == "full" else LowRank(base, recipe)


def _load(base: Checkpoint, recipe: ReaderRecipe) -> Any:
    """The base with a new head, without dropout: one pass over the data overfits nothing."""
    model = load(base, "AutoModelForTokenClassification", num_labels=3, **options_in_training())
    layers = {match[1] for name, _ in model.named_parameters() if (match := LAYER.search(name))}
    if recipe.frozen_layers >= len(layers):
        raise ConfigError(
            f"[reader] frozen_layers must be below {len(layers)}, the layers of {base.name}, "
            f"not {recipe.frozen_layers}"
        )
    return model


def _unfrozen(parameters: dict[str, Any], recipe: ReaderRecipe) -> dict[str, Any]:
    """The parameters above the frozen layers; the others need no gradient any more."""
    learn = {}
    for name, value in parameters.items():
        match = LAYER.search(name)
        if match and int(match[1]) < recipe.frozen_layers:
            value.requires_grad_(False)
        else:
            learn[name] = value
    return learn
