"""The reader's recipe: spans and passage relevance learnt together, on SQuAD-style files.

Every question comes with its gold passage; a share of them comes once more with a passage
that does not answer it (mostly from the same article), for the relevance score.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError
from ..files import write_json
from ..formats import read_squad
from ..lazy import require
from ..models.adapters import Adapter, open_adapter, save
from ..models.batches import pad
from ..models.checkpoints import Checkpoint, load, load_tokenizer, resolve
from ..models.device import autocast, pick_device, pick_dtype
from .development import InTraining, held_out, mean_f1
from .items import Item, make_batches, make_items, usable
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
    read = [[q for file in source.files for q in read_squad(Path(file))]
            for source in recipe.sources]  # fmt: skip
    kept = [usable(some, source) for some, source in zip(read, recipe.sources, strict=True)]
    items = make_items(kept, tokenizer, recipe)
    if not items:
        files = ", ".join(file for source in recipe.sources for file in source.files)
        raise ConfigError(
            f"{files}: no question is left to train on; all are held out "
            "or lack their answer at its offset"
        )
    model, parameters = _with_lora(base, recipe)
    described = _described(recipe)
    claim(out, described | {"base_sha": base.sha})
    batches = make_batches(items, recipe)
    questions = sum(map(len, kept))
    report(f"{len(items)} windows of {questions} questions, {len(batches)} batches")
    model.to(pick_device())
    began = time.monotonic()

    def loss_of(batch: Sequence[Item]) -> torch.Tensor:
        logits = _logits(model, batch, padding=tokenizer.pad_token_id, dtype=recipe.dtype)
        return reader_loss(logits, batch, recipe.relevance_weight)

    def tell(step: int, loss: float) -> None:
        minutes = (time.monotonic() - began) / 60
        report(f"step {step}/{len(batches)}  loss {loss:.3f}  {minutes:.1f} min")

    development = held_out(read, recipe)
    reader = InTraining(model, tokenizer, max_tokens=recipe.max_tokens, dtype=recipe.dtype)
    steps = train(parameters, batches, loss_of, schedule=recipe.schedule, out=out,
                  validate=partial(mean_f1, reader, development.questions) if development else None,
                  report=tell, stop_after=stop_after)  # fmt: skip
    card = {"recipe": described, "steps": steps, "windows": len(items), "questions": questions}
    if development:
        card |= development.card(reader)
    path = out / "reader.safetensors"
    save(path, _exported(parameters, recipe), task="reader", base=base, card=card)
    write_json(out / "card.json", card)
    return path


def _logits(model: Any, batch: Sequence[Item], *, padding: int, dtype: str) -> torch.Tensor:
    """(batch, tokens, 3) in float32, computed in `dtype`."""
    import torch

    device = pick_device()
    ids, mask = (
        torch.from_numpy(array).to(device)
        for array in pad([item.window.ids for item in batch], value=padding)
    )
    with autocast(device, pick_dtype(dtype, device)):
        logits: torch.Tensor = model(input_ids=ids, attention_mask=mask).logits
    return logits.float()


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
    parameters = {n: p for n, p in model.named_parameters() if p.requires_grad}
    if recipe.start:
        _go_on_from(open_adapter(recipe.start, task="reader"), base, parameters, recipe)
    return model, parameters


def _go_on_from(
    adapter: Adapter, base: Checkpoint, parameters: dict[str, Any], recipe: ReaderRecipe
) -> None:
    """Set the parameters to an adapter's, in place."""
    import torch
    from safetensors.torch import load_file

    tensors = load_file(adapter.path)
    if adapter.base.sha != base.sha:
        raise ConfigError(f"{adapter.path} was trained on {adapter.base.name}, not on {base.name}")
    with torch.no_grad():
        for peft_name, value in parameters.items():
            name, scale = _own_name(peft_name, recipe)
            if name not in tensors or tensors[name].shape != value.shape:
                raise ConfigError(f"[reader] start: {adapter.path} has another rank")
            value.copy_(tensors[name].float() / scale)


def _exported(parameters: dict[str, Any], recipe: ReaderRecipe) -> dict[str, Any]:
    """The parameters under our names, the scale multiplied into B."""
    tensors = {}
    for peft_name, value in parameters.items():
        name, scale = _own_name(peft_name, recipe)
        tensors[name] = value * scale
    return tensors


def _own_name(peft_name: str, recipe: ReaderRecipe) -> tuple[str, float]:
    """Our name for peft's, and the factor from its tensor to ours."""
    name = peft_name.removeprefix("base_model.model.").replace(".modules_to_save.default", "")
    if ".lora_A." in name:
        return name.split(".lora_A.")[0] + ".A", 1.0
    if ".lora_B." in name:
        return name.split(".lora_B.")[0] + ".B", recipe.alpha / recipe.rank
    return name, 1.0


def _described(recipe: ReaderRecipe) -> dict[str, Any]:
    """The recipe as plain values, files by their names alone."""
    sources = [
        asdict(source) | {"files": [Path(file).name for file in source.files]}
        for source in recipe.sources
    ]
    return asdict(recipe) | {"sources": sources}
