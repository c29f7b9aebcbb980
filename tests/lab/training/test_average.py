from dataclasses import replace
from pathlib import Path

import pytest
import torch

from xorqa.core.errors import ConfigError, WeightsError
from xorqa.lab.training.average import average_readers
from xorqa.lab.training.common.finetuning import save_adapter
from xorqa.lab.training.reader.recipe import ReaderRecipe
from xorqa.lab.training.reader.train import train_reader
from xorqa.models.adapters import merge, open_adapter
from xorqa.models.checkpoints import load, resolve

Weights = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def alike(recipe: ReaderRecipe) -> ReaderRecipe:
    return replace(recipe, method="full", validation=6)


@pytest.fixture(scope="module")
def readers(alike: ReaderRecipe, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two readers of one recipe with two seeds."""
    out = tmp_path_factory.mktemp("readers")
    return [str(train_reader(replace(alike, seed=seed), out / str(seed))) for seed in (1, 2)]


def weights(recipe: ReaderRecipe, path: str) -> Weights:
    model = load(resolve(recipe.base), "AutoModelForTokenClassification", num_labels=3)
    merge(model, open_adapter(path, task="reader"))
    return {name: value.detach() for name, value in model.named_parameters()}


def test_each_weight_is_the_mean(alike: ReaderRecipe, readers: list[str], tmp_path: Path) -> None:
    found = weights(alike, str(average_readers(alike, readers, tmp_path)))
    first, second = (weights(alike, path) for path in readers)
    moved = [name for name in found if not torch.equal(first[name], second[name])]
    assert len(moved) > 20
    for name in found:
        mean = (first[name] + second[name]) / 2
        apart = (first[name] - second[name]).abs().max() / 2
        assert (found[name] - mean).abs().max() <= 0.2 * apart + 2e-3, name  # 4 bits round


def test_the_mean_is_judged_and_names_its_parts(
    alike: ReaderRecipe, readers: list[str], tmp_path: Path
) -> None:
    card = open_adapter(str(average_readers(alike, readers, tmp_path))).card
    assert card["validation"]["questions"] > 0
    assert 0.1 <= card["temperature"] <= 10
    parts = [open_adapter(path) for path in readers]
    assert [part["sha"] for part in card["average"]] == [part.sha for part in parts]
    assert [part["card"]["recipe"]["seed"] for part in card["average"]] == [1, 2]


def test_one_reader_is_no_average(alike: ReaderRecipe, readers: list[str], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs two readers or more"):
        average_readers(alike, readers[:1], tmp_path)


def test_an_encoder_has_no_mean_with_a_reader(
    alike: ReaderRecipe, readers: list[str], tmp_path: Path
) -> None:
    save_adapter(tmp_path / "e.safetensors", {}, task="encoder", base=resolve(alike.base), card={})
    with pytest.raises(WeightsError, match="not for 'reader'"):
        average_readers(alike, [readers[0], str(tmp_path / "e.safetensors")], tmp_path / "out")
