"""Every bundled recipe trains ten steps, all its stages, on tiny weights and made-up data.

Recipes are those of the package's folders `recipes`, so that a new one is trained here, too. Data
and weights are small ones at the places and by the names that the recipes give, in the layouts of
the publications; only sizes are changed (`small`). `xorqa/lab/papers/rows` names these recipes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

import xorqa
from tests.commands.small_recipes import STEPS, small
from tests.commands.tiny_home import tiny_home
from tests.commands.training_data import write_adapters_of_recipes, write_training_data
from xorqa.core.config import read_toml
from xorqa.io.files import data_dir
from xorqa.lab.training.common.kind import TRAINING_KINDS, find_kind
from xorqa.lab.training.common.recipe import RECIPES
from xorqa.lab.training.confidence import rows
from xorqa.lab.training.confidence.recipe import ConfidenceRecipe
from xorqa.lab.training.confidence.train import train_confidence
from xorqa.lab.training.history import TrainingHistory, TrainingStage, read_history
from xorqa.lab.training.repeat import repeat_history


def test_all_recipes_of_the_package_are_known() -> None:
    package = Path(xorqa.__file__).parent
    assert sorted(RECIPES.values()) == sorted(package.rglob("recipes/*.toml"))


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, tiny: Path, tiny_adapter: Path, tiny_translator: Path
) -> Iterator[Path]:
    """The folder to train in, with a home of tiny weights and made-up data."""
    folder = tmp_path_factory.mktemp("recipes")
    with tiny_home(folder, base=tiny, reader=tiny_adapter, translator=tiny_translator):
        write_adapters_of_recipes(folder)
        write_training_data(data_dir())
        yield folder


def trained(name: str, kind_name: str, out: Path) -> list[Path]:
    """Train a recipe as `xorqa train` does; returns the folders of its training runs."""
    history, kind = read_history(name, kind_name), find_kind(kind_name)
    history.check_inputs(history.stages or (TrainingStage("all"),))
    if not history.stages:
        recipe = small(kind.recipe.load(name))
        stop = {"stop_after": STEPS} if hasattr(recipe, "epochs") else {}
        assert kind.train(recipe, out, **stop)
        return [out]
    assert repeat_history(history, out)
    return [out / stage.name for stage in history.stages if not stage.average]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_trains_ten_steps(
    name: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    if name == "confidence":
        monkeypatch.setattr(rows, "RIGHT", 0.2)  # a random reader is seldom right
        assert train_confidence(ConfidenceRecipe.load(name), tmp_path)
        return
    [kind] = read_toml(RECIPES[name]).keys() & {*TRAINING_KINDS}
    settings_of = TrainingHistory.settings_of
    monkeypatch.setattr(TrainingHistory, "settings_of", lambda *given: small(settings_of(*given)))
    for run in trained(name, kind, tmp_path):
        with (run / "curve.csv").open() as lines:
            steps = [int(row["step"]) for row in csv.DictReader(lines)]
        assert len(steps) >= STEPS, run
