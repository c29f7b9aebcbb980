"""Train a reader: spans and passage relevance learned together, on SQuAD-style files.

Every question is used with its gold passage. For the relevance score, shares of the questions are
used again with passages that do not answer them, from the same article or retrieved.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.progress import Log, silent
from ....io.files import write_json
from ....io.locks import locks_out
from ....models.checkpoints import Checkpoint, load_tokenizer, resolve
from ....models.device import pick_device, pick_dtype
from ..common.finetuning import open_start
from ..common.loop import fit
from ..common.weight_files import save_adapter
from .data import prepare
from .model import ReaderInTraining, new_reader
from .recipe import ReaderRecipe
from .validation import ReaderValidationSet, ValidationReader

if TYPE_CHECKING:
    import torch


@locks_out("training folder")
def train_reader(
    recipe: ReaderRecipe, out: Path, *, report: Log = silent, stop_after: int | None = None
) -> Path:
    """Train in folder `out`, or resume there; returns the adapter file.

    Raises:
        ConfigError: if `out` belongs to another recipe, no question is left to train on, or the
            recipe's start does not fit.
    """
    base = resolve(recipe.base)
    if recipe.distillation:
        open_start(recipe.distillation.teacher, base, task="reader")  # one tokenizer for both
    tokenizer = load_tokenizer(base)
    trainable = new_reader(base, recipe.finetuning, dropout=recipe.dropout, seed=recipe.seed)
    reader = ReaderInTraining(
        trainable.model.to(pick_device()),
        tokenizer,
        recipe.max_tokens,
        recipe.relevance_weight,
        recipe.seed,
        recipe.dtype,
        *((how.weight, how.temperature) if (how := recipe.distillation) else ()),
    )
    data = prepare(recipe, tokenizer, out, report=report)
    validation = data.validation
    train_on = partial(
        fit,
        trainable.parameters,
        loss=reader.loss,
        schedule=recipe.schedule,
        validate=(lambda: validate(reader, validation, report)) if validation else None,
        report=report,
    )
    batches = list(enumerate(data.batches))
    progress = train_on(batches, out=out, stop_after=stop_after)
    if recipe.settle and stop_after is None:
        with trainable.as_stored():
            train_on(batches[: recipe.settle * recipe.schedule.accumulate], out=out / "settled")
    card = {
        "recipe": recipe.describe(),
        "seconds": round(progress.seconds),
        "dtype": str(pick_dtype(recipe.dtype)).removeprefix("torch."),
        "versions": {name: version(name) for name in ("torch", "transformers")},
        "steps": progress.step,
        **data.counts,
    }
    return export(
        trainable.adapter_tensors(),
        base,
        card,
        out,
        validation=validation,
        max_tokens=recipe.max_tokens,
        dtype=recipe.dtype,
    )


def validate(reader: ReaderInTraining, held_out: ReaderValidationSet, report: Log) -> float:
    """The F1 of held-out questions, in percent; with a teacher, its mean with the agreement."""
    f1 = reader.f1(held_out.questions)
    if not held_out.agreement:
        return f1
    agreement = reader.f1(held_out.agreement)
    report(f"held out: F1 {f1:.1f}, with the teacher's spans {agreement:.1f}")
    return (f1 + agreement) / 2


def export(
    tensors: Mapping[str, torch.Tensor],
    base: Checkpoint,
    card: dict[str, Any],
    out: Path,
    *,
    validation: ReaderValidationSet | None,
    max_tokens: int,
    dtype: str,
) -> Path:
    """Write the adapter and its card, whose scores are those of the file's rounded values."""
    path = out / "reader.safetensors"
    save_adapter(path, tensors, task="reader", base=base, card=card)
    if validation:
        card |= validation.card(ValidationReader(str(path), max_tokens=max_tokens, dtype=dtype))
        save_adapter(path, tensors, task="reader", base=base, card=card)
    write_json(out / "card.json", card)
    return path
