"""Average the weights of several readers, encoders or translators (a model soup).

Training runs with the same start, or of which one continues another, end in the same basin of the
loss. The mean of their weights is often better than each, most of all in languages without
training data, at no extra cost (Wortsman et al. 2022, "Model soups": the uniform soup).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...models.adapters import Adapter, merge
from ...models.checkpoints import Checkpoint, load, resolve
from ...models.translator import TranslatorModel
from .biencoder import train as biencoder_training
from .biencoder.data import read_validation_set as read_retrieval_validation
from .biencoder.recipe import BiencoderRecipe
from .common.finetuning import Finetuning, Full, open_start
from .common.weight_files import save_translator
from .reader import train as reader_training
from .reader.recipe import ReaderRecipe
from .reader.train import read_validation_set
from .translator import train as translator_training
from .translator.recipe import TranslatorRecipe
from .translator.tokens import TARGET


def average_readers(recipe: ReaderRecipe, files: Sequence[str], out: Path) -> Path:
    """Write the mean of readers to folder `out`, with scores on the recipe's validation set.

    `files` are bundled names or paths; returns the file written.

    Raises:
        ConfigError: if there are fewer than two, or one is of another base or is given another
            number of glosses.
        WeightsError: if one is not a reader.
    """
    base = resolve(recipe.base)
    readers = _open(files, base, task="reader")
    if others := {one.card.get("glosses", 0) for one in readers} - {recipe.glosses}:
        raise ConfigError(
            f"a reader is given {others.pop()} glosses of a word, and the recipe's {recipe.glosses}"
        )
    model = load(base, "AutoModelForTokenClassification", num_labels=3)
    trainable = Full(model, base, Finetuning("full"), "reader")
    _set_to_mean(model, readers)
    return reader_training.export(
        trainable.adapter_tensors(),
        base,
        {"recipe": recipe.describe(), "average": _part_cards(readers)},
        out,
        validation=read_validation_set(recipe),
        max_tokens=recipe.max_tokens,
        dtype=recipe.dtype,
        glosses=recipe.glosses,
    )


def average_encoders(recipe: BiencoderRecipe, files: Sequence[str], out: Path) -> Path:
    """Write the mean of encoders with one tower, as `average_readers` does.

    Raises:
        ConfigError: if there are fewer than two, one is of another base, or the recipe has two
            towers.
        WeightsError: if one is not an encoder.
    """
    if recipe.towers != 1:
        raise ConfigError("only encoders with one tower can be averaged; the recipe has two")
    encoders = _open(files, resolve(recipe.base), task="encoder")
    model = biencoder_training.new_biencoder(recipe, Finetuning("full"))
    _set_to_mean(model.towers[0].trainable.model, encoders)
    scores = model.validation_card(read_retrieval_validation(recipe))
    card = {"recipe": recipe.describe(), "average": _part_cards(encoders)} | scores
    [path] = biencoder_training.export(model, card, out)
    return path


def average_translators(recipe: TranslatorRecipe, files: Sequence[str], out: Path) -> Path:
    """Write the mean of translators with one vocabulary and network, without any scores.

    Raises:
        ConfigError: if there are fewer than two, or one is of another network or vocabulary.
        WeightsError: if one is not a translator.
    """
    import torch

    base = resolve(recipe.base)
    adapters = _open(files, base, task="translator")
    models = [TranslatorModel(str(adapter.path)) for adapter in adapters]
    vocabularies = {model.tokenizers[1].to_str() for model in models}
    if len({model.shape for model in models}) > 1 or len(vocabularies) > 1:
        raise ConfigError("only translators with one vocabulary and network can be averaged")
    weights = [model.weights() for model in models]
    path = out / translator_training.NAME
    save_translator(
        path,
        {name: torch.stack([each[name] for each in weights]).mean(0) for name in weights[0]},
        {TARGET: models[0].tokenizers[1]},
        base=base,
        shape=models[0].shape,
        frozen_layers=models[0].frozen_layers,
        bits=recipe.bits,
        card={"recipe": recipe.describe(), "average": _part_cards(adapters)},
    )
    return path


def _open(files: Sequence[str], base: Checkpoint, *, task: str) -> list[Adapter]:
    if len(files) < 2:
        raise ConfigError(f"an average needs two {task}s or more")
    return [open_start(file, base, task=task) for file in files]


def _part_cards(adapters: Sequence[Adapter]) -> list[dict[str, Any]]:
    return [{"sha": adapter.sha, "card": dict(adapter.card)} for adapter in adapters]


def _set_to_mean(model: Any, adapters: Sequence[Adapter]) -> None:
    """Set the weights of a model, which is the base, to the mean of the adapted models' weights."""
    import torch

    base = {name: value.clone() for name, value in model.state_dict().items()}
    total = {name: torch.zeros_like(value) for name, value in base.items()}
    for adapter in adapters:
        model.load_state_dict(base)
        merge(model, adapter)
        for name, value in model.state_dict().items():
            total[name] += value / len(adapters)
    model.load_state_dict(total)
