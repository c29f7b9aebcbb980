"""What is trained of a model, and how it goes into an adapter: low-rank pairs, or all of it.

Both begin at the base's weights, or at those an adapter makes of them; of both the lowest
layers may be frozen, which then stay as they are at the start and are exported along.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from ...core.errors import ConfigError
from ...models.adapters import merge, quantise
from ...models.checkpoints import Checkpoint
from .lora import exported, go_on_from, learned, open_start, with_pairs

if TYPE_CHECKING:
    import torch

METHODS = ("lora", "full")
TYPES = {"reader": "TOKEN_CLS", "encoder": None}  # what peft calls a task
HEAD = "classifier."
LAYER = re.compile(r"\blayer\.(\d+)\.")
LINEAR = r".*\blayer\.\d+\..*(query|key|value|dense)"


class Settings(Protocol):
    """What a recipe says of it: `method` is one of `METHODS`, `start` an adapter to go on from."""

    @property
    def method(self) -> str: ...
    @property
    def start(self) -> str | None: ...
    @property
    def frozen_layers(self) -> int: ...
    @property
    def rank(self) -> int: ...
    @property
    def alpha(self) -> int: ...


class LowRank:
    """Low-rank pairs on all linear layers of a model, and its new head if it has one."""

    def __init__(self, model: Any, base: Checkpoint, given: Settings, task: str) -> None:
        self.size = {"rank": given.rank, "alpha": given.alpha}
        self.model = with_pairs(model, modules=LINEAR, task_type=TYPES[task], **self.size)
        self._all = learned(self.model)
        if given.start:
            go_on_from(open_start(given.start, base, task=task), self._all, **self.size)
        self.parameters = _unfrozen(self._all, given)

    def exported(self) -> dict[str, torch.Tensor]:
        """Head, and the pairs that change something."""
        return exported(self._all, **self.size)


class Full:
    """All weights, biases and norms of the layers, and a new head; embeddings stay frozen."""

    def __init__(self, model: Any, base: Checkpoint, given: Settings, task: str) -> None:
        self.model = model.train()
        named = dict(model.named_parameters())
        self._all = {n: p for n, p in named.items() if LAYER.search(n) or n.startswith(HEAD)}
        self._base = {name: value.detach().clone() for name, value in self._all.items()}
        if given.start:
            merge(model, open_start(given.start, base, task=task))
        self.parameters = _unfrozen(self._all, given)
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
                tensors[f"{module}.Q"], tensors[f"{module}.S"] = quantise(change)
        return tensors


def trained(model: Any, base: Checkpoint, given: Settings, *, task: str) -> LowRank | Full:
    """The method on a model, which is the base with what the task, "reader" or "encoder", adds.

    Raises:
        ConfigError: if it cannot go on from the start, or freezes all layers.
    """
    layers = {match[1] for name, _ in model.named_parameters() if (match := LAYER.search(name))}
    if given.frozen_layers >= len(layers):
        raise ConfigError(
            f"frozen_layers must be below {len(layers)}, the layers of {base.name}, "
            f"not {given.frozen_layers}"
        )
    return (Full if given.method == "full" else LowRank)(model, base, given, task)


def _unfrozen(parameters: dict[str, Any], given: Settings) -> dict[str, Any]:
    """The parameters above the frozen layers; the others need no gradient any more."""
    learn = {}
    for name, value in parameters.items():
        match = LAYER.search(name)
        if match and int(match[1]) < given.frozen_layers:
            value.requires_grad_(False)
        else:
            learn[name] = value
    return learn
