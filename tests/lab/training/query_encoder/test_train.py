import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.lab.training.query_encoder.recipe import QueryEncoderRecipe
from xorqa.lab.training.query_encoder.train import new_student, prepare, train_query_encoder
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings, encoder_settings
from xorqa.retrieval.over_corpus import retriever_over

pytest.importorskip("peft")

QUESTIONS = ["Missä on joki 3?", "강이 어디에 5?"]


def settings(recipe: QueryEncoderRecipe, adapter: Path | None) -> EncoderSettings:
    found = encoder_settings(str(adapter)) if adapter else encoder_settings(recipe.base)
    return replace(found, dtype="float32")


@pytest.fixture(scope="module")
def adapter(recipe: QueryEncoderRecipe, tmp_path_factory: pytest.TempPathFactory) -> Path:
    longer = replace(recipe, steps=30)
    return train_query_encoder(longer, tmp_path_factory.mktemp("queries"))


def test_questions_move_to_their_translations_and_passages_stay(
    recipe: QueryEncoderRecipe, adapter: Path
) -> None:
    teacher, student = (Encoder(settings(recipe, one)) for one in (None, adapter))
    english = teacher.queries(["Where is river 3?", "Where is river 5?"])
    before = (teacher.queries(QUESTIONS) * english).sum(axis=1)
    after = (student.queries(QUESTIONS) * english).sum(axis=1)
    assert (after > before).all()
    texts = ["The Nile is long.", ("Nile", "It is long.")]
    np.testing.assert_array_equal(student.passages(texts), teacher.passages(texts))


def test_an_index_of_the_base_serves_the_trained_queries(
    recipe: QueryEncoderRecipe, adapter: Path, tmp_path: Path
) -> None:
    corpus = Corpus("rivers", [Passage(f"d{at}", f"River {at} is here.") for at in range(5)])
    table = {"use": "dense", "encoder": recipe.base, "dtype": "float32"}
    base = retriever_over(corpus, table, tmp_path)
    base.build()
    [written] = tmp_path.glob("*/manifest.json")
    trained = retriever_over(corpus, table | {"adapter": str(adapter)}, tmp_path)
    before = written.stat().st_mtime_ns
    trained.build()
    query = Query(Question("q", QUESTIONS[0], "fi"), QUESTIONS[0], "fi")
    rankings = [one.retrieve([query], k=5)[0] for one in (base, trained)]
    assert written.stat().st_mtime_ns == before
    assert [*tmp_path.glob("*/manifest.json")] == [written]
    assert rankings[0] != rankings[1]
    assert base.fingerprint() != trained.fingerprint()


def test_the_loss_is_zero_where_the_student_is_the_teacher(
    recipe: QueryEncoderRecipe, tmp_path: Path
) -> None:
    data = prepare(recipe)
    student = new_student(recipe, data, tmp_path)
    same = [("en", "Where is river 1?", "Where is river 1?")] * 2
    other = [("fi", "Missä on joki 1?", "Where is river 1?")] * 2
    with torch.no_grad():
        assert float(student.loss(same)) == pytest.approx(0, abs=1e-3)
        assert float(student.loss(other)) > 0.01
    assert student.validate(same) == pytest.approx({"cosine": 100, "mrr": 100}, abs=0.01)


def test_without_passages_only_the_vectors_are_distilled(
    recipe: QueryEncoderRecipe, tmp_path: Path
) -> None:
    alone = replace(recipe, passages=())
    train_query_encoder(alone, tmp_path)
    card = json.loads((tmp_path / "card.json").read_text())
    assert set(card["validation"]) == {"pairs", "cosine"}


def test_an_interrupted_training_ends_the_same(recipe: QueryEncoderRecipe, tmp_path: Path) -> None:
    whole = train_query_encoder(recipe, tmp_path / "whole")
    train_query_encoder(recipe, tmp_path / "resumed", stop_after=2)
    resumed = train_query_encoder(recipe, tmp_path / "resumed")
    assert whole.read_bytes() == resumed.read_bytes()
    card = json.loads((tmp_path / "whole" / "card.json").read_text())
    assert card["recipe"]["side"] == "query"
    assert card["steps"] == 4
    assert card["validation"]["pairs"] > 0


def test_the_last_steps_settle_on_rounded_weights(
    recipe: QueryEncoderRecipe, tmp_path: Path
) -> None:
    settling = replace(recipe, method="full", settle=1)
    train_query_encoder(settling, tmp_path / "parts", stop_after=2)
    assert not (tmp_path / "parts" / "settled").exists()
    paths = [train_query_encoder(settling, tmp_path / name) for name in ("parts", "whole")]
    plain = train_query_encoder(replace(settling, settle=0), tmp_path / "plain")
    parts, whole, before = map(load_file, [*paths, plain])
    assert all(torch.equal(parts[name], value) for name, value in whole.items())
    assert not all(torch.equal(before[name], value) for name, value in whole.items())
