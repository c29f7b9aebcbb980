"""Write files of weights, in the formats that `xorqa.models` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....io.files import atomic_path
from ....models import translator, transliterator
from ....models.adapters import BLOCK
from ....models.checkpoints import Checkpoint
from ....models.seq2seq import Shape
from ....models.transliterator import Alphabet

if TYPE_CHECKING:
    import torch


def quantise(change: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Quantise a weight's change to 4 bits: the tensors of `.Q` and `.S`."""
    import torch

    flat = change.detach().float().flatten()
    blocks = torch.nn.functional.pad(flat, (0, -len(flat) % BLOCK)).view(-1, BLOCK)
    farthest = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
    scales = (farthest / -8).half()
    codes = (blocks / scales.float()).nan_to_num(0).round().clamp(-8, 7)  # a scale may be 0
    low, high = (codes + 8).to(torch.uint8).chunk(2, dim=1)
    return low | high << 4, scales[:, 0]


def save_adapter(
    path: Path,
    tensors: Mapping[str, torch.Tensor],
    *,
    task: str,
    base: Checkpoint,
    card: Mapping[str, Any],
) -> None:
    """Write an adapter: float16 except for quantised codes; low-rank pairs include their scale.

    The same tensors and card give the same bytes.
    """
    import torch
    from safetensors.torch import save as to_bytes

    metadata = {"task": task, "base": base.name, "base_sha": base.sha, "card": json.dumps(card)}
    stored = {}
    for name, value in tensors.items():
        dtype = torch.float16 if value.is_floating_point() else value.dtype
        stored[name] = value.detach().cpu().to(dtype).contiguous()
    with atomic_path(path) as temporary:
        temporary.write_bytes(_with_sorted_metadata(to_bytes(stored, metadata)))


def _with_sorted_metadata(file: bytes) -> bytes:
    """A safetensors file with its metadata sorted; the library writes them in a random order."""
    end = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(file[8:end])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + file[end:]


def save_translator(
    path: Path,
    weights: Mapping[str, torch.Tensor],
    tokenizers: Mapping[str, Any],
    *,
    base: Checkpoint,
    shape: Shape,
    frozen_layers: int,
    card: Mapping[str, Any],
) -> None:
    """Write a translator's file; `tokenizers` are "target" and optionally "source"."""
    import torch

    texts = {
        f"{name}.json": torch.tensor(list(tokenizer.to_str().encode()), dtype=torch.uint8)
        for name, tokenizer in tokenizers.items()
    }
    card = {**card, "shape": asdict(shape), "frozen_layers": frozen_layers}
    save_adapter(
        path, {**quantise_rows(weights), **texts}, task=translator.TASK, base=base, card=card
    )


def quantise_rows(weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Quantise matrices to 8 bits, each row scaled by its largest value; vectors stay."""
    import torch

    tensors: dict[str, torch.Tensor] = {}
    for name, value in weights.items():
        if value.dim() == 1:
            tensors[name] = value
            continue
        scales = (value.abs().amax(1) / 127).clamp(min=1e-7).half()
        codes = (value / scales.float()[:, None]).round().clamp(-127, 127)
        tensors |= {f"{name}.Q": codes.to(torch.int8), f"{name}.S": scales}
    return tensors


def save_transliterator(
    path: Path,
    weights: Mapping[str, torch.Tensor],
    *,
    base: Checkpoint,
    shape: Shape,
    alphabet: Alphabet,
    thresholds: Mapping[str, float],
    card: Mapping[str, object],
) -> None:
    """Write a transliterator's file, its matrices in 8 bits per weight."""
    described = {
        **card,
        "shape": asdict(shape),
        "alphabet": asdict(alphabet),
        "thresholds": dict(thresholds),
    }
    save_adapter(path, quantise_rows(weights), task=transliterator.TASK, base=base, card=described)
