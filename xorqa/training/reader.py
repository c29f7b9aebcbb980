"""The reader's recipe: spans and passage relevance learnt together, on SQuAD-style files.

Every question comes with its gold passage; a share of them comes once more with a passage
that does not answer it (mostly from the same article), for the relevance score.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import read_toml, settings
from ..errors import ConfigError, one_of
from ..files import data_dir, digest, write_json
from ..formats import SquadQuestion, read_squad
from ..lazy import require
from ..models.adapters import save
from ..models.batches import pad
from ..models.checkpoints import DEFAULT, Checkpoint, load, load_tokenizer, resolve
from ..models.device import autocast, pick_device, pick_dtype
from ..reading.features import Window, make_windows
from ..types import Span
from .loop import Schedule, claim, train

if TYPE_CHECKING:
    import torch


RECIPES = Path(__file__).parents[1] / "configs" / "train"


@dataclass(frozen=True, slots=True)
class ReaderRecipe:
    """Everything that decides what comes out. `files` are SQuAD-style JSON."""

    files: tuple[str, ...]
    base: str = DEFAULT
    questions: int = 24_000
    negatives: float = 0.5  # passages without the answer, per question
    held_out: float = 0.05  # share of articles never trained on, by title hash
    batch_size: int = 16
    max_tokens: int = 256
    rank: int = 32
    alpha: int = 64
    relevance_weight: float = 0.5
    seed: int = 1
    dtype: str = "auto"
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=7e-4))

    def __post_init__(self) -> None:
        """Refuse what no training could use. Raises ConfigError."""
        for name, least, most in (("negatives", 0, 1), ("held_out", 0, 1), ("questions", 1, None),
                                  ("batch_size", 1, None), ("rank", 1, None)):  # fmt: skip
            value = getattr(self, name)
            if value < least or (most is not None and value > most):
                limits = f"from {least} to {most}" if most is not None else f"{least} or more"
                raise ConfigError(f"[reader] {name} must be {limits}, not {value}")


@dataclass(frozen=True, slots=True)
class Item:
    """One training window; `gold` is a token span, or None if it does not answer."""

    window: Window
    gold: Span | None


def load_recipe(config: str | Path) -> ReaderRecipe:
    """Read `[reader]` from a TOML file, or one of the package's recipes by its name.

    Data files that begin with `.`, `/` or `~` are paths (from the recipe's folder on);
    others, such as `squad/train-v1.1.json`, are fetched data.

    Raises:
        ConfigError: listing the recipes, or the settings there are.
    """
    path = Path(config)
    if path.suffix != ".toml":
        path = RECIPES / f"{config}.toml"
        if not path.is_file():
            names = one_of(recipe.stem for recipe in RECIPES.glob("*.toml"))
            raise ConfigError(
                f"no recipe is called '{config}'; there are: {names}; "
                "a file of your own ends in .toml"
            )
    table = read_toml(path).get("reader")
    if not isinstance(table, dict):
        raise ConfigError(f"{path} has no table [reader]")
    recipe = settings(ReaderRecipe, table, where=f"{path} [reader]")
    return replace(recipe, files=tuple(str(_located(file, path.parent)) for file in recipe.files))


def _located(file: str, folder: Path) -> Path:
    if file.startswith((".", "/", "~")):
        return (folder / Path(file).expanduser()).resolve()
    return data_dir() / file


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
    kept = [q for q in questions if not is_held_out(q, recipe.held_out) and _unambiguous(q)]
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


def is_held_out(question: SquadQuestion, share: float) -> bool:
    """Whether the question's article belongs to the development part, by its title's hash."""
    return int(digest(question.title)[:8], 16) / 16**8 < share


def make_items(
    questions: Sequence[SquadQuestion], tokenizer: Any, recipe: ReaderRecipe
) -> list[Item]:
    """Windows with gold, and windows of passages that do not answer."""
    rng = random.Random(recipe.seed)
    chosen = rng.sample(list(questions), min(recipe.questions, len(questions)))
    size = {"max_tokens": recipe.max_tokens, "stride": recipe.max_tokens // 3}
    items: list[Item] = []
    seen: set[int] = set()
    windows = make_windows(
        tokenizer, [q.question for q in chosen], [q.context for q in chosen], **size
    )
    for window in windows:
        if window.pair not in seen:
            question = chosen[window.pair]
            gold = window.token_span(
                Span(question.start, question.start + len(question.answers[0]))
            )
            if gold is not None:
                seen.add(window.pair)
                items.append(Item(window, gold))
    pairs = _negatives(rng.sample(chosen, int(recipe.negatives * len(chosen))), questions, rng)
    windows = make_windows(
        tokenizer, [q for q, _ in pairs], [passage for _, passage in pairs], **size
    )
    firsts = {window.pair: window for window in reversed(windows)}
    return items + [Item(firsts[pair], None) for pair in sorted(firsts)]


def make_batches(items: Sequence[Item], recipe: ReaderRecipe) -> list[list[Item]]:
    """Shuffled batches of windows of similar length."""
    rng = random.Random(recipe.seed + 1)
    shuffled = rng.sample(list(items), len(items))
    size, batches = recipe.batch_size, []
    for at in range(0, len(shuffled), 50 * size):
        pool = sorted(shuffled[at : at + 50 * size], key=lambda item: len(item.window.ids))
        batches += [pool[i : i + size] for i in range(0, len(pool), size)]
    rng.shuffle(batches)
    return batches


def _negatives(
    chosen: Sequence[SquadQuestion], questions: Sequence[SquadQuestion], rng: random.Random
) -> list[tuple[str, str]]:
    """A passage without the answer for each question: 3 in 4 from the same article."""
    by_title: dict[str, list[str]] = {}
    for title, context in sorted({(q.title, q.context) for q in questions}):
        by_title.setdefault(title, []).append(context)
    titles = sorted(by_title)
    pairs = []
    for question in chosen:
        title = question.title if rng.random() < 0.75 else rng.choice(titles)
        passage = rng.choice(by_title[title])
        if question.answers[0].lower() not in passage.lower():
            pairs.append((question.question, passage))
    return pairs


def _unambiguous(question: SquadQuestion) -> bool:
    """SQuAD's offsets are the answer's first occurrence; trust those that are the only one."""
    return bool(question.answers) and question.context.count(question.answers[0]) == 1


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
