import random

import numpy as np
import pytest

from xorqa.lab.training.biencoder.pairs import Item, read_items
from xorqa.lab.training.biencoder.recipe import BiencoderSource
from xorqa.lab.training.biencoder.validation import RetrievalValidationSet, validation_set


def sampled(
    *sources: list[Item], sampler: str, per_source: int = 200
) -> RetrievalValidationSet | None:
    rng = random.Random(1)
    return validation_set(sources, per_source=per_source, sampler=sampler, unit="sentence", rng=rng)


def test_rank_and_accuracy_by_hand() -> None:
    validation = RetrievalValidationSet(("a", "b", "c"), ("x", "y", "z"), (0, 1, 2))
    pool = np.eye(3, dtype=np.float32)
    queries = np.array([[3, 1, 2], [3, 1, 2], [2, 2, 2]], np.float32)
    score = validation.metrics(queries, pool)
    assert score["mrr"] == pytest.approx(100 * (1 + 1 / 3 + 1 / 3) / 3)
    assert score["accuracy"] == pytest.approx(100 / 3)


def test_the_pool_is_every_unit_of_the_chosen_paragraphs(
    parallel: BiencoderSource,
) -> None:
    items, _ = read_items(parallel, unit="sentence")
    validation = sampled(items, sampler="en-en", per_source=3)
    assert validation is not None
    assert len(validation.questions) == 3
    assert all(question.endswith("?") for question in validation.questions)
    assert len(validation.pool) in (4, 6)
    assert all(text.startswith(("The", "A town")) for text in validation.pool)
    answers = {item.questions["en"]: item.answers["en"] for item in items}
    for question, at in zip(validation.questions, validation.answers, strict=True):
        assert validation.pool[at] == answers[question]
    assert sampled(items, sampler="en-en", per_source=3) == validation


def test_nothing_held_out(parallel: BiencoderSource) -> None:
    items, _ = read_items(parallel, unit="sentence")
    assert sampled([], sampler="x-x") is None
    assert sampled(items, sampler="x-x", per_source=0) is None


def test_all_sources_and_languages_take_part(parallel: BiencoderSource) -> None:
    items, _ = read_items(parallel, unit="sentence")
    across = sampled(items, items, sampler="x-y", per_source=16)
    assert across is not None
    assert len(across.questions) == 32
    assert {text.split()[0] for text in across.pool} >= {"The", "Joki", "Mto"}
