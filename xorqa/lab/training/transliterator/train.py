"""Train a transliterator of English names into other scripts."""

from __future__ import annotations

from pathlib import Path

from ....core.progress import Log, quantity, silent
from ....io.files import digest, write_json
from ....models.checkpoints import resolve
from ....models.seq2seq import Network, Shape
from ....models.transliterator import Alphabet, Transliteration, transliterate
from ..common.loop import fit
from ..common.training_data import stream
from ..common.training_folder import claim_folder, locks_out
from ..common.weight_files import save_transliterator
from ..translator.batches import make_batches
from ..translator.model import TranslatorInTraining, new_weights
from .data import NameData, alphabet_of, by_language, read_names, tokenized
from .recipe import TransliteratorRecipe
from .scores import Scores, score

NAME = "transliterator.safetensors"
BEAMS = 4


@locks_out("training folder")
def train_transliterator(
    recipe: TransliteratorRecipe, out: Path, *, report: Log = silent, stop_after: int | None = None
) -> Path:
    """Train in folder `out`, or resume there; returns the transliterator's file.

    Its thresholds and scores are those of the held-out pairs.

    Raises:
        ConfigError: if `out` belongs to another recipe.
        DataError: if a file cannot be used, or nothing is left to train on.
    """
    data = read_names(recipe)
    claim_folder(out, recipe.describe() | {"pairs": digest(data.pairs, data.held_out)})
    report(f"{quantity(len(data.pairs), 'pair')} to train on, {len(data.held_out)} held out")
    validation = data.first_held_out(recipe.validation)
    everything = [*data.pairs, *validation]
    alphabet = alphabet_of([*data.pairs, *data.held_out], least=recipe.least)
    shape = _shape(recipe, alphabet)
    base = resolve(recipe.base)
    model = TranslatorInTraining(
        new_weights(shape, base, frozen_layers=0, seed=recipe.seed),
        shape,
        tokenized(everything, alphabet),
        None,
        recipe.dropout,
        recipe.label_smoothing,
        recipe.seed,
        recipe.dtype,
    )
    once = [0.0] * len(data.pairs) + [1.0] * len(validation)
    batches, validation_batches = (
        make_batches(
            model.data.lengths, passes, budget=recipe.batch_tokens, rng=stream(recipe.seed, name)
        )
        for name, passes in (("batches", data.passes), ("validation", once))
    )
    progress = fit(
        dict(model.parameters),
        batches,
        model.loss,
        schedule=recipe.schedule,
        out=out,
        validate=(lambda: model.validate(validation_batches)) if validation else None,
        report=report,
        stop_after=stop_after,
    )
    weights = {name: value.detach().cpu() for name, value in model.parameters.items()}
    report("transliterating the held-out names")
    scores = held_out_scores(Network(dict(model.parameters), shape), alphabet, data)
    card = {
        "recipe": recipe.describe(),
        "steps": progress.step,
        "pairs": data.counts(),
        "held_out": {lang: one.to_json() for lang, one in scores.items()},
    }
    path = out / NAME
    thresholds = {lang: one.threshold for lang, one in scores.items()}
    save_transliterator(
        path, weights, base=base, shape=shape, alphabet=alphabet, thresholds=thresholds, card=card
    )
    write_json(out / "card.json", card)
    return path


def held_out_scores(
    network: Network, alphabet: Alphabet, data: NameData, *, most: int | None = None
) -> dict[str, Scores]:
    """The scores of the held-out pairs, or of the first `most` per language."""
    pairs = data.held_out if most is None else data.first_held_out(most)
    scores = {}
    for lang, of_lang in by_language(pairs).items():
        names = [english for _, english, _ in of_lang]
        ranked = transliterate(network, alphabet, names, lang, beams=BEAMS)
        best = [row[0] if row else Transliteration("", 0.0) for row in ranked]
        scores[lang] = score(lang, of_lang, best)
    return scores


def _shape(recipe: TransliteratorRecipe, alphabet: Alphabet) -> Shape:
    source, target = alphabet.sizes
    layers = recipe.encoder_layers, recipe.decoder_layers
    feeds = recipe.feed, recipe.feed
    return Shape(recipe.width, recipe.heads, *feeds, *layers, target, source, hints=False)
