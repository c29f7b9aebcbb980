"""A dry run of the larger recipes: from packed inputs to adapters, on tiny weights and data."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command_line import Xorqa
from tests.commands.small_recipes import small
from tests.commands.tiny_home import tiny_home
from tests.commands.training_data import write_training_data
from xorqa.io.files import data_dir
from xorqa.lab.training.common.recipe import Recipe
from xorqa.lab.training.history import TrainingHistory
from xorqa.lab.training.query_encoder.recipe import QueryEncoderRecipe
from xorqa.models.adapters import open_adapter

LARGER = {"encoder-large": "query", "reader-large": "reader", "ranker-large": "ranker"}
"""The recipes, and the names of their adapters."""


@pytest.fixture
def world(
    xorqa: Xorqa, tmp_path: Path, tiny: Path, tiny_adapter: Path, tiny_translator: Path
) -> Iterator[Path]:
    """A folder to work in, with a home of tiny weights and made-up data."""
    folder = tmp_path / "world"
    folder.mkdir()
    with tiny_home(folder, base=tiny, reader=tiny_adapter, translator=tiny_translator) as patch:
        write_training_data(data_dir())
        exact = TrainingHistory.settings_of
        patch.setattr(TrainingHistory, "settings_of", lambda *given: validated(exact(*given)))
        yield folder


def validated(recipe: Recipe) -> Recipe:
    """A small recipe that holds out some of the few made-up pairs, in each language."""
    recipe = small(recipe)
    if isinstance(recipe, QueryEncoderRecipe):
        return replace(recipe, held_out=0.2, validation=60)
    return recipe


def test_the_larger_recipes_train_from_one_packed_file(xorqa: Xorqa, world: Path) -> None:
    packed = xorqa("train", "pack", *LARGER, "--out", "inputs.tar.xz")
    assert packed.status == 0, packed.err
    assert "inputs.tar.xz" in packed.out
    shutil.rmtree(data_dir())
    arguments = ["train", "all", *LARGER, "--inputs", "inputs.tar.xz", "--out", "training/large"]
    arguments += ["--minutes", "25", "--json", "scores.json"]
    trained = xorqa(*arguments)
    assert trained.status == 0, trained.err
    results = json.loads(Path("scores.json").read_text())
    assert list(results) == list(LARGER)
    for name, adapter in LARGER.items():
        path = Path("training", "large", name, f"{adapter}.safetensors")
        assert f"adapter: {path}" in trained.out
        assert open_adapter(str(path)).card["validation"] == results[name]["card"]
        scores = results[name]["runs"][name]
        assert scores["settled"] and scores["scores"][-1][0] >= 10
    assert (world / "training" / "large" / "encoder-large" / "tokens.transform").is_file()
    again = xorqa(*arguments)
    assert again.status == 0, again.err
    assert again.out.count("is finished: ") == len(LARGER)
    assert json.loads(Path("scores.json").read_text()) == results


def test_without_time_every_recipe_still_gives_an_adapter(xorqa: Xorqa, world: Path) -> None:
    trained = xorqa("train", "all", "ranker-large", "--out", "large", "--minutes", "0")
    assert trained.status == 0, trained.err
    card = open_adapter("large/ranker-large/ranker.safetensors").card
    assert card["steps"] == 1 and card["validation"]["mrr"] > 0


def test_what_cannot_be_packed_is_one_line(xorqa: Xorqa, world: Path) -> None:
    large = xorqa("train", "pack", *LARGER, "--out", "inputs.tar.xz", "--limit", "0.001")
    assert large.status == 2 and len(large.err.splitlines()) == 1
    assert "more than 0.0 MB" in large.err and "largest files" in large.err
    (data_dir() / "parallel" / "lexicon.tsv").unlink()
    missing = xorqa("train", "pack", *LARGER, "--out", "inputs.tar.xz")
    assert missing.status == 2 and len(missing.err.splitlines()) == 1
    assert "parallel/lexicon.tsv (xorqa train lexicon" in missing.err
    assert not Path("inputs.tar.xz").exists()
