import numpy as np
import pytest
from PIL import Image

from tests.pictures import write_picture
from xorqa.core.errors import ConfigError, WeightsError
from xorqa.io.files import write_json
from xorqa.lab.backretrieval.images.encode import FEATURES, encode_pictures
from xorqa.lab.backretrieval.images.features import histogram, perceptual_hash
from xorqa.lab.backretrieval.images.picture import BrokenPictureError, data_uri, open_picture


def opened(path, *args, **options):
    return open_picture(write_picture(path / "one.png", *args, **options))


@pytest.mark.parametrize("feature", FEATURES.values(), ids=FEATURES)
def test_similar_pictures_have_similar_vectors(tmp_path, feature):
    picture = opened(tmp_path, "red", at=16)
    ball, larger = feature(picture), feature(picture.resize((90, 90)))
    other = feature(opened(tmp_path, "blue", shape="rectangle", at=1))
    near, far = (ball @ x / np.linalg.norm(ball) / np.linalg.norm(x) for x in (larger, other))
    assert near > 0.9 > far


def test_the_histogram_tells_colours_apart_and_ignores_transparent_pixels(tmp_path):
    red, blue = (histogram(opened(tmp_path, colour)) for colour in ("red", "blue"))
    assert red[:64] @ blue[:64] < 0.1
    assert red[:64] @ red[:64] == pytest.approx(1)
    assert red[63] == pytest.approx(0, abs=0.3), "white is the colour of transparent pixels"


def test_the_hash_is_of_signs(tmp_path):
    signs = perceptual_hash(opened(tmp_path, "red"))
    assert signs.shape == (63,)
    assert set(signs.tolist()) == {-1, 1}


def test_a_picture_without_any_contrast():
    plain = Image.new("RGBA", (5, 7), (0, 0, 0, 0))
    for feature in FEATURES.values():
        assert np.isfinite(feature(plain)).all()


def test_broken_files_are_listed(tmp_path):
    good, part = write_picture(tmp_path / "good.png"), tmp_path / "part.png"
    part.write_bytes(good.read_bytes()[:60])
    text = tmp_path / "text.png"
    text.write_text("no picture")
    vectors, broken = encode_pictures("hash", [good, part, text, good])
    assert list(vectors) == [good]
    assert broken == [part, text]


def test_a_data_uri_is_a_small_png(tmp_path):
    uri = data_uri(write_picture(tmp_path / "large.png", side=500))
    assert uri.startswith("data:image/png;base64,")
    assert len(uri) < 2000
    with pytest.raises(BrokenPictureError, match=r"gone\.png cannot be decoded"):
        data_uri(tmp_path / "gone.png")


def test_unknown_names(tmp_path):
    with pytest.raises(
        ConfigError, match=r"'hog'; valid: hash, histogram, image-encoder, a hub name"
    ):
        encode_pictures("hog", [])
    with pytest.raises(WeightsError, match="not a folder with a config"):
        encode_pictures(str(tmp_path), [])


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Random weights of a ResNet and of a CLIP model."""
    import torch
    from transformers import CLIPConfig, CLIPModel, ResNetConfig, ResNetModel

    torch.manual_seed(1)
    resnet = ResNetConfig(embedding_size=4, hidden_sizes=[4, 6], depths=[1, 1], layer_type="basic")
    tower = {"hidden_size": 8, "intermediate_size": 8, "num_attention_heads": 2}
    tower["num_hidden_layers"] = 1
    clip = CLIPConfig(
        text_config=tower | {"vocab_size": 9},
        vision_config=tower | {"image_size": 16, "patch_size": 8},
        projection_dim=5,
    )
    folder = tmp_path_factory.mktemp("models")
    for name, model in (("resnet", ResNetModel(resnet)), ("clip", CLIPModel(clip))):
        model.save_pretrained(folder / name)
    write_json(
        folder / "resnet" / "preprocessor_config.json",
        {"size": {"shortest_edge": 20}, "crop_size": 16, "image_mean": [0.5] * 3},
    )
    write_json(folder / "clip" / "preprocessor_config.json", {"size": {"height": 16, "width": 16}})
    return folder


@pytest.mark.parametrize(("name", "dimensions"), [("resnet", 6), ("clip", 5)])
def test_models(tmp_path, models, name, dimensions):
    paths = [
        write_picture(tmp_path / "red.png"),
        write_picture(tmp_path / "again.png"),
        write_picture(tmp_path / "blue.png", "blue", at=20, side=90),
    ]
    vectors, broken = encode_pictures(str(models / name), paths)
    red, again, blue = vectors.values()
    assert red.shape == (dimensions,)
    assert np.allclose(red, again) and not np.allclose(red, blue)
    assert not broken


def test_a_model_of_texts(tiny, tmp_path):
    with pytest.raises(WeightsError, match=r"has no preprocessor_config\.json; is it an image"):
        encode_pictures(str(tiny), [write_picture(tmp_path / "red.png")])
