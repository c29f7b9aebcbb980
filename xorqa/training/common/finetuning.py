"""Which parameters of a model are trained, and how they are exported: low-rank pairs, or all.

Both methods start from the base's weights or from an adapter on it. With both the lowest layers
may be frozen: they keep the weights of the start, which are exported too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ...core.errors import ConfigError
from ...models.adapters import merge, quantise
from ...models.checkpoints import Checkpoint
from .limits import limited
from .lora import add_lora, load_start, lora_tensors, open_start, trainable_parameters
from .recipe import Recipe

if TYPE_CHECKING:
    import torch

Method = Literal["lora", "full"]
"""Low-rank pairs on all linear layers, or all weights of the layers; embeddings stay frozen."""
PEFT_TASKS = {"reader": "TOKEN_CLS", "encoder": None}
HEAD = "classifier."
LAYER = re.compile(r"\blayer\.(\d+)\.")
LINEAR = r".*\blayer\.\d+\..*(query|key|value|dense)"


@dataclass(frozen=True, slots=True)
class Finetuning:
    """How to train: `start` is an adapter to continue from."""

    method: Method
    start: str | None = None
    frozen_layers: int = 0
    rank: int = 32
    alpha: int = 64


@dataclass(frozen=True, slots=True)
class FinetuningRecipe(Recipe):
    """A recipe that fine-tunes its base."""

    method: Method = "lora"
    start: str | None = None  # an adapter to continue from: a bundled name or a file
    frozen_layers: int = limited(0, 0)  # the lowest layers, not trained
    rank: int = limited(32, 1)
    alpha: int = 64

    @property
    def finetuning(self) -> Finetuning:
        """Which weights are trained, and from where."""
        return Finetuning(self.method, self.start, self.frozen_layers, self.rank, self.alpha)


class LowRank:
    """Low-rank pairs on all linear layers of a model, and its new head if it has one."""

    def __init__(self, model: Any, base: Checkpoint, how: Finetuning, task: str) -> None:
        self.size = {"rank": how.rank, "alpha": how.alpha}
        self.model = add_lora(model, modules=LINEAR, task_type=PEFT_TASKS[task], **self.size)
        self._all = trainable_parameters(self.model)
        if how.start:
            load_start(open_start(how.start, base, task=task), self._all, **self.size)
        self.parameters = _unfrozen(self._all, how.frozen_layers)

    def adapter_tensors(self) -> dict[str, torch.Tensor]:
        """The head, and the pairs that change something."""
        return lora_tensors(self._all, **self.size)


class Full:
    """All weights, biases and norms of the layers, and a new head; embeddings stay frozen."""

    def __init__(self, model: Any, base: Checkpoint, how: Finetuning, task: str) -> None:
        self.model = model.train()
        named = dict(model.named_parameters())
        self._all = {n: p for n, p in named.items() if LAYER.search(n) or n.startswith(HEAD)}
        self._base = {name: value.detach().clone() for name, value in self._all.items()}
        if how.start:
            merge(model, open_start(how.start, base, task=task))
        self.parameters = _unfrozen(self._all, how.frozen_layers)
        for name, value in named.items():
            value.requires_grad_(name in self.parameters)

    def adapter_tensors(self) -> dict[str, torch.Tensor]:
        """The differences from the base, by adapter name: matrices in 4 bits, the rest whole."""
        tensors = {}
        for name, value in self._all.items():
            change = value.detach().cpu() - self._base[name]
            if name.startswith(HEAD) or (value.ndim == 1 and change.any()):
                tensors[name] = value
            elif change.any():
                module = name.removesuffix(".weight")
                tensors[f"{module}.Q"], tensors[f"{module}.S"] = quantise(change)
        return tensors


def make_trainable(model: Any, base: Checkpoint, how: Finetuning, *, task: str) -> LowRank | Full:
    """Prepare a model for training; it is the base with the head of a "reader" or "encoder".

    Raises:
        ConfigError: if the start does not fit, or all layers are frozen.
    """
    layers = {match[1] for name, _ in model.named_parameters() if (match := LAYER.search(name))}
    if how.frozen_layers >= len(layers):
        raise ConfigError(
            f"frozen_layers must be below {len(layers)}, the layers of {base.name}, "
            f"not {how.frozen_layers}"
        )
    return (Full if how.method == "full" else LowRank)(model, base, how, task)


def _unfrozen(parameters: dict[str, Any], frozen_layers: int) -> dict[str, Any]:
    """The parameters above the frozen layers; the frozen ones no longer need a gradient."""
    trained = {}
    for name, value in parameters.items():
        match = LAYER.search(name)
        if match and int(match[1]) < frozen_layers:
            value.requires_grad_(False)
        else:
            trained[name] = value
    return trained
