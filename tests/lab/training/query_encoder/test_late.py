"""Late interaction is distilled as it is searched."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError
from xorqa.core.types import Query, Question
from xorqa.lab.training.bitext.translations import LangText
from xorqa.lab.training.query_encoder.late import LateRanking, spread
from xorqa.lab.training.query_encoder.recipe import LateDistillation, QueryEncoderRecipe
from xorqa.lab.training.query_encoder.train import new_student, prepare, train_query_encoder
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import encoder_settings
from xorqa.models.late_interaction import EncoderTokens, LateSettings, late_encoder
from xorqa.models.transforms import open_transform

pytest.importorskip("peft")

SAME = [LangText("en", f"Where is river {at}?", f"Where is river {at}?") for at in (1, 2)]
OTHER = [LangText("fi", f"Missä on joki {at}?", f"Where is river {at}?") for at in (1, 2)]


@pytest.fixture(scope="module")
def teacher(recipe: QueryEncoderRecipe, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(train_query_encoder(recipe, tmp_path_factory.mktemp("teacher")))


@pytest.fixture(scope="module")
def late_recipe(recipe: QueryEncoderRecipe, teacher: str) -> QueryEncoderRecipe:
    late = LateDistillation(teacher, transform="none", depth=8, candidates=4)
    return replace(recipe, start=teacher, late_interaction=late)


@pytest.fixture(scope="module")
def ranking(
    late_recipe: QueryEncoderRecipe, tmp_path_factory: pytest.TempPathFactory
) -> LateRanking:
    folder = tmp_path_factory.mktemp("student")
    late = new_student(late_recipe, prepare(late_recipe), folder).late
    assert late is not None
    return late


def test_a_student_that_is_the_teacher_has_no_loss(
    late_recipe: QueryEncoderRecipe, ranking: LateRanking, tmp_path: Path
) -> None:
    student = new_student(late_recipe, prepare(late_recipe), tmp_path)
    similarity = torch.rand(2, len(ranking.index.corpus))
    losses = {}
    with torch.no_grad():
        for name, batch in (("same", SAME), ("other", OTHER)):
            tokens = student._tokens([student.prefix + pair.text for pair in batch])
            losses[name] = float(ranking.loss(batch, tokens, similarity))
    assert losses["same"] == pytest.approx(0, abs=1e-5)
    assert losses["other"] > 1e-4
    assert student.validate(SAME)["late_mrr"] == 100


def test_scores_are_those_of_the_search(ranking: LateRanking) -> None:
    queries = [Query(Question(pair.text, pair.text, "en"), pair.text, "en") for pair in SAME]
    places = [2, 0, 1]
    codes, lengths = ranking.passages(places)
    for tokens, hits in zip(
        ranking._teacher_tokens(SAME), ranking.index.retrieve(queries, k=99), strict=True
    ):
        scores = {hit.passage.docid: hit.score for hit in hits}
        expected = [scores[ranking.index.corpus.passages[at].docid] for at in places]
        assert ranking._scores(tokens, codes, lengths).tolist() == pytest.approx(expected, abs=1e-4)


def test_only_the_question_s_tokens_learn(
    late_recipe: QueryEncoderRecipe, ranking: LateRanking, tmp_path: Path
) -> None:
    student = new_student(late_recipe, prepare(late_recipe), tmp_path)
    _, tokens = student.tower.with_tokens([pair.text for pair in OTHER], max_tokens=48)
    ranking.loss(OTHER, tokens, torch.rand(2, len(ranking.index.corpus))).backward()
    assert any(value.grad is not None and value.grad.any() for value in student.parameters.values())


def test_an_interrupted_training_ends_the_same(
    late_recipe: QueryEncoderRecipe, tmp_path: Path
) -> None:
    whole = train_query_encoder(late_recipe, tmp_path / "whole")
    train_query_encoder(late_recipe, tmp_path / "resumed", stop_after=2)
    resumed = train_query_encoder(late_recipe, tmp_path / "resumed")
    assert whole.read_bytes() == resumed.read_bytes()
    card = json.loads((tmp_path / "whole" / "card.json").read_text())
    assert card["recipe"]["late_interaction"]["candidates"] == 4
    assert 0 < card["validation"]["late_mrr"] <= 100


def test_another_teacher_is_another_training(
    late_recipe: QueryEncoderRecipe, tmp_path: Path
) -> None:
    train_query_encoder(late_recipe, tmp_path, stop_after=2)
    better = train_query_encoder(late_recipe, tmp_path / "better")
    assert late_recipe.late_interaction is not None
    late = replace(late_recipe.late_interaction, teacher=str(better))
    other = replace(late_recipe, late_interaction=late)
    with pytest.raises(ConfigError, match="another recipe"):
        train_query_encoder(other, tmp_path)


def test_passages_and_a_teacher_of_this_base_are_needed(
    late_recipe: QueryEncoderRecipe, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="needs passages to rank"):
        train_query_encoder(replace(late_recipe, passages=()), tmp_path / "a")
    shipped = replace(late_recipe, late_interaction=LateDistillation("encoder-questions"))
    with pytest.raises(ConfigError, match="trained on e5-small-q4"):
        train_query_encoder(shipped, tmp_path / "b")
    nobody = replace(late_recipe, start=None, late_interaction=LateDistillation())
    with pytest.raises(ConfigError, match="needs a start or a teacher"):
        train_query_encoder(nobody, tmp_path / "c")


def test_the_means_that_were_fitted_belong_to_the_trained_encoder(
    late_recipe: QueryEncoderRecipe, tmp_path: Path
) -> None:
    late = LateDistillation(depth=8, candidates=4)
    adapter = train_query_encoder(replace(late_recipe, late_interaction=late), tmp_path)
    settings = LateSettings(str(adapter), transform=str(tmp_path / "tokens.transform"))
    encoder = late_encoder(settings)
    assert isinstance(encoder, EncoderTokens)
    first = open_transform(
        str(tmp_path / "teacher.transform"),
        encoder=Encoder(encoder_settings(str(late_recipe.start))).token_fingerprint,
    )
    assert encoder.transform is not None
    assert encoder.transform.fingerprint() == first.fingerprint()
    assert set(first.entries) == {
        *((lang, "query") for lang in ("en", "fi", "ko")),
        ("en", "passage"),
    }


@given(st.integers(1, 50), st.integers(2, 20))
def test_texts_are_of_the_whole_list(length: int, count: int) -> None:
    texts = [str(at) for at in range(length)]
    chosen = spread(texts, count)
    assert len(chosen) == len({*chosen}) == min(length, count)
    assert (chosen[0], chosen[-1]) == (texts[0], texts[-1])
    assert chosen == sorted(chosen, key=int)
