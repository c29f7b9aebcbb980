"""The reader's recipe: spans and passage relevance learned together, on SQuAD-style files.

Every question comes with its gold passage; shares of them come again with passages that do not
answer them, of the same article or ranked high by a retriever, for the relevance score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import ConfigError
from ...core.progress import Log, silent
from ...io.files import write_json
from ...io.squad_xor import SquadQuestion, read_squad
from ...models.adapters import save
from ...models.batches import pad
from ...models.checkpoints import load, load_tokenizer, resolve
from ...models.device import autocast, pick_device, pick_dtype, training_options
from ..common.checkpoint import progress_in
from ..common.decontamination import bare, read_excluded
from ..common.finetuning import trained
from ..common.loop import claim, teller, train
from ..common.sources import content, described, matching
from .hard_negatives import hard_negatives
from .recipe import FILES, ReaderRecipe
from .validation import Development, InTraining, Judged, held_out, judged_settings, mean_f1
from .windows import Drawn, Item, draw, make_batches, make_items, unanswered, usable

if TYPE_CHECKING:
    import torch


def train_reader(
    recipe: ReaderRecipe,
    out: Path,
    *,
    report: Log = silent,
    stop_after: int | None = None,
) -> Path:
    """Train (or go on training) in folder `out`; returns the adapter file it wrote.

    Raises:
        ConfigError: if `out` belongs to another recipe, no question is left to train on, or
            the recipe's start does not fit.
    """
    import torch

    torch.manual_seed(recipe.seed)
    base = resolve(recipe.base)
    tokenizer = load_tokenizer(base)
    read = read_sources(recipe)
    kept = [usable(some, source) for some, source in zip(read, recipe.sources, strict=True)]
    drawn = draw(kept, recipe)
    items = make_items(drawn, tokenizer, recipe)
    if not items:
        raise _nothing_left(recipe)
    options = training_options(recipe.dropout)
    body = load(base, "AutoModelForTokenClassification", num_labels=3, **options)
    learning = trained(body, base, recipe, task="reader")
    model = learning.model.to(pick_device())
    claim(out, described(recipe, *FILES) | {"base_sha": base.sha} | content(recipe, *FILES))
    hard = _mined(drawn, kept, recipe, out, report)
    items += unanswered(hard, tokenizer, recipe)
    batches = make_batches(items, recipe)
    questions = sum(map(len, kept))
    report(f"{len(items)} windows of {questions} questions, {len(batches)} batches")

    def loss_of(numbered: tuple[int, Sequence[Item]]) -> torch.Tensor:
        number, batch = numbered
        torch.manual_seed(recipe.seed * 1_000_003 + number)  # dropout's, the same when resumed
        logits = _logits(model, batch, padding=tokenizer.pad_token_id, dtype=recipe.dtype)
        return reader_loss(logits, batch, recipe.relevance_weight)

    development = held_out(read, recipe)
    reader = InTraining(model, tokenizer, max_tokens=recipe.max_tokens, dtype=recipe.dtype)
    steps = train(
        learning.parameters,
        list(enumerate(batches)),
        loss_of,
        schedule=recipe.schedule,
        out=out,
        validate=partial(mean_f1, reader, development.questions) if development else None,
        report=teller(report, recipe.schedule.steps(len(batches))),
        stop_after=stop_after,
    )
    card = _card(recipe, out) | {
        "steps": steps,
        "windows": len(items),
        "questions": questions,
        "hard_negatives": len(hard),
    }
    write = partial(save, tensors=learning.exported(), task="reader", base=base)
    return write_judged(write, card, out, recipe, development)


def read_sources(recipe: ReaderRecipe) -> list[list[SquadQuestion]]:
    """Each source's questions, without those that are excluded."""
    excluded = read_excluded(matching(recipe.exclude))
    read = [[q for path in source.paths for q in read_squad(path)] for source in recipe.sources]
    return [[q for q in questions if bare(q.question) not in excluded] for questions in read]


def _mined(
    drawn: Sequence[Drawn],
    kept: Sequence[Sequence[SquadQuestion]],
    recipe: ReaderRecipe,
    out: Path,
    report: Log,
) -> list[tuple[str, str]]:
    """The hard negatives of all sources, each source's from its own paragraphs."""
    pairs = []
    for number, (part, questions) in enumerate(zip(drawn, kept, strict=True), 1):
        folder = out / f"hard-{number}"
        pairs += hard_negatives(part.questions, questions, recipe, folder, report=report)
    return pairs


def write_judged(
    write: Callable[..., None],
    card: dict[str, Any],
    out: Path,
    recipe: ReaderRecipe,
    development: Development | None,
) -> Path:
    """Write the adapter; the figures in its card are of the file, which is rounded."""
    path = out / "reader.safetensors"
    write(path, card=card)
    if development:
        settings = judged_settings(str(path), max_tokens=recipe.max_tokens, dtype=recipe.dtype)
        card |= development.card(Judged(settings))
        write(path, card=card)
    write_json(out / "card.json", card)
    return path


def _card(recipe: ReaderRecipe, out: Path) -> dict[str, Any]:
    """What is known of a training without looking at its data."""
    dtype = pick_dtype(recipe.dtype, pick_device())
    return {
        "recipe": described(recipe, *FILES),
        "seconds": round(progress_in(out).seconds),
        "dtype": str(dtype).removeprefix("torch."),
        "versions": {name: version(name) for name in ("torch", "transformers")},
    }


def _nothing_left(recipe: ReaderRecipe) -> ConfigError:
    files = ", ".join(file for source in recipe.sources for file in source.files)
    return ConfigError(
        f"{files}: no question is left to train on; all are held out "
        "or lack their answer at its offset"
    )


def _logits(model: Any, batch: Sequence[Item], *, padding: int, dtype: str) -> torch.Tensor:
    """(batch, tokens, 3) in float32, computed in `dtype`."""
    device = pick_device()
    ids, mask = pad([item.window.ids for item in batch], value=padding)
    with autocast(device, pick_dtype(dtype, device)):
        logits: torch.Tensor = model(input_ids=ids, attention_mask=mask).logits
    return logits.float()


def reader_loss(logits: torch.Tensor, batch: Sequence[Item], weight: float) -> torch.Tensor:
    """Mean span loss of the items with gold, plus `weight` times the relevance loss.

    `logits` is (batch, tokens, 3): start, end, and (at the first token) relevance. Relevance is
    a probability of its own for each passage. DPR (Karpukhin et al. 2020, section 6.1) instead
    shares one out among a question's passages, which says nothing of passages read elsewhere:
    ours are compared across languages and routes, may none of them answer, and can be calibrated.
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
