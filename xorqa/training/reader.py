"""The reader's recipe: spans and passage relevance learnt together, on SQuAD-style files.

Every question comes with its gold passage; a share of them comes once more with a passage
that does not answer it (mostly from the same article), for the relevance score.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError
from ..files import write_json
from ..formats import read_squad
from ..lazy import require
from ..models.adapters import save
from ..models.batches import pad
from ..models.checkpoints import Checkpoint, load, load_tokenizer, resolve
from ..models.device import autocast, pick_device, pick_dtype
from .items import Item, is_held_out, is_unambiguous, make_batches, make_items
from .loop import claim, train
from .recipe import ReaderRecipe

if TYPE_CHECKING:
    import torch


def train_reader(
    recipe: ReaderRecipe,
    out: Path,
    *,
    report: Callable[[str], None] = lambda line: None,
    stop_after: int | None = None,
) -> Path:
    """Train (or go on training) in folder `out`; returns the adapter file it wrote.

    Raises:
        ConfigError: if `out` belongs to another recipe, or no question is left to train on.
    """
    import torch

    torch.manual_seed(recipe.seed)
    base = resolve(recipe.base)
    tokenizer = load_tokenizer(base)
    questions = [q for file in recipe.files for q in read_squad(Path(file))]
    kept = [q for q in questions if not is_held_out(q, recipe.held_out) and is_unambiguous(q)]
    items = make_items(kept, tokenizer, recipe)
    if not items:
        raise ConfigError(f"{', '.join(recipe.files)}: no question is left to train on")
    described = asdict(recipe) | {"files": [Path(file).name for file in recipe.files]}
    claim(out, described | {"base_sha": base.sha})
    batches = make_batches(items, recipe)
    report(f"{len(items)} windows of {len(kept)} questions, {len(batches)} batches")
    model, parameters = _with_lora(base, recipe)
    device = pick_device()
    dtype = pick_dtype(recipe.dtype, device)
    model.to(device)
    began = time.monotonic()

    def loss_of(batch: Sequence[Item]) -> torch.Tensor:
        with autocast(device, dtype):
            ids, mask = pad([item.window.ids for item in batch], value=tokenizer.pad_token_id)
            inputs = torch.from_numpy(ids).to(device)
            logits = model(
                input_ids=inputs, attention_mask=torch.from_numpy(mask).to(device)
            ).logits
        return reader_loss(logits.float(), batch, recipe.relevance_weight)

    def tell(step: int, loss: float) -> None:
        minutes = (time.monotonic() - began) / 60
        report(f"step {step}/{len(batches)}  loss {loss:.3f}  {minutes:.1f} min")

    steps = train(parameters, batches, loss_of, schedule=recipe.schedule, out=out,
                  report=tell, stop_after=stop_after)  # fmt: skip
    card = {"recipe": described, "steps": steps, "windows": len(items), "questions": len(kept)}
    path = out / "reader.safetensors"
    save(path, _exported(parameters, recipe), task="reader", base=base, card=card)
    write_json(out / "card.json", card)
    return path


def reader_loss(logits: torch.Tensor, batch: Sequence[Item], weight: float) -> torch.Tensor:
    """Mean span loss of the items with gold, plus `weight` times the relevance loss.

    `logits` is (batch, tokens, 3): start, end, and (at the first token) relevance.
    """
    import torch
    from torch.nn import functional

    relevant = torch.tensor([float(item.gold is not None) for item in batch], device=logits.device)
    loss = weight * functional.binary_cross_entropy_with_logits(logits[:, 0, 2], relevant)
    spans = []
    for row, item in enumerate(batch):
        if item.gold is None:
            continue
        first, last = item.window.context.start, item.window.context.end
        log_probs = functional.log_softmax(logits[row, first:last, :2], dim=0)
        spans.append(
            -log_probs[item.gold.start - first, 0] - log_probs[item.gold.end - 1 - first, 1]
        )
    return loss + torch.stack(spans).mean() / 2 if spans else loss


def _with_lora(base: Checkpoint, recipe: ReaderRecipe) -> tuple[Any, dict[str, Any]]:
    """The model with low-rank pairs on all linear layers, and its trainable parameters."""
    peft = require("peft", extra="train")
    no_dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    body = load(base, "AutoModelForTokenClassification", num_labels=3, **no_dropout)
    lora = peft.LoraConfig(task_type="TOKEN_CLS", r=recipe.rank, lora_alpha=recipe.alpha,
                           target_modules=r".*encoder.*(query|key|value|dense)")  # fmt: skip
    model = peft.get_peft_model(body, lora).train()
    return model, {n: p for n, p in model.named_parameters() if p.requires_grad}


def _exported(parameters: dict[str, Any], recipe: ReaderRecipe) -> dict[str, Any]:
    """peft's names to ours, the scale multiplied into B."""
    tensors = {}
    for peft_name, value in parameters.items():
        name = peft_name.removeprefix("base_model.model.")
        if ".lora_A." in name:
            tensors[name.split(".lora_A.")[0] + ".A"] = value
        elif ".lora_B." in name:
            tensors[name.split(".lora_B.")[0] + ".B"] = value * (recipe.alpha / recipe.rank)
        else:
            tensors[name.replace(".modules_to_save.default", "")] = value
    return tensors
