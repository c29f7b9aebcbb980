"""Adapters: what training changed of a base, as one small file that knows its base.

A file holds, for each module whose weight was trained, its change in one of two forms, and
whole tensors (a new head, biases, norms; float16) under their own names:

- a low-rank pair, `<module>.A` (rank, inputs) and `<module>.B` (outputs, rank), both float16;
  the change is their product B A (Hu et al. 2021, LoRA);
- the whole change in 4 bits, `<module>.Q` (blocks, 32) of uint8 and `<module>.S` (blocks,) of
  float16. The weight is read row by row (a row has a value for each input) in blocks of 64, the
  last one filled up with zeros. Byte j of a block holds value j in its low half and value j + 32
  in its high half; a half n stands for (n - 8) times the block's scale. The scale is that with
  which the value farthest from zero is -8: values are off by half a scale at most, and by one
  scale where they reach as far on the other side, which ends at 7.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import WeightsError, one_of
from ..io.files import atomic_path, sha256
from .checkpoints import Checkpoint, resolve

if TYPE_CHECKING:
    import torch

SHIPPED = Path(__file__).parent / "weights"
BLOCK = 64  # off by 9.7 % of reader-en's change, 32 by 8.7 %; but all of e5-small takes 11.4 MB


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


def open_adapter(name: str, *, task: str | None = None) -> Adapter:
    """A shipped adapter by its name, or any file by its path, for one task or any.

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
    if task is not None and about.get("task") != task:
        raise WeightsError(f"{path} is an adapter for {about.get('task')!r}, not for '{task}'")
    if not {"task", "base", "base_sha"} <= set(about):
        raise WeightsError(f"{path} is not an adapter file: it does not name its base")
    base = resolve(about["base"])
    if base.sha != about["base_sha"]:
        raise WeightsError(
            f"{path} was trained on {about['base']} with weights {about['base_sha']}; "
            f"{base.path} has {base.sha}"
        )
    return Adapter(
        path, about["task"], base, sha256(path)[:16], json.loads(about.get("card", "{}"))
    )


def merge(model: Any, adapter: Adapter) -> None:
    """Add the changes to the model's weights and set its whole tensors.

    Raises:
        WeightsError: if a tensor has no place in the model.
    """
    import torch
    from safetensors.torch import load_file

    tensors = load_file(adapter.path)
    own = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in tensors.items():
            module, _, form = name.rpartition(".")
            try:
                if form == "A":
                    own[f"{module}.weight"].add_(tensors[f"{module}.B"].float() @ value.float())
                elif form == "Q":
                    weight = own[f"{module}.weight"]
                    weight.add_(unpack(value, tensors[f"{module}.S"], weight.shape))
                elif form not in {"B", "S"}:
                    own[name].copy_(value)
            except (KeyError, RuntimeError) as error:
                raise WeightsError(
                    f"{adapter.path} does not fit {adapter.base.name}: no place for {name} "
                    f"of shape {tuple(value.shape)}"
                ) from error


def pack(change: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A weight's change in 4 bits: the tensors of `.Q` and `.S`."""
    import torch

    flat = change.detach().cpu().float().flatten()
    blocks = torch.nn.functional.pad(flat, (0, -len(flat) % BLOCK)).view(-1, BLOCK)
    farthest = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
    scales = (farthest / -8).half()
    steps = (blocks / scales.float()).nan_to_num(0).round().clamp(-8, 7)  # a scale may be 0
    low, high = (steps + 8).to(torch.uint8).chunk(2, dim=1)
    return low | high << 4, scales[:, 0]


def unpack(codes: torch.Tensor, scales: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """The change that `pack` packed, in float32.

    Raises:
        RuntimeError: if it is not of that shape.
    """
    import torch

    size = math.prod(shape)
    if codes.shape != (-(-size // BLOCK), BLOCK // 2):
        raise RuntimeError(f"not a change of shape {tuple(shape)}")
    steps = torch.cat([codes & 15, codes >> 4], dim=1).float() - 8
    return (steps * scales.float()[:, None]).flatten()[:size].view(*shape)


def save(
    path: Path,
    tensors: Mapping[str, torch.Tensor],
    *,
    task: str,
    base: Checkpoint,
    card: Mapping[str, Any],
) -> None:
    """Write an adapter; all but the codes of `pack` in float16, low-rank pairs scaled already."""
    import torch
    from safetensors.torch import save_file

    about = {"task": task, "base": base.name, "base_sha": base.sha, "card": json.dumps(card)}
    small = {
        name: value.detach().cpu().to(torch.float16 if value.is_floating_point() else value.dtype)
        for name, value in tensors.items()
    }
    with atomic_path(path) as temporary:
        save_file({n: value.contiguous() for n, value in small.items()}, temporary, metadata=about)
