"""Train a translator of questions and sentences from many languages into English, or back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.errors import ConfigError
from ....core.progress import Log, quantity, silent
from ....io.files import digest, write_json
from ....metrics.report import Report
from ....models.checkpoints import Checkpoint, load_tokenizer, resolve
from ....models.seq2seq import Shape
from ....models.source_encoding import Gloss, LowerLayers
from ....models.translator import TranslatorModel
from ....models.word_translations import bundled_words
from ...common.translation_measures import score_translations
from ..common.loop import fit
from ..common.training_data import Pair, stream
from ..common.training_folder import claim_folder, locks_out
from ..common.weight_files import save_translator
from .batches import Batch, make_batches
from .data import HELD_OUT, TranslatorData, read_data, write_held_out
from .hidden_states import HiddenStates
from .model import TranslatorInTraining, base_widths, new_weights
from .recipe import TranslatorRecipe
from .tokens import (
    MOSES,
    SOURCE,
    TARGET,
    TokenizedPairs,
    split_by_moses,
    tokenize_pairs,
    vocabularies,
)

if TYPE_CHECKING:
    import torch

NAME = "translator.safetensors"
REPORT_EVERY = 4096  # texts; a multiple of those that `HiddenStates` saves at once


@dataclass(frozen=True, slots=True)
class PreparedPairs:
    """Pairs, their tokenizers by vocabulary and tokens, and batches to train and validate on.

    `moses` has the languages of both sides if the tokens are pieces of Moses's words.
    """

    data: TranslatorData
    tokenizers: Mapping[str, Any]
    tokens: TokenizedPairs
    batches: Sequence[Batch]
    validation: Sequence[Batch]
    moses: Sequence[str] = ()


@locks_out("training folder")
def train_translator(
    recipe: TranslatorRecipe, out: Path, *, report: Log = silent, stop_after: int | None = None
) -> Path:
    """Train in folder `out`, or resume there; returns the translator's file.

    Raises:
        ConfigError: if `out` belongs to another recipe.
        DataError: if a file cannot be used, or nothing is left to train on.
    """
    base = resolve(recipe.base)
    prepared = prepare(recipe, base, out, report=report)
    shape = shape_of(
        recipe, base, {name: one.get_vocab_size() for name, one in prepared.tokenizers.items()}
    )
    model = TranslatorInTraining(
        first_weights(recipe, shape, base),
        shape,
        prepared.tokens,
        hidden_states(recipe, base, prepared.tokens, out / "states", report),
        recipe.dropout,
        recipe.label_smoothing,
        recipe.seed,
        recipe.dtype,
    )
    progress = fit(
        dict(model.parameters),
        prepared.batches,
        model.loss,
        schedule=recipe.schedule,
        out=out,
        validate=(lambda: model.validate(prepared.validation)) if prepared.validation else None,
        report=report,
        stop_after=stop_after,
    )
    card = {"recipe": recipe.describe(), "steps": progress.step, "base": base.name}
    card["targets"] = recipe.targets
    if prepared.moses:
        card["moses"] = prepared.moses
    card["data"] = prepared.data.describe()
    held_out = prepared.data.held_out if stop_after is None else ()
    return export(
        model,
        prepared.tokenizers,
        base,
        card,
        out,
        frozen_layers=recipe.frozen_layers,
        bits=recipe.bits,
        held_out=held_out,
        report=report,
    )


def prepare(
    recipe: TranslatorRecipe, base: Checkpoint, out: Path, *, report: Log = silent
) -> PreparedPairs:
    """Read, split and tokenize a recipe's pairs; vocabularies and held-out pairs stay in `out`.

    Raises:
        ConfigError: if `out` belongs to another recipe.
        DataError: if a file cannot be used, or nothing is left to train on.
    """
    if recipe.start:
        _check_start(recipe, base)
    rng = stream(recipe.seed, "passes")
    data = read_data(recipe.sources, recipe.exclude, targets=recipe.targets).sampled(rng)
    everything = [*data.pairs, *data.validation]
    claim_folder(out, _identity(recipe, everything))
    write_held_out(data, out / HELD_OUT)
    report(f"{quantity(len(data.pairs), 'pair')} to train on, {len(data.held_out)} held out")
    split, moses = split_by_moses(everything) if recipe.pieces == MOSES else (everything, ())
    size = None if recipe.frozen_layers else recipe.source_vocabulary
    tokenizers = start_vocabulary(recipe) or vocabularies(
        split[: len(data.pairs)],
        out,
        target=recipe.vocabulary,
        source=size,
        langs=recipe.targets,
        pieces=recipe.pieces,
    )
    source = tokenizers.get(SOURCE) or load_tokenizer(base).backend_tokenizer
    tokens = tokenize_pairs(
        split,
        source,
        tokenizers[TARGET],
        longest=recipe.longest,
        hints=recipe.hints,
        glosses=_glosses(recipe, data) if recipe.glosses else None,
    )
    lengths = tokens.lengths
    fits = [max(pair) < recipe.longest for pair in lengths[: len(data.pairs)]]
    if skipped := len(fits) - sum(fits):
        report(f"{quantity(skipped, 'pair')} of {recipe.longest} tokens or more: skipped")
    passes = [times * short for times, short in zip(data.passes, fits, strict=True)]
    once = [0.0] * len(data.pairs) + [1.0] * len(data.validation)
    batches, validation = (
        make_batches(lengths, times, budget=recipe.batch_tokens, rng=stream(recipe.seed, name))
        for name, times in (("batches", passes), ("validation", once))
    )
    if recipe.updates:
        needed, rounds = recipe.updates * recipe.schedule.accumulate, 1
        while batches and len(batches) < needed:
            rng = stream(recipe.seed, "batches", rounds)
            batches += make_batches(lengths, passes, budget=recipe.batch_tokens, rng=rng)
            rounds += 1
        batches = [Batch(number, batch.pairs) for number, batch in enumerate(batches[:needed])]
        report(f"{quantity(recipe.updates, 'update')} in {quantity(rounds, 'round')}")
    return PreparedPairs(data, tokenizers, tokens, batches, validation, moses)


def _check_start(recipe: TranslatorRecipe, base: Checkpoint) -> None:
    """Raises ConfigError if the translator to start from is another network than the recipe's."""
    start = TranslatorModel(recipe.start)
    shape = start.shape
    wanted = shape_of(recipe, base, {TARGET: shape.vocabulary})
    fits = shape in (wanted, replace(wanted, glosses=0))
    same = start.frozen_layers == recipe.frozen_layers and start.targets == tuple(recipe.targets)
    if not (fits and same) or start.moses or start.adapter.base.sha != base.sha:
        raise ConfigError(
            f"[translator] the start '{recipe.start}' has another base, shape or direction than "
            f"the recipe: {shape}, {start.frozen_layers} frozen layers"
        )


def _identity(recipe: TranslatorRecipe, pairs: Sequence[Pair]) -> dict[str, Any]:
    """What a training folder belongs to: the recipe and the data of files that it names."""
    identity = recipe.describe() | {"pairs": digest(pairs)}
    if recipe.start:
        start = TranslatorModel(recipe.start).adapter
        identity |= {"start_sha": start.sha, "base_sha": start.base.sha}
    if recipe.glosses:
        identity["words"] = digest(*bundled_words().hashes)
    return identity


def start_vocabulary(recipe: TranslatorRecipe) -> dict[str, Any]:
    """The vocabulary of the translator that a recipe starts from, if there is one."""
    return {TARGET: TranslatorModel(recipe.start).tokenizers[1]} if recipe.start else {}


def first_weights(
    recipe: TranslatorRecipe, shape: Shape, base: Checkpoint
) -> dict[str, torch.nn.Parameter]:
    """New weights, or those of the translator that a recipe starts from."""
    weights = new_weights(shape, base, frozen_layers=recipe.frozen_layers, seed=recipe.seed)
    if recipe.start:
        start = TranslatorModel(recipe.start)
        for name, value in start.weights().items():
            weights[name].data.copy_(value)
    return weights


def _glosses(recipe: TranslatorRecipe, data: TranslatorData) -> Callable[[str, str], list[Gloss]]:
    """The glosses of a text and language; some of a training text's are dropped."""
    words, trained = bundled_words(), {pair[1] for pair in data.pairs}

    def glosses(text: str, lang: str) -> list[Gloss]:
        rng = stream(recipe.seed, "glosses", lang, text)
        dropped = recipe.gloss_dropout if text in trained else 0.0
        found = words.glosses(text, lang, recipe.glosses)
        return [gloss for gloss in found if rng.random() >= dropped]

    return glosses


def export(
    model: TranslatorInTraining,
    tokenizers: Mapping[str, Any],
    base: Checkpoint,
    card: dict[str, Any],
    out: Path,
    *,
    frozen_layers: int,
    bits: int | None,
    held_out: Sequence[Pair],
    report: Log = silent,
) -> Path:
    """Write the translator and its card; the scores on held-out pairs are those of the file."""
    path = out / NAME
    weights = {name: value.detach().cpu() for name, value in model.parameters.items()}
    save = partial(save_translator, path, weights, dict(tokenizers), base=base, shape=model.shape)
    save(frozen_layers=frozen_layers, bits=bits, card=card)
    if held_out:
        report("translating the held-out pairs")
        card["held_out"] = _score(TranslatorModel(str(path)), held_out).to_json()
        save(frozen_layers=frozen_layers, bits=bits, card=card)
    write_json(out / "card.json", card)
    return path


def _score(model: TranslatorModel, pairs: Sequence[Pair]) -> Report:
    """The scores of translations, by the language that is not English."""
    translations: dict[Sequence[str], str] = {}
    for to in sorted({pair[2] for pair in pairs}):
        sources = sorted({pair[:2] for pair in pairs if pair[2] == to})
        langs, texts = zip(*sources, strict=True)
        found = model.translate(texts, langs=langs, to=to)
        for source, [(translation, _), *_] in zip(sources, found, strict=True):
            translations[*source, to] = translation
    return score_translations(
        [translations[pair[:3]] for pair in pairs],
        [pair[3] for pair in pairs],
        [pair[2] if model.targets else pair[0] for pair in pairs],
    )


def shape_of(recipe: TranslatorRecipe, base: Checkpoint, sizes: Mapping[str, int]) -> Shape:
    """A recipe's network; `sizes` are those of its vocabularies."""
    layers = recipe.encoder_layers, recipe.decoder_layers
    widths = recipe.width, recipe.heads, recipe.feed
    if recipe.frozen_layers:
        widths = base_widths(base, frozen_layers=recipe.frozen_layers, encoder_layers=layers[0])
    width, heads, inner = widths
    target, source = sizes[TARGET], sizes.get(SOURCE, 0)
    hints = recipe.hints, recipe.glosses
    return Shape(width, heads, recipe.feed, inner, *layers, target, source, *hints)


def hidden_states(
    recipe: TranslatorRecipe,
    base: Checkpoint,
    tokens: TokenizedPairs,
    folder: Path,
    report: Log = silent,
) -> HiddenStates | None:
    """The frozen layers' hidden states of the sources, None if the encoder is new."""
    if not recipe.frozen_layers:
        return None

    def progress(done: int, total: int) -> None:
        if done % REPORT_EVERY == 0 or done == total:
            report(f"frozen layers: {done}/{total} texts")

    lower = LowerLayers(base, recipe.frozen_layers, dtype=recipe.dtype)
    return HiddenStates(folder, [source.ids for source in tokens.sources], lower, progress=progress)
