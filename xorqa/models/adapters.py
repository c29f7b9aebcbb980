"""Adapters: what training changed of a base, as one small file that knows its base.

A file holds low-rank pairs `<module>.A` (rank, inputs) and `<module>.B` (outputs, rank)
(Hu et al. 2021, LoRA) and, under their own names, whole tensors such as a new head.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import WeightsError, one_of
from ..files import atomic_path, sha256
from .checkpoints import Checkpoint, resolve

if TYPE_CHECKING:
    import torch

SHIPPED = Path(__file__).parent / "weights"


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter file, read; `sha` identifies it, `card` says how it was made."""

    path: Path
    task: str
    base: Checkpoint
    sha: str
    card: Mapping[str, Any]


def shipped() -> dict[str, Path]:
    """The adapters inside the package, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.safetensors"))}


def open_adapter(name: str, *, task: str) -> Adapter:
    """A shipped adapter by its name, or any file by its path.

    Raises:
        WeightsError: if there is none, it is for another task, or its base has changed.
    """
    from safetensors import safe_open

    path = shipped().get(name, Path(name).expanduser())
    if not path.is_file():
        raise WeightsError(f"no adapter is called '{name}'; there are: {one_of(shipped())}")
    try:
        with safe_open(path, framework="np") as stream:
            about = stream.metadata() or {}
    except Exception as error:
        raise WeightsError(f"{path} is not an adapter file: {error}") from error
    if about.get("task") != task:
        raise WeightsError(f"{path} is an adapter for {about.get('task')!r}, not for '{task}'")
    if not {"base", "base_sha"} <= set(about):
        raise WeightsError(f"{path} is not an adapter file: it does not name its base")
    base = resolve(about["base"])
    if base.sha != about["base_sha"]:
        raise WeightsError(
            f"{path} was trained on {about['base']} with weights {about['base_sha']}; "
            f"{base.path} has {base.sha}"
        )
    return Adapter(path, task, base, sha256(path)[:16], json.loads(about.get("card", "{}")))


def merge(model: Any, adapter: Adapter) -> None:
    """Add the low-rank changes to the model's weights and set its whole tensors.

    Raises:
        WeightsError: if a tensor has no place in the model.
    """
    import torch
    from safetensors.torch import load_file

    tensors = load_file(adapter.path)
    own = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in tensors.items():
            try:
                if name.endswith(".A"):
                    module = name.removesuffix(".A")
                    change = tensors[f"{module}.B"].float() @ value.float()
                    own[f"{module}.weight"].add_(change)
                elif not name.endswith(".B"):
                    own[name].copy_(value)
            except (KeyError, RuntimeError) as error:
                raise WeightsError(
                    f"{adapter.path} does not fit {adapter.base.name}: no place for {name} "
                    f"of shape {tuple(value.shape)}"
                ) from error


def save(
    path: Path,
    tensors: Mapping[str, torch.Tensor],
    *,
    task: str,
    base: Checkpoint,
    card: Mapping[str, Any],
) -> None:
    """Write an adapter in float16 (low-rank pairs with their scale already applied)."""
    import torch
    from safetensors.torch import save_file

    about = {"task": task, "base": base.name, "base_sha": base.sha, "card": json.dumps(card)}
    half = {name: value.detach().cpu().to(torch.float16).contiguous()
            for name, value in tensors.items()}  # fmt: skip
    with atomic_path(path) as temporary:
        save_file(half, temporary, metadata=about)
