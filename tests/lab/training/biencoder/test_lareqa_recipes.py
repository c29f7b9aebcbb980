"""LAReQA's four recipes as printed; each trains ten steps on tiny weights."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from xorqa.lab.training.biencoder.recipe import BiencoderRecipe
from xorqa.lab.training.biencoder.train import train_biencoder
from xorqa.lab.training.history import read_history
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import encoder_settings

LANGS = {"ar", "de", "el", "en", "es", "hi", "ru", "th", "tr", "vi", "zh"}
NAMES = ("en-en", "x-x", "x-x-mono", "x-y")


@pytest.mark.parametrize("name", NAMES)
def test_settings_are_those_of_the_paper(name: str) -> None:
    recipe = BiencoderRecipe.load(f"lareqa-{name}")
    assert (recipe.batch_size, recipe.schedule.accumulate, recipe.steps) == (64, 32, 100_000)
    assert (recipe.schedule.learning_rate, recipe.both_ways) == (1e-5, False)
    assert (recipe.method, recipe.pooling, recipe.normalize) == ("all", "cls", True)
    assert (recipe.context, recipe.exclude_positive, recipe.learn_scale) == (True, True, True)
    assert recipe.mono_steps is (name == "x-x-mono")
    assert recipe.base.endswith("bert-base-multilingual-cased")
    [source] = recipe.sources
    assert (source.held_out, source.first_offsets) == (0.0, False)
    translated = {Path(file).name.split(".")[1] for file in source.files[1:]}
    assert translated == (set() if name == "en-en" else LANGS - {"en"})
    commands = [made.command for made in read_history(f"lareqa-{name}", "biencoder").inputs]
    assert all(f" {','.join(sorted(translated))} " in command for command in commands[1:])


@pytest.mark.parametrize("name", NAMES)
def test_ten_steps(name: str, files: dict[str, Path], tiny_bert: Path, tmp_path: Path) -> None:
    recipe = BiencoderRecipe.load(f"lareqa-{name}")
    [source] = recipe.sources
    schedule = replace(recipe.schedule, accumulate=3, log_every=1)
    small = replace(
        recipe,
        sources=(replace(source, files=tuple(map(str, files.values()))),),
        base=str(tiny_bert),
        steps=10,
        batch_size=4,
        schedule=schedule,
    )
    [folder] = train_biencoder(small, tmp_path)
    assert len((tmp_path / "curve.csv").read_text().splitlines()) == 11
    made = Encoder(encoder_settings(str(folder)))
    assert made.has_segments and made.trained_with["sampler"] == name
    vectors = made.passages([("Joki Nile.", "Joki Nile. Kaupunki."), ("Nile.", "Joki Nile.")])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
