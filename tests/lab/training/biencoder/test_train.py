import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from xorqa.core.errors import ConfigError
from xorqa.lab.training.biencoder.data import decontaminated, make_batches
from xorqa.lab.training.biencoder.model import Batch
from xorqa.lab.training.biencoder.pairs import Item, read_items
from xorqa.lab.training.biencoder.recipe import BiencoderRecipe, BiencoderSource
from xorqa.lab.training.biencoder.samplers import Pick
from xorqa.lab.training.biencoder.tower import TowerInTraining
from xorqa.lab.training.biencoder.train import new_biencoder, train_biencoder
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.common.training_data import read_excluded, read_pairs
from xorqa.models.adapters import open_adapter
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings, encoder_settings

pytestmark = pytest.mark.filterwarnings("error::FutureWarning")

pytest.importorskip("peft")

TEXTS = ["Nile", "How long is the Rhine?", "Joki Nile on 107 km pitkä. " * 9]


def two(recipe: BiencoderRecipe, **values: Any) -> BiencoderRecipe:
    """The recipe with two towers, as DPR has them."""
    dpr = {
        "towers": 2,
        "pooling": "cls",
        "normalize": False,
        "unit": "passage",
        "scale": 1.0,
        "learn_scale": False,
        "both_ways": False,
        "parallel": (),
    }
    return replace(recipe, **(dpr | values))


def new_tower(recipe: BiencoderRecipe) -> TowerInTraining:
    return new_biencoder(recipe, recipe.finetuning).towers[0]


def items_of(recipe: BiencoderRecipe) -> list[Item]:
    return read_items(recipe.sources[0], unit=recipe.unit)[0]


def encoder(recipe: BiencoderRecipe, adapter: Path, passages: Path | None = None) -> Encoder:
    return Encoder(
        EncoderSettings(
            recipe.base,
            pooling=recipe.pooling,
            normalize=recipe.normalize,
            dtype="float32",
            adapter=str(adapter),
            passage_adapter=str(passages) if passages else None,
        )
    )


@pytest.mark.parametrize("negatives", [(), ("bm25",)])
def test_a_stopped_training_goes_on_to_the_same_adapter(
    recipe: BiencoderRecipe, tmp_path: Path, negatives: tuple[str, ...]
) -> None:
    recipe = replace(recipe, negatives=negatives)
    [whole] = train_biencoder(recipe, tmp_path / "whole")
    train_biencoder(recipe, tmp_path / "parts", stop_after=2)
    stopped = load_file(tmp_path / "parts" / "encoder.safetensors")
    [parts] = train_biencoder(recipe, tmp_path / "parts")
    wanted, found = load_file(whole), load_file(parts)
    assert sorted(wanted) == sorted(found)
    assert all(torch.equal(value, found[name]) for name, value in wanted.items())
    assert not all(torch.equal(value, stopped[name]) for name, value in wanted.items())
    for name in ("curve.csv", "validation.csv", "card.json"):
        assert (whole.parent / name).read_text() == (parts.parent / name).read_text()


def test_the_encoder_uses_what_was_trained(recipe: BiencoderRecipe, tmp_path: Path) -> None:
    told: list[str] = []
    [path] = train_biencoder(recipe, tmp_path, report=told.append)
    adapter = open_adapter(str(path), task="encoder")
    assert json.loads((tmp_path / "card.json").read_text()) == adapter.card
    card = adapter.card
    assert card["recipe"]["sources"][0]["files"] == ["english.json", "finnish.json", "swahili.json"]
    assert (card["steps"], card["pairs"]) == (4, 9)
    assert card["scale"] != recipe.scale
    assert 0 < card["validation"]["mrr"] <= 100
    assert card["validation"]["questions"] + card["questions"] == 16
    assert told[0] == f"{card['questions']} questions, 9 sentence pairs, 4 steps"
    assert sum(line.startswith("step ") for line in told) == 4
    trained = encoder(recipe, path).queries(TEXTS)
    plain = Encoder(EncoderSettings(recipe.base, dtype="float32")).queries(TEXTS)
    assert np.abs(trained - plain).max() > 1e-3
    with pytest.raises(ConfigError, match="trained with pooling = 'mean'"):
        encoder(replace(recipe, pooling="cls"), path).queries(TEXTS)


def test_training_brings_questions_to_their_answers(
    recipe: BiencoderRecipe, parallel: BiencoderSource, tmp_path: Path
) -> None:
    longer = replace(recipe, sources=(parallel,), steps=30, batch_size=8, parallel=())
    train_biencoder(longer, tmp_path)
    losses = [float(row.split(",")[1]) for row in (tmp_path / "curve.csv").read_text().split()[1:]]
    assert np.mean(losses[-5:]) < np.mean(losses[:5])


def test_two_towers_are_two_adapters(recipe: BiencoderRecipe, tmp_path: Path) -> None:
    dpr = two(recipe, negatives=("bm25",))
    query, passage = train_biencoder(dpr, tmp_path)
    assert (query.name, passage.name) == ("query.safetensors", "passage.safetensors")
    found = encoder(dpr, query, passage)
    assert np.abs(found.queries(TEXTS) - found.passages(TEXTS)).max() > 1e-3
    card = open_adapter(str(passage), task="encoder").card
    assert card["scale"] == 1.0
    assert card["recipe"]["normalize"] is False


@pytest.mark.parametrize("sampler", ["en-en", "x-x-mono", "x-y"])
def test_other_samplers(recipe: BiencoderRecipe, tmp_path: Path, sampler: str) -> None:
    [path] = train_biencoder(replace(recipe, sampler=sampler, steps=1), tmp_path)
    assert open_adapter(str(path), task="encoder").card["recipe"]["sampler"] == sampler


def test_a_tower_in_training_gives_the_encoders_vectors(recipe: BiencoderRecipe) -> None:
    for pooling in ("mean", "cls"):
        tower = new_tower(replace(recipe, pooling=pooling))
        settings = EncoderSettings(recipe.base, pooling=pooling, dtype="float32", max_tokens=20)
        wanted = Encoder(settings).queries(TEXTS)
        vectors = tower.vectors(TEXTS, max_tokens=20)
        assert vectors.requires_grad
        np.testing.assert_allclose(vectors.detach().numpy(), wanted, atol=1e-5)
        np.testing.assert_allclose(tower.embed_texts(TEXTS, max_tokens=20), wanted, atol=1e-5)


@pytest.mark.parametrize("method", ["lora", "full"])
def test_frozen_layers_have_nothing_to_learn(recipe: BiencoderRecipe, method: str) -> None:
    tower = new_tower(replace(recipe, method=method, frozen_layers=1))
    assert {name.split(".")[2] for name in tower.trainable.parameters} == {"1"}
    with pytest.raises(ConfigError, match="frozen_layers must be below 2"):
        new_tower(replace(recipe, frozen_layers=2))


def test_whole_weights(recipe: BiencoderRecipe, tmp_path: Path) -> None:
    whole = replace(recipe, method="full")
    [path] = train_biencoder(whole, tmp_path / "first")
    assert any(name.endswith(".Q") for name in load_file(path))
    tower = new_tower(replace(whole, start=str(path)))
    vectors = tower.embed_texts(TEXTS, max_tokens=recipe.max_passage_tokens)
    np.testing.assert_allclose(vectors, encoder(recipe, path).queries(TEXTS), atol=1e-5)
    assert np.abs(vectors - new_tower(whole).embed_texts(TEXTS, max_tokens=192)).max() > 1e-3
    with pytest.raises(ConfigError, match=r"changes whole weights.*method = \"full\" to continue"):
        new_tower(replace(recipe, start=str(path)))


def test_training_goes_on_from_an_adapter(recipe: BiencoderRecipe, tmp_path: Path) -> None:
    [first] = train_biencoder(recipe, tmp_path / "first")
    still = replace(recipe, start=str(first), schedule=Schedule(0.0, log_every=1))
    [second] = train_biencoder(still, tmp_path / "second")
    wanted, found = load_file(first), load_file(second)
    assert all(torch.allclose(value, found[name], atol=1e-3) for name, value in wanted.items())
    with pytest.raises(ConfigError, match="has another rank"):
        train_biencoder(replace(still, rank=3), tmp_path / "third")


def test_no_layer_of_the_start_is_lost(recipe: BiencoderRecipe, tmp_path: Path) -> None:
    [first] = train_biencoder(recipe, tmp_path / "first")
    tower = new_tower(replace(recipe, start=str(first), frozen_layers=1))
    assert (
        set(tower.trainable.adapter_tensors())
        == set(load_file(first))
        > set(tower.trainable.parameters)
    )


def test_excluded_sentences_are_no_pairs(tmp_path: Path) -> None:
    pairs, excluded = tmp_path / "pairs.tsv", tmp_path / "dev.txt"
    pairs.write_text("fi\tA.\ten\tOne.\nfi\tB.\ten\tTwo.\nfi\tC.\ten\tThree.\n")
    excluded.write_text("two\nc\n")
    kept = decontaminated(read_pairs([pairs]), read_excluded([excluded]))
    assert [pair[1] for pair in kept] == ["A."]


def test_hard_negatives_and_other_right_answers(recipe: BiencoderRecipe) -> None:
    items = items_of(recipe)
    drawn = [[Pick(0, "en", "en"), Pick(0, "en", "fi")]]
    hard = {(0, "en"): ["A lake."]}
    [batch] = make_batches(items, drawn, hard, [()], rng=random.Random(1))
    assert batch.negatives == ["A lake."]
    assert batch.pairs == ()
    model = new_biencoder(recipe, recipe.finetuning)
    alone, wrong = (
        float(model.loss(replace(batch, negatives=some)).detach()) for some in ([], ["A lake."])
    )
    assert alone == 0.0  # the other answer is right too, so there is nothing to tell it from
    assert wrong > 0
    right = items[0].answers["fi"]
    assert float(model.loss(replace(batch, negatives=[right])).detach()) == 0.0


def test_beside_pairs_every_text_is_ranked_against_all_others(recipe: BiencoderRecipe) -> None:
    items = items_of(recipe)
    pairs = [("fi", f"Joki {name}.", "en", f"River {name}.") for name in ("A", "B", "C")]
    batch = Batch(
        [(items[0], Pick(0, "en", "fi")), (items[5], Pick(5, "sw", "sw"))], ["A lake."], pairs
    )
    model = new_biencoder(replace(recipe, parallel_weight=0.5, margin=0.0), recipe.finetuning)
    texts = batch.texts()
    assert [text.side for text in texts[5:]] == [
        "query",
        "passage",
        "query",
        "query",
        "query",
        "passage",
    ]
    prefixes = [recipe.prefixes[text.side] + text.text for text in texts]
    vectors = torch.from_numpy(model.towers[0].embed_texts(prefixes, max_tokens=64))
    logits = recipe.scale * vectors @ vectors.T
    logits.fill_diagonal_(-torch.inf)
    own = torch.tensor([2, 3, 0, 1, 4, 8, 9, 10, 5, 6, 7])
    each = torch.nn.functional.cross_entropy(logits, own, reduction="none")
    wanted = each[:4].mean() + 0.5 * each[5:].mean()
    assert float(model.loss(batch).detach()) == pytest.approx(float(wanted), rel=1e-3)


def test_nothing_is_written_for_data_that_cannot_be_used(
    recipe: BiencoderRecipe, files: dict[str, Path], tmp_path: Path
) -> None:
    english = BiencoderSource((str(files["en"]),), held_out=0.0)
    with pytest.raises(ConfigError, match="that sampler 'x-y-different' can use"):
        apart = replace(recipe, sources=(english,), sampler="x-y-different")
        train_biencoder(apart, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_folder_of_another_recipe_is_left_alone(
    recipe: BiencoderRecipe, tmp_path: Path
) -> None:
    train_biencoder(recipe, tmp_path, stop_after=1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ConfigError, match=r"another recipe \(margin differs\)"):
        train_biencoder(replace(recipe, margin=0.2), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_all_weights_are_a_checkpoint(recipe: BiencoderRecipe, tmp_path: Path) -> None:
    """Embeddings are trained too; the folder is a model of transformers, and knows its pooling."""
    every = replace(recipe, method="all", pooling="cls", query_prefix="ask: ")
    [folder] = train_biencoder(every, tmp_path / "out")
    assert folder == tmp_path / "out" / "encoder"
    weights, base = (load_file(path / "model.safetensors") for path in (folder, Path(recipe.base)))
    assert weights.keys() <= base.keys()
    changed = [name for name, value in weights.items() if not torch.equal(value, base[name])]
    assert {"embeddings.word_embeddings.weight", "encoder.layer.0.output.dense.bias"} <= {*changed}
    assert {value.dtype for value in weights.values()} == {torch.float32}

    import transformers

    model = transformers.AutoModel.from_pretrained(folder).eval()
    inputs = transformers.AutoTokenizer.from_pretrained(folder)("ask: Nile", return_tensors="pt")
    with torch.inference_mode():
        wanted = model(**inputs).last_hidden_state[:, 0].numpy()
    found = Encoder(EncoderSettings(str(folder), dtype="float32")).queries(["Nile"])
    np.testing.assert_allclose(found, wanted / np.linalg.norm(wanted), atol=1e-5)
    other = Encoder(EncoderSettings(str(folder), pooling="mean"))
    with pytest.raises(ConfigError, match=r"checkpoint '.*' was trained with pooling = 'cls'"):
        other.queries(["Nile"])


def test_all_weights_go_on_to_the_same_checkpoint(recipe: BiencoderRecipe, tmp_path: Path) -> None:
    every = two(recipe, method="all")
    whole = train_biencoder(every, tmp_path / "whole")
    train_biencoder(every, tmp_path / "parts", stop_after=2)
    parts = train_biencoder(every, tmp_path / "parts")
    assert [path.name for path in parts] == ["query", "passage"]
    for wanted, found in zip(whole, parts, strict=True):
        assert {path.name for path in wanted.iterdir()} == {path.name for path in found.iterdir()}
        for path in wanted.iterdir():
            assert path.read_bytes() == (found / path.name).read_bytes()


@pytest.mark.parametrize("method", ["lora", "all"])
def test_a_sentence_is_trained_with_its_paragraph(
    recipe: BiencoderRecipe, tiny_bert: Path, tmp_path: Path, method: str
) -> None:
    placed = replace(recipe, base=str(tiny_bert), context=True, method=method)
    [path] = train_biencoder(placed, tmp_path)
    item = items_of(placed)[0]
    answer = item.answer("fi", placed.context)
    assert answer == (item.answers["fi"], item.paragraphs["fi"].text)
    made = Encoder(encoder_settings(f"{path},dtype=float32"))
    assert made.has_segments and made.trained_with["context"]
    tower = new_tower(placed)
    if method == "all":
        tower = new_tower(replace(placed, base=str(path)))
        wanted = made.passages([answer, "Joki"])
        trained = tower.vectors([answer, "Joki"], max_tokens=192).detach().numpy()
        np.testing.assert_allclose(trained, wanted, atol=1e-5)
        np.testing.assert_allclose(
            tower.embed_texts([answer, "Joki"], max_tokens=192), wanted, atol=1e-5
        )
    assert made.passages([answer]) @ made.passages([answer[0]]).T < 0.999


def test_paragraphs_need_sentences_of_their_own(recipe: BiencoderRecipe) -> None:
    for wrong in ({"unit": "passage"}, {"negatives": ("bm25",)}):
        with pytest.raises(ConfigError, match='needs unit = "sentence" and no negatives'):
            replace(recipe, context=True, **wrong)
    assert "context" not in recipe.describe()  # folders and adapters from before
