"""A tiny image encoder, trained on two drawings of each shape."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.pictures import write_picture
from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.lab.backretrieval.captions.split import is_held_out
from xorqa.lab.backretrieval.image_encoder.augment import augment
from xorqa.lab.backretrieval.image_encoder.data import read_drawings
from xorqa.lab.backretrieval.image_encoder.recipe import ImageEncoderRecipe, PictureSource
from xorqa.lab.backretrieval.image_encoder.train import make_batches, train_image_encoder
from xorqa.lab.backretrieval.images.convolutional import (
    ConvolutionalEncoder,
    ImageShape,
    save_image_encoder,
)
from xorqa.lab.backretrieval.images.encode import encode_pictures, open_image_encoder
from xorqa.lab.backretrieval.images.picture import BrokenPictureError, open_picture
from xorqa.lab.training.common.loop import Schedule

COLOURS = ("red", "green", "blue", "orange", "purple", "black", "pink", "gold", "navy", "olive")
SHAPE = ImageShape(side=16, channels=(8, 16), dimensions=8)


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawings")
    rows = []
    for shape in ("ellipse", "rectangle"):
        for colour in COLOURS:
            paths = [f"{colour}-{shape}-{start}.png" for start in (4, 8)]
            for path, start in zip(paths, (4, 8), strict=True):
                write_picture(folder / path, colour, shape=shape, at=start)
            rows.append({"id": paths[0], "text": colour, "image": paths})
    rows.append({"id": "one", "text": "a single picture", "image": [rows[0]["image"][0]]})
    (folder / "en.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ImageEncoderRecipe(
        (PictureSource((str(folder / "en.jsonl"),)),), shape=SHAPE, epochs=15, batch_size=8,
        schedule=Schedule(1e-2, log_every=1),
    )  # fmt: skip


@pytest.fixture(scope="module")
def encoder(recipe, tmp_path_factory):
    return train_image_encoder(recipe, tmp_path_factory.mktemp("encoder"))


def drawings(recipe, held_out=0.3):
    return read_drawings([Path(recipe.sources[0].files[0])], 16, held_out)


def test_both_drawings_of_an_id_are_in_the_same_part(recipe):
    kept, held_out = drawings(recipe)
    assert len(kept.ids) + len(held_out.ids) == 20 and "one" not in kept.ids + held_out.ids
    assert all(is_held_out(id, 0.3) for id in held_out.ids)
    assert kept.first.shape == kept.last.shape == (len(kept.ids), 3, 16, 16)
    assert (kept.first != kept.last).any()


def test_batches_are_full(recipe):
    batches = make_batches(20, replace(recipe, epochs=2))
    assert [number for number, _ in batches] == [0, 1, 2, 3]
    assert {len(rows) for _, rows in batches} == {8}
    assert len(make_batches(3, recipe)[0][1]) == 3, "fewer drawings than a batch has"


def test_training_lowers_the_loss_and_the_card_has_the_held_out_recall(encoder):
    lines = encoder.with_name("curve.csv").read_text().splitlines()[1:]
    losses = [float(line.split(",")[1]) for line in lines]
    assert np.mean(losses[-4:]) < np.mean(losses[:4])
    card = json.loads(encoder.with_name("card.json").read_text())
    assert set(card["held_out_recall"]) == {"recall@1", "recall@10"}
    assert encoder.stat().st_size < 50_000


def test_a_resumed_training_ends_with_the_same_weights(recipe, encoder, tmp_path):
    train_image_encoder(recipe, tmp_path, stop_after=5)
    assert train_image_encoder(recipe, tmp_path).read_bytes() == encoder.read_bytes()
    with pytest.raises(ConfigError, match="holds a training with another recipe"):
        train_image_encoder(replace(recipe, seed=2), tmp_path)


def test_the_encoder_by_its_file(encoder, tmp_path):
    paths = [write_picture(tmp_path / f"{colour}.png", colour) for colour in ("red", "blue")]
    vectors, broken = encode_pictures(str(encoder), paths)
    assert not broken and vectors[paths[0]].shape == (8,)
    alone = open_image_encoder(str(encoder))([open_picture(paths[1])])
    np.testing.assert_allclose(alone[0], vectors[paths[1]], atol=1e-5)
    assert not np.allclose(vectors[paths[0]], vectors[paths[1]])


def test_changes_are_drawn_again_only_with_another_generator(recipe):
    pictures = torch.rand(4, 3, 16, 16) * 2 - 1
    changed = [augment(pictures, recipe, torch.Generator().manual_seed(s)) for s in (1, 1, 2)]
    assert torch.equal(changed[0], changed[1]) and not torch.equal(changed[0], changed[2])
    assert changed[0].min() >= -1 and changed[0].max() <= 1
    none = replace(recipe, shift=0, scale=0, turn=0, colour=0, grey=0)
    same = augment(pictures, none, torch.Generator().manual_seed(1))
    torch.testing.assert_close(same, pictures, atol=1e-5, rtol=0)
    white = augment(torch.ones(2, 3, 16, 16), replace(none, shift=0.5), torch.Generator())
    assert torch.equal(white, torch.ones(2, 3, 16, 16)), "what comes into sight is white"


@pytest.mark.parametrize(
    ("shape", "weights", "message"),
    [
        ({"side": 4}, {}, "must be from 8 to 1024, not 4"),
        ({"side": 16, "channels": [8], "dimensions": 8}, {}, "does not fit its card's shape"),
    ],
)
def test_damaged_encoders(tmp_path, shape, weights, message):
    save_image_encoder(tmp_path / "a.safetensors", weights, shape=SHAPE, card={})
    damaged = (tmp_path / "a.safetensors").read_bytes()
    old = json.dumps(json.dumps({"shape": {"side": 16, "channels": [8, 16], "dimensions": 8}}))
    new = json.dumps(json.dumps({"shape": shape}))
    new = new[:-1] + " " * (len(old) - len(new)) + '"'
    assert old.encode() in damaged
    (tmp_path / "a.safetensors").write_bytes(damaged.replace(old.encode(), new.encode()))
    with pytest.raises(WeightsError, match=message):
        encoder = ConvolutionalEncoder(str(tmp_path / "a.safetensors"))
        encoder([open_picture(write_picture(tmp_path / "a.png"))])


def test_data_that_cannot_be_used(recipe, tmp_path):
    with pytest.raises(DataError, match="fewer than two ids with two pictures"):
        drawings(recipe, held_out=1)
    (tmp_path / "en.jsonl").write_text(
        '{"id": "a", "text": "a", "image": ["a.png", "b.png"]}\n' * 2
    )
    with pytest.raises((BrokenPictureError, DataError)):
        read_drawings([tmp_path / "en.jsonl"], 16, 0)
