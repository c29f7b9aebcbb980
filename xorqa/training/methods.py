"""What is trained of a reader, and how it goes into an adapter: low-rank pairs, or all of it.

Both begin at the base's weights, or at those an adapter makes of them; of both the lowest
layers may be frozen, which then stay as they are at the start and are exported along.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError
from ..lazy import require
from ..models.adapters import Adapter, merge, open_adapter, pack
from ..models.checkpoints import Checkpoint, load
from .recipe import ReaderRecipe

if TYPE_CHECKING:
    import torch

HEAD = "classifier."
LAYER = re.compile(r"\bencoder\.layer\.(\d+)\.")


class LowRank:
    """Low-rank pairs on all linear layers of the body (Hu et al. 2021, LoRA), and a new head."""

    def __init__(self, base: Checkpoint, recipe: ReaderRecipe) -> None:
        peft = require("peft", extra="train")
        body = _load(base, recipe)
        lora = peft.LoraConfig(task_type="TOKEN_CLS", r=recipe.rank, lora_alpha=recipe.alpha,
                               target_modules=r".*encoder.*(query|key|value|dense)")  # fmt: skip
        self.recipe = recipe
        self.model = peft.get_peft_model(body, lora).train()
        self._all = {n: p for n, p in self.model.named_parameters() if p.requires_grad}
        if recipe.start:
            self._go_on_from(_open_start(recipe.start, base))
        self.parameters = _unfrozen(self._all, recipe)

    def exported(self) -> dict[str, torch.Tensor]:
        """Pairs and head under an adapter's names, the scale multiplied into B."""
        tensors = {}
        for peft_name, value in self._all.items():
            name, scale = self._own_name(peft_name)
            tensors[name] = value * scale
        return tensors

    def _go_on_from(self, adapter: Adapter) -> None:
        """Set the parameters to an adapter's, in place."""
        import torch
        from safetensors.torch import load_file

        tensors = load_file(adapter.path)
        if any(name.endswith(".Q") for name in tensors):
            raise ConfigError(
                f"[reader] start: {adapter.path} changes whole weights, which low-rank pairs "
                'cannot hold; take method = "full"'
            )
        with torch.no_grad():
            for peft_name, value in self._all.items():
                name, scale = self._own_name(peft_name)
                if name not in tensors or tensors[name].shape != value.shape:
                    raise ConfigError(f"[reader] start: {adapter.path} has another rank")
                value.copy_(tensors[name].float() / scale)

    def _own_name(self, peft_name: str) -> tuple[str, float]:
        """Our name for peft's, and the factor from its tensor to ours."""
        name = peft_name.removeprefix("base_model.model.").replace(".modules_to_save.default", "")
        if ".lora_A." in name:
            return name.split(".lora_A.")[0] + ".A", 1.0
        if ".lora_B." in name:
            return name.split(".lora_B.")[0] + ".B", self.recipe.alpha / self.recipe.rank
        return name, 1.0


class Full:
    """All weights, biases and norms of the layers, and a new head; embeddings stay frozen."""

    def __init__(self, base: Checkpoint, recipe: ReaderRecipe) -> None:
        self.model = _load(base, recipe).train()
        named = dict(self.model.named_parameters())
        self._all = {n: p for n, p in named.items() if LAYER.search(n) or n.startswith(HEAD)}
        self._base = {name: value.detach().clone() for name, value in self._all.items()}
        if recipe.start:
            merge(self.model, _open_start(recipe.start, base))
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


def _open_start(name: str, base: Checkpoint) -> Adapter:
    """The adapter a training goes on from.

    Raises:
        ConfigError: if it was trained on another base.
    """
    adapter = open_adapter(name, task="reader")
    if adapter.base.sha != base.sha:
        raise ConfigError(f"{adapter.path} was trained on {adapter.base.name}, not on {base.name}")
    return adapter


def _load(base: Checkpoint, recipe: ReaderRecipe) -> Any:
    """The base with a new head, without dropout: one pass over the data overfits nothing."""
    no_dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    model = load(base, "AutoModelForTokenClassification", num_labels=3, **no_dropout)
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
