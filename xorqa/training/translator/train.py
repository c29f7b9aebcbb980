"""The translator's recipe: questions and sentences of many languages into English."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.progress import Log, Progress, silent
from ...io.files import digest, write_json, write_text
from ...metrics.translation import score_translations
from ...models.translator import TranslatorModel, save_translator
from ...models.vocabulary import learn_vocabulary
from ..bitext.corpus import Pair
from ..common.loop import claim, teller, train
from ..common.sources import described
from .batches import Batch, make_batches
from .data import HELD_OUT, Data, read_data, write_held_out
from .model import InTraining
from .recipe import TranslatorRecipe

NAME = "translator.safetensors"
SHOW_EVERY = 4096  # texts between two lines on the frozen layers' progress


def train_translator(
    recipe: TranslatorRecipe,
    out: Path,
    *,
    report: Log = silent,
    stop_after: int | None = None,
) -> Path:
    """Train (or go on training) in folder `out`; returns the translator's file.

    Raises:
        ConfigError: if `out` belongs to another recipe.
        DataError: if a file cannot be used, or nothing is left to train on.
    """
    data = read_data(recipe)
    about = described(recipe, "exclude")
    everything = [*data.pairs, *data.development]
    claim(out, about | {"pairs": digest(everything)})
    write_held_out(data, out / HELD_OUT)
    report(f"{len(data.pairs)} pairs to train on, {len(data.held_out)} held out")
    model = InTraining(
        recipe,
        everything,
        *_vocabularies(recipe, data.pairs, out),
        folder=out / "states",
        progress=_telling(report),
    )
    batches, development = _batches(recipe, data, model)
    steps = train(
        dict(model.parameters),
        batches,
        model.loss,
        schedule=recipe.schedule,
        out=out,
        validate=(lambda: model.score(development)) if development else None,
        report=teller(report, recipe.schedule.steps(len(batches))),
        stop_after=stop_after,
    )
    path = out / NAME
    card = {"recipe": about, "steps": steps, "base": model.base.name, "data": _told(data)}
    _save(model, path, card)
    if data.held_out and stop_after is None:
        report("translating the held-out pairs")
        card["held_out"] = _score(path, data.held_out)
        _save(model, path, card)
    write_json(out / "card.json", card)
    return path


def _vocabularies(recipe: TranslatorRecipe, pairs: Sequence[Pair], out: Path) -> tuple[Any, ...]:
    """The English vocabulary, and a new encoder's own; learned once, kept in `out`."""
    from tokenizers import Tokenizer

    wanted = [("english", 3, recipe.vocabulary)]
    if not recipe.frozen_layers:
        wanted.append(("foreign", 1, recipe.source_vocabulary))
    found = []
    for name, side, size in wanted:
        path = out / f"{name}.json"
        if not path.is_file():
            learned = learn_vocabulary((pair[side] for pair in pairs), size=size)
            write_text(path, learned.to_str())
        found.append(Tokenizer.from_file(str(path)))
    return tuple(found)


def _batches(
    recipe: TranslatorRecipe, data: Data, model: InTraining
) -> tuple[list[Batch], list[Batch]]:
    """Batches to train on, without what is too long, and those of the development pairs."""
    lengths = model.lengths
    fits = [max(pair) < recipe.longest for pair in lengths]
    count = len(data.pairs)
    passes = [often * fit for often, fit in zip(data.passes, fits, strict=False)]
    batches = make_batches(lengths, passes, budget=recipe.batch_tokens, seed=recipe.seed)
    aside = [0.0] * count + [1.0] * (len(lengths) - count)
    return batches, make_batches(lengths, aside, budget=recipe.batch_tokens, seed=recipe.seed)


def _save(model: InTraining, path: Path, card: dict[str, Any]) -> None:
    save_translator(
        path,
        {name: value.detach().cpu() for name, value in model.parameters.items()},
        model.tokenizers,
        base=model.base,
        shape=model.shape,
        frozen_layers=model.recipe.frozen_layers,
        card=card,
    )


def _score(path: Path, held_out: Sequence[Pair]) -> dict[str, Any]:
    """The finished file's scores on the held-out pairs."""
    found = TranslatorModel(str(path)).translate([pair[1] for pair in held_out])
    langs = [pair[0] for pair in held_out]
    return score_translations(found, [pair[3] for pair in held_out], langs).to_json()


def _told(data: Data) -> dict[str, Any]:
    """What a card says of the data."""
    per_lang = Counter(pair[0] for pair in data.pairs)
    return {
        "files": {file: dict(count) for file, count in data.counts.items()},
        "pairs": len(data.pairs),
        "pairs_per_language": dict(sorted(per_lang.items())),
        "held_out": len(data.held_out),
        "development": len(data.development),
    }


def _telling(report: Log) -> Progress:
    told = 0

    def tell(done: int, total: int) -> None:
        nonlocal told
        if done - told >= SHOW_EVERY or done == total:
            told = done
            report(f"frozen layers: {done}/{total} texts")

    return tell
