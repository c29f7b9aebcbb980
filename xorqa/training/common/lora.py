"""Low-rank pairs (Hu et al. 2021, LoRA) on a model, and the adapter that training goes on from.

Parameters have an adapter's names here. peft multiplies a pair's product by alpha / rank; in an
adapter that factor stands in B already.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.errors import ConfigError
from ...core.lazy import require
from ...models.adapters import Adapter, open_adapter
from ...models.checkpoints import Checkpoint

if TYPE_CHECKING:
    import torch


def with_pairs(body: Any, *, modules: str, rank: int, alpha: int, **options: Any) -> Any:
    """The model with pairs on the linear layers that the regular expression `modules` names."""
    peft = require("peft", extra="train")
    lora = peft.LoraConfig(r=rank, lora_alpha=alpha, target_modules=modules, **options)
    return peft.get_peft_model(body, lora).train()


def learned(model: Any) -> dict[str, torch.nn.Parameter]:
    """What peft has left to be trained, under an adapter's names."""
    return {own_name(n): value for n, value in model.named_parameters() if value.requires_grad}


def own_name(peft_name: str) -> str:
    """An adapter's name for peft's."""
    name = peft_name.removeprefix("base_model.model.").replace(".modules_to_save.default", "")
    return name.replace(".lora_A.default.weight", ".A").replace(".lora_B.default.weight", ".B")


def exported(
    parameters: Mapping[str, torch.Tensor], *, rank: int, alpha: int
) -> dict[str, torch.Tensor]:
    """The tensors of an adapter; a pair whose product is zero, as at first, is left out."""
    still = {name[:-1] for name, value in parameters.items() if _is_zero_b(name, value)}
    return {
        name: value * _factor(name, rank, alpha)
        for name, value in parameters.items()
        if name[:-1] not in still
    }


def open_start(name: str, base: Checkpoint, *, task: str) -> Adapter:
    """The adapter a training goes on from.

    Raises:
        ConfigError: if it was trained on another base.
    """
    adapter = open_adapter(name, task=task)
    if adapter.base.sha != base.sha:
        raise ConfigError(f"{adapter.path} was trained on {adapter.base.name}, not on {base.name}")
    return adapter


def go_on_from(
    adapter: Adapter, parameters: Mapping[str, torch.Tensor], *, rank: int, alpha: int
) -> None:
    """Set the parameters to an adapter's, in place.

    Raises:
        ConfigError: if they do not fit; a pair that it has not stays as it is.
    """
    import torch
    from safetensors.torch import load_file

    tensors = load_file(adapter.path)
    if any(name.endswith(".Q") for name in tensors):
        raise ConfigError(
            f"start: {adapter.path} changes whole weights, which low-rank pairs cannot hold; "
            'method = "full" can go on from it'
        )
    if lost := sorted(set(tensors) - set(parameters)):
        raise ConfigError(
            f"start: {adapter.path} changes {lost[0]}, for which this recipe has no place"
        )
    with torch.no_grad():
        for name, value in parameters.items():
            if name not in tensors:
                continue
            if tensors[name].shape != value.shape:
                raise ConfigError(f"start: {adapter.path} has another rank")
            value.copy_(tensors[name].float() / _factor(name, rank, alpha))


def _is_zero_b(name: str, value: torch.Tensor) -> bool:
    return name.endswith(".B") and not value.any()


def _factor(name: str, rank: int, alpha: int) -> float:
    return alpha / rank if name.endswith(".B") else 1.0
