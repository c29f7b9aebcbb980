"""A checkpoint of the DPR code, as its `_save_checkpoint` writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModel

from xorqa.lab.training.dpr_checkpoint import TOWERS


def state_of(bases: list[Path], **changes: Any) -> dict[str, Any]:
    """The state of a training: two towers with a pooler and a buffer of an old version."""
    weights: dict[str, Any] = {}
    for prefix, base in zip(TOWERS.values(), bases, strict=True):
        model = AutoModel.from_pretrained(base)
        weights |= {prefix + name: value for name, value in model.state_dict().items()}
        weights[f"{prefix}embeddings.position_ids"] = torch.arange(512)[None]
    return {
        "model_dict": weights,
        "optimizer_dict": {"param_groups": [{"lr": 2e-5}]},
        "scheduler_dict": {"last_epoch": 3},
        "offset": 0,
        "epoch": 3,
        "encoder_params": {"pretrained_model_cfg": str(bases[0]), "do_lower_case": True},
    } | changes
