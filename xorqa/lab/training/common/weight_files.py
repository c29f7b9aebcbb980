"""Write the files of models trained from scratch, as `xorqa.models` reads them."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....io.files import atomic_path, sha256
from ....models import translator, transliterator
from ....models.checkpoints import Checkpoint
from ....models.differences import combined, split, tensors
from ....models.seq2seq import Shape
from ....models.transliterator import Alphabet
from .finetuning import save_adapter

if TYPE_CHECKING:
    import torch

QUERY_TOWER, PASSAGE_TOWER = "query.safetensors", "passage.safetensors"
"""The files of a bi-encoder with two towers."""


def save_translator(
    path: Path,
    weights: Mapping[str, torch.Tensor],
    tokenizers: Mapping[str, Any],
    *,
    base: Checkpoint,
    shape: Shape,
    frozen_layers: int,
    bits: int | None = None,
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
        path,
        {**quantise_rows(weights, bits=bits or 8), **texts},
        task=translator.TASK,
        base=base,
        card=card,
    )


def quantise_rows(weights: Mapping[str, torch.Tensor], *, bits: int = 8) -> dict[str, torch.Tensor]:
    """Quantise matrices to `bits`, each row scaled by its largest value; vectors stay.

    Every number takes a byte in the file, and about its bits where that is compressed.
    """
    import torch

    most = 2 ** (bits - 1) - 1
    tensors: dict[str, torch.Tensor] = {}
    for name, value in weights.items():
        if value.dim() == 1:
            tensors[name] = value
            continue
        scales = (value.abs().amax(1) / most).clamp(min=1e-7).half()
        codes = (value / scales.float()[:, None]).round().clamp(-most, most)
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


def write_difference(path: Path, weights: Path, of: Path) -> None:
    """Store the file `weights` in `path`, as its difference from the file `of`."""
    header, data = split(weights.read_bytes())
    changes = combined(np.subtract, header, data, tensors(of))
    about = {"of": of.stem, "of_sha": sha256(of), "sha": sha256(weights)}
    with atomic_path(path) as temporary:
        temporary.write_bytes(
            json.dumps(about).encode() + b"\n" + lzma.compress(header + b"".join(changes))
        )
