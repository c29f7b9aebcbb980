from dataclasses import replace

import numpy as np
import pytest

from xorqa.training.biencoder.pairs import read_items
from xorqa.training.biencoder.recipe import BiencoderRecipe, Source
from xorqa.training.biencoder.validation import Development, held_out


def test_rank_and_accuracy_by_hand() -> None:
    development = Development(("a", "b", "c"), ("x", "y", "z"), (0, 1, 2))
    pool = np.eye(3, dtype=np.float32)
    queries = np.array([[3, 1, 2], [3, 1, 2], [2, 2, 2]], np.float32)
    score = development.score(queries, pool)
    assert score["mrr"] == pytest.approx(100 * (1 + 1 / 3 + 1 / 3) / 3)
    assert score["accuracy"] == pytest.approx(100 / 3)


def test_the_pool_is_every_unit_of_the_chosen_paragraphs(
    parallel: Source, recipe: BiencoderRecipe
) -> None:
    items, _ = read_items(parallel, unit="sentence")
    mono = replace(recipe, sampler="en-en", development=3)
    development = held_out([items], mono)
    assert development is not None
    assert len(development.questions) == 3
    assert all(question.endswith("?") for question in development.questions)
    assert len(development.pool) in (4, 6)
    assert all(text.startswith(("The", "A town")) for text in development.pool)
    answers = {item.questions["en"]: item.answers["en"] for item in items}
    for question, at in zip(development.questions, development.answers, strict=True):
        assert development.pool[at] == answers[question]
    assert held_out([items], mono) == development


def test_nothing_held_out(recipe: BiencoderRecipe, parallel: Source) -> None:
    items, _ = read_items(parallel, unit="sentence")
    assert held_out([[]], recipe) is None
    assert held_out([items], replace(recipe, development=0)) is None


def test_all_sources_and_languages_take_part(recipe: BiencoderRecipe, parallel: Source) -> None:
    items, _ = read_items(parallel, unit="sentence")
    across = held_out([items, items], replace(recipe, sampler="x-y", development=16))
    assert across is not None
    assert len(across.questions) == 32
    assert {text.split()[0] for text in across.pool} >= {"The", "Joki", "Mto"}
