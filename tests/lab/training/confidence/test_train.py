"""Training a confidence model with a tiny reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from xorqa.answering.confidence.model import FEATURES, open_confidence
from xorqa.core.errors import DataError
from xorqa.experiments.confidence import is_calibrated
from xorqa.lab.training.confidence import rows
from xorqa.lab.training.confidence.recipe import ConfidenceRecipe
from xorqa.lab.training.confidence.traces import settings_for
from xorqa.lab.training.confidence.train import train_confidence

pytest.importorskip("sklearn")


@pytest.fixture
def recipe(recipe_file: Path, tiny_adapter: Path, home: Path) -> ConfidenceRecipe:
    return ConfidenceRecipe.load(recipe_file, [f"reader='{tiny_adapter}'"])


def test_the_weights_the_card_and_a_second_call(
    recipe: ConfidenceRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "RIGHT", 0.2)  # a random reader is seldom right
    seen: list[str] = []
    model = train_confidence(recipe, tmp_path / "a", progress=lambda name, *_: seen.append(name))
    assert open_confidence(tmp_path / "a" / "confidence.json") == model
    assert model.features == FEATURES and 0 <= model.threshold <= 1
    assert any("read" in name for name in seen)
    assert set(model.card["measures"]) >= {"all", "en", "code-switched", "6 passages"}
    assert model.card["recipe"]["sources"][0]["files"] == ["en.json"]
    card = (tmp_path / "a" / "confidence.md").read_text("utf-8")
    assert "| code-switched |" in card and "except those of `sw.json`" in card
    for name in ("bm25", "dense"):
        assert is_calibrated(model, settings_for(name, recipe.reader, "en"))
        assert model.card["measures"][name]["questions"] > 0 and f"| {name} |" in card
    assert not is_calibrated(model, settings_for("hybrid", recipe.reader, "en"))
    assert "the configs `bm25` and `dense`" in card
    first = (tmp_path / "a" / "confidence.json").read_bytes()
    train_confidence(recipe, tmp_path / "b")
    assert (tmp_path / "b" / "confidence.json").read_bytes() == first


def test_a_sample_without_right_answers(
    recipe: ConfidenceRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "RIGHT", 2.0)
    with pytest.raises(DataError, match="no right answers, or no wrong ones"):
        train_confidence(recipe, tmp_path / "a")


def test_missing_files_are_named(recipe: ConfidenceRecipe, tmp_path: Path) -> None:
    (tmp_path / "sw.json").unlink()
    with pytest.raises(DataError, match=r"missing input files: sw.json; fetch data sets with"):
        train_confidence(recipe, tmp_path / "a")
