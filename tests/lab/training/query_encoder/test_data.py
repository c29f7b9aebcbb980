import json
from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.lab.training.bitext.translations import TranslationSource
from xorqa.lab.training.query_encoder.recipe import QueryEncoderRecipe
from xorqa.lab.training.query_encoder.train import prepare


def test_excluded_and_held_out_pairs_are_not_trained_on(
    recipe: QueryEncoderRecipe, tmp_path: Path
) -> None:
    excluded = tmp_path / "dev.jsonl"
    excluded.write_text(json.dumps({"question": "where is river 3?"}) + "\n")
    data = prepare(replace(recipe, exclude=(str(excluded),)))
    trained = {pair[2] for batch in data.batches for pair in batch}
    held_out = {pair[2] for pair in data.held_out}
    assert held_out
    assert not held_out & trained
    assert "Where is river 3?" not in held_out | trained
    assert data.counts["pairs"] < 40


def test_languages_of_a_source(recipe: QueryEncoderRecipe) -> None:
    source = replace(recipe.sources[0], langs=("ko",))
    data = prepare(replace(recipe, sources=(source,), english=0.0))
    assert {pair[0] for batch in data.batches for pair in batch} == {"ko"}


def test_a_recipe_without_pairs_is_refused(recipe: QueryEncoderRecipe, tmp_path: Path) -> None:
    empty = tmp_path / "pairs.tsv"
    empty.write_text("")
    with pytest.raises(ConfigError, match="no pair is left"):
        prepare(replace(recipe, sources=(TranslationSource((str(empty),)),)))
