from dataclasses import replace
from pathlib import Path

import pytest
import torch

from xorqa.core.errors import ConfigError
from xorqa.lab.training.average import average_encoders
from xorqa.lab.training.biencoder.recipe import BiencoderRecipe
from xorqa.lab.training.biencoder.train import train_biencoder
from xorqa.models.adapters import merge, open_adapter
from xorqa.models.checkpoints import load_body, resolve


@pytest.fixture(scope="module")
def encoders(recipe: BiencoderRecipe, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """One with all weights, and one with low-rank pairs."""
    pytest.importorskip("peft")
    out = tmp_path_factory.mktemp("encoders")
    return [
        str(train_biencoder(replace(recipe, method=method), out / method)[0])
        for method in ("full", "lora")
    ]


def weights(recipe: BiencoderRecipe, path: str) -> dict[str, torch.Tensor]:
    model = load_body(resolve(recipe.base))
    merge(model, open_adapter(path, task="encoder"))
    return {name: value.detach() for name, value in model.named_parameters()}


def test_each_weight_is_the_mean(
    recipe: BiencoderRecipe, encoders: list[str], tmp_path: Path
) -> None:
    mean = average_encoders(recipe, encoders, tmp_path)
    found, first, second = (weights(recipe, str(path)) for path in (mean, *encoders))
    assert sum(not torch.equal(first[name], second[name]) for name in found) > 20
    for name in found:
        apart = (first[name] - second[name]).abs().max() / 2
        off = (found[name] - (first[name] + second[name]) / 2).abs().max()
        assert off <= 0.3 * apart + 2e-3, name  # 4 bits round


def test_the_mean_is_judged_and_names_its_parts(
    recipe: BiencoderRecipe, encoders: list[str], tmp_path: Path
) -> None:
    card = open_adapter(str(average_encoders(recipe, encoders, tmp_path))).card
    assert card["validation"]["questions"] > 0 and "scale" not in card
    methods = [part["card"]["recipe"]["method"] for part in card["average"]]
    assert methods == ["full", "lora"]


def test_what_has_no_mean(recipe: BiencoderRecipe, encoders: list[str], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs two encoders or more"):
        average_encoders(recipe, encoders[:1], tmp_path)
    with pytest.raises(ConfigError, match="one tower can be averaged; the recipe has two"):
        average_encoders(replace(recipe, towers=2), encoders, tmp_path)
