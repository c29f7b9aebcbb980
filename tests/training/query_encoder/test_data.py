import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.training.query_encoder.data import draw_batches, vary
from xorqa.training.query_encoder.recipe import QueryEncoderRecipe, QuerySource
from xorqa.training.query_encoder.train import prepare

LEXICON = {"fi": {"river": "joki"}, "de": {"river": "fluss"}}
PAIR = ("ko", "강이 어디?", "Where is the river?")


def test_a_source_is_drawn_by_weight_and_its_languages_by_the_root_of_their_size() -> None:
    decks = {
        (0, "fi"): [("fi", f"f{at}", "f") for at in range(90)],
        (0, "ko"): [("ko", f"k{at}", "k") for at in range(10)],
        (1, "en"): [("en", "e", "e")],
    }
    batches = draw_batches(decks, [3.0, 1.0], size=8, count=1000, rng=random.Random(1))
    counts = Counter(pair[0] for batch in batches for pair in batch)
    assert {len(batch) for batch in batches} == {8}
    assert counts["en"] / 8000 == pytest.approx(0.25, abs=0.02)
    assert counts["fi"] / counts["ko"] == pytest.approx(3, abs=0.3)


def test_a_deck_repeats_no_pair_before_all_others() -> None:
    decks = {(0, "fi"): [("fi", f"f{at}", "f") for at in range(6)]}
    [batch] = draw_batches(decks, [1.0], size=12, count=1, rng=random.Random(1))
    assert len(set(batch[:6])) == len(set(batch[6:])) == 6


def test_texts_are_at_times_english_or_code_switched() -> None:
    rng = random.Random(1)
    varied = [vary(PAIR, LEXICON, english=0.5, code_switched=0.5, rng=rng) for _ in range(800)]
    assert {pair[2] for pair in varied} == {PAIR[2]}
    texts = Counter(pair[1] for pair in varied)
    assert texts[PAIR[1]] / 800 == pytest.approx(0.5, abs=0.05)
    assert set(texts) == {
        PAIR[1],
        PAIR[2],
        "Where is the joki?",
        "Where is the fluss?",
    }


def test_english_sources_stay_as_they_are_without_a_lexicon() -> None:
    english = ("en", PAIR[2], PAIR[2])
    assert vary(english, {}, english=1.0, code_switched=1.0, rng=random.Random(1)) == english


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
        prepare(replace(recipe, sources=(QuerySource((str(empty),)),)))
