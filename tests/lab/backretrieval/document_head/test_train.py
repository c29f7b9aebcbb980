"""A tiny head on a tiny encoder."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.lab.backretrieval.captions.split import is_held_out
from xorqa.lab.backretrieval.document_head.data import make_batches, read_documents, split
from xorqa.lab.backretrieval.document_head.model import open_document_head
from xorqa.lab.backretrieval.document_head.recipe import (
    ConstantRate,
    DocumentHeadRecipe,
    DocumentSource,
)
from xorqa.lab.backretrieval.document_head.train import train_document_head
from xorqa.lab.backretrieval.encoders import encode_texts
from xorqa.lab.backretrieval.texts import Texts
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import encoder_settings

WORDS = ("river", "town", "lake", "forest", "bridge", "island", "road", "harbour", "church")
EN = Texts("en", ("river 1", "town"), bodies=("water", "houses"))
FI = Texts("fi", ("joki", "lake 2"), bodies=("vesi", ""))


@pytest.fixture(scope="module")
def recipe(tmp_path_factory, tiny):
    folder = tmp_path_factory.mktemp("documents")
    for lang in ("en", "fi"):
        rows = (
            {"id": f"d{number}", "text": f"{word} {lang}", "tags": [word[:3], word[::-1]]}
            for number, word in enumerate(WORDS * 3)
        )
        folder.joinpath(f"{lang}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    files = tuple(str(folder / f"{lang}.jsonl") for lang in ("en", "fi"))
    return DocumentHeadRecipe(
        (DocumentSource(files),), base=str(tiny), width=8, epochs=3, batch_size=10, held_out=0.3,
        schedule=ConstantRate(log_every=1),
    )  # fmt: skip


@pytest.fixture(scope="module")
def head(recipe, tmp_path_factory):
    return train_document_head(recipe, tmp_path_factory.mktemp("head"))


def losses(folder):
    lines = folder.joinpath("curve.csv").read_text().splitlines()
    return [float(line.split(",")[1]) for line in lines[1:]]


def test_ids_are_held_out_in_all_languages(recipe):
    documents = read_documents([Path(file) for file in recipe.sources[0].files])
    kept, held_out = split(documents, 0.3)
    assert len(documents) == 54 and documents[0].body == "riv, revir"
    assert {document.id for document in held_out} == {
        document.id for document in documents if is_held_out(document.id, 0.3)
    }
    assert not {document.id for document in held_out} & {document.id for document in kept}


def test_an_epoch_has_each_document_once_and_no_batch_has_a_single_one():
    batches = make_batches(11, epochs=2, size=5, seed=1)
    assert [len(batch) for batch in batches] == [5, 5, 5, 5]
    assert make_batches(10, epochs=2, size=5, seed=1) != make_batches(10, epochs=2, size=5, seed=2)
    once = [index for batch in make_batches(10, epochs=1, size=4, seed=1) for index in batch]
    assert sorted(once) == list(range(10))


def test_training_lowers_the_loss_and_the_card_has_the_held_out_recall(recipe, head):
    of_all = losses(head.parent)
    assert np.mean(of_all[-4:]) < np.mean(of_all[:4])
    card = json.loads(head.with_name("card.json").read_text())
    assert set(card["held_out_recall@10"]) == {"en", "fi"}
    assert card["documents"]["training"] + card["documents"]["held_out"] == 54


def test_triplet_xl_trains_another_head(recipe, head, tmp_path):
    other = train_document_head(replace(recipe, loss="triplet-xl"), tmp_path)
    assert not np.allclose(encode_texts(str(other), EN, FI)[0], encode_texts(str(head), EN, FI)[0])


def test_a_resumed_training_ends_with_the_same_weights(recipe, head, tmp_path):
    train_document_head(recipe, tmp_path, stop_after=3)
    assert train_document_head(recipe, tmp_path).read_bytes() == head.read_bytes()


def test_another_recipe_is_refused_and_damaged_vectors_are_encoded_again(recipe, tmp_path):
    train_document_head(recipe, tmp_path, stop_after=1)
    with pytest.raises(ConfigError, match="holds a training with another recipe"):
        train_document_head(replace(recipe, seed=2), tmp_path)
    (tmp_path / "vectors.json").unlink()
    messages = []
    train_document_head(recipe, tmp_path, report=messages.append)
    assert any("encoded" in line for line in messages)


def test_the_head_encodes_titles_and_bodies(recipe, head):
    source, target = encode_texts(str(head), EN, FI)
    assert source.shape == target.shape == (2, 16)
    np.testing.assert_allclose(np.linalg.norm(source, axis=1) ** 2, 2, rtol=1e-5)
    frozen = Encoder(encoder_settings(recipe.base))
    titles, bodies = frozen.queries(EN.texts), frozen.queries(EN.bodies)
    np.testing.assert_allclose(open_document_head(str(head))(titles, bodies), source, atol=1e-6)
    without = open_document_head(str(head))(frozen.queries(["lake 2"]), frozen.queries(["lake 2"]))
    np.testing.assert_allclose(target[1:], without, atol=1e-2, err_msg="no body: the title")


def test_the_frozen_encoder_on_both_fields(recipe):
    source, _ = encode_texts(f"{recipe.base},fields=both", EN, FI)
    titles, _ = encode_texts(recipe.base, EN, FI)
    assert source.shape == (2, 64)
    np.testing.assert_allclose(source[:, :32], titles, atol=1e-2)


@pytest.mark.parametrize(
    ("option", "texts", "error", "message"),
    [
        (",layer=1", EN, ConfigError, "is a document head, which has no options"),
        ("", Texts("en", ("a",), bodies=("",)), DataError, "no text in 'en' has one"),
    ],
)
def test_heads_that_cannot_encode(head, option, texts, error, message):
    with pytest.raises(error, match=message):
        encode_texts(f"{head}{option}", texts, FI)


def test_fields_that_do_not_exist(tiny):
    with pytest.raises(ConfigError, match="fields=all is not valid; valid: both, title"):
        encode_texts(f"{tiny},fields=all", EN, FI)


def test_a_head_of_another_encoder_or_without_a_layer_is_refused(head, tmp_path):
    from safetensors import safe_open
    from safetensors.numpy import save_file

    with safe_open(head, framework="np") as stream:
        metadata = stream.metadata()
        tensors = {name: stream.get_tensor(name) for name in stream.keys()}  # noqa: SIM118
    card = json.loads(metadata["card"])
    other = metadata | {"card": json.dumps(card | {"encoder": "another"})}
    save_file(tensors, tmp_path / "other.safetensors", other)
    with pytest.raises(WeightsError, match="was trained on another version of"):
        open_document_head(str(tmp_path / "other.safetensors"))
    del tensors["second.bias"]
    save_file(tensors, tmp_path / "damaged.safetensors", metadata)
    with pytest.raises(WeightsError, match="is damaged: it has no layer 'second'"):
        open_document_head(str(tmp_path / "damaged.safetensors"))


def test_files_without_bodies(tmp_path):
    (tmp_path / "en.jsonl").write_text('{"id": "a", "text": "river"}\n')
    with pytest.raises(DataError, match="has no row with a text and a body"):
        read_documents([tmp_path / "en.jsonl"])
