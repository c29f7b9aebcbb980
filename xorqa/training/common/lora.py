"""Low-rank pairs (Hu et al. 2021, LoRA) on a model, and loading an adapter to continue from.

Parameters have their adapter names here. peft multiplies a pair's product by alpha / rank; an
adapter file stores B with that factor included.
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


def add_lora(body: Any, *, modules: str, rank: int, alpha: int, **options: Any) -> Any:
    """The model with low-rank pairs on the linear layers that the regex `modules` matches."""
    peft = require("peft", extra="train")
    lora = peft.LoraConfig(r=rank, lora_alpha=alpha, target_modules=modules, **options)
    return peft.get_peft_model(body, lora).train()


def trainable_parameters(model: Any) -> dict[str, torch.nn.Parameter]:
    """The parameters of a peft model that require a gradient, by their adapter names."""
    return {adapter_name(n): value for n, value in model.named_parameters() if value.requires_grad}


def adapter_name(peft_name: str) -> str:
    """The name in an adapter file of a peft parameter."""
    name = peft_name.removeprefix("base_model.model.").replace(".modules_to_save.default", "")
    return name.replace(".lora_A.default.weight", ".A").replace(".lora_B.default.weight", ".B")


def lora_tensors(
    parameters: Mapping[str, torch.Tensor], *, rank: int, alpha: int
) -> dict[str, torch.Tensor]:
    """The tensors of an adapter file, without pairs whose product is zero (untrained ones)."""
    zero_pairs = {name[:-1] for name, value in parameters.items() if _is_zero_b(name, value)}
    return {
        name: value * _factor(name, rank, alpha)
        for name, value in parameters.items()
        if name[:-1] not in zero_pairs
    }


def open_start(name: str, base: Checkpoint, *, task: str) -> Adapter:
    """The adapter that training starts from.

    Raises:
        ConfigError: if it was trained on another base.
    """
    adapter = open_adapter(name, task=task)
    if adapter.base.sha != base.sha:
        raise ConfigError(f"{adapter.path} was trained on {adapter.base.name}, not on {base.name}")
    return adapter


def load_start(
    adapter: Adapter, parameters: Mapping[str, torch.Tensor], *, rank: int, alpha: int
) -> None:
    """Set the parameters to an adapter's values, in place; pairs it lacks stay unchanged.

    Raises:
        ConfigError: if the adapter does not fit the parameters.
    """
    import torch
    from safetensors.torch import load_file

    tensors = load_file(adapter.path)
    if any(name.endswith(".Q") for name in tensors):
        raise ConfigError(
            f"start: {adapter.path} changes whole weights, which low-rank pairs cannot hold; "
            'set method = "full" to continue from it'
        )
    if unknown := sorted(set(tensors) - set(parameters)):
        raise ConfigError(
            f"start: {adapter.path} changes {unknown[0]}, which this recipe does not train"
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
