import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.backretrieval.encoders import TextEncoder, Texts, encode_texts

EN = Texts("en", ("red cat", "Germany"), rows=(2, 0), total=3)
FI = Texts("fi", ("punainen kissa", "Saksa"), rows=(0, 1), total=2)


def similarity(name):
    source, target = encode_texts(name, FI, EN)
    return source @ target.T


@pytest.mark.parametrize("option", ["", ",layer=1", ",pooling=cls", ",layer=0,pooling=cls"])
def test_layers_and_poolings_of_a_checkpoint(tiny, option):
    source, target = encode_texts(f"{tiny}{option}", FI, EN)
    assert source.shape == target.shape == (2, 32)
    if option:
        assert not np.allclose(source, encode_texts(str(tiny), FI, EN)[0], atol=1e-3)


def test_the_last_layer_is_the_default(tiny):
    last = encode_texts(f"{tiny},layer=2", FI, EN)
    assert np.allclose(last[0], encode_texts(str(tiny), FI, EN)[0], atol=1e-5)


def test_a_transform_is_fitted_on_the_texts(tiny):
    for rows in encode_texts(f"{tiny},transform=center", FI, EN):
        assert np.allclose(rows[0], -rows[1], atol=1e-5)


def test_terms_and_the_lexicon(tmp_path):
    assert not similarity("bm25").any()
    assert similarity("lexicon")[1].argmax() == 1
    file = tmp_path / "words.tsv"
    file.write_text("fi\tkissa\ten\tcat\n")
    assert similarity(f"lexicon,file={file}").argmax(1).tolist() == [0, 1]
    assert similarity("characters").shape == (2, 2)


def test_vectors_from_a_file_are_in_the_order_of_the_data(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, en=[[1, 2], [3, 4], [5, 6]], fi=[[7, 8], [9, 0]])
    source, target = encode_texts(str(path), FI, EN)
    assert source.tolist() == [[7, 8], [9, 0]]
    assert target.tolist() == [[5, 6], [1, 2]]


def test_word_vectors_of_each_language(tmp_path):
    (tmp_path / "wiki.fi.vec").write_text("2 2\nkissa 1 0\nsaksa 0 1\n")
    (tmp_path / "wiki.en.vec").write_text("3 2\nred 0 1\ncat 3 0\ngermany 0 2\n")
    encoder = TextEncoder(str(tmp_path / "wiki.{lang}.vec"))
    source, target = encoder(FI, EN)
    assert source.tolist() == [[1, 0], [0, 1]] and target.tolist() == [[1.5, 0.5], [0, 2]]
    assert encoder.coverage["fi"].unknown == 1 and encoder.coverage["en"].unknown == 0


def test_word_vectors_of_titles_and_bodies(tmp_path):
    (tmp_path / "v.vec").write_text("a 1 0\nb 0 2\n")
    texts = Texts("en", ("a", "b"), bodies=("b", ""))
    source, _ = encode_texts(f"{tmp_path / 'v.vec'},fields=both", texts, texts)
    assert source.tolist() == [[1, 0, 0, 1], [0, 1, 0, 1]]
    with pytest.raises(DataError, match="needs bodies, and no text in 'fi' has one"):
        encode_texts(f"{tmp_path / 'v.vec'},fields=both", Texts("fi", ("a",), bodies=("",)), texts)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"fi": np.ones((2, 3))}, "has no array 'en'"),
        ({"fi": np.ones((2, 3)), "en": np.ones((2, 3))}, r"needed are numbers of shape \(3, dim"),
        ({"fi": np.array(["a", "b"])}, "'fi' has type <U1"),
    ],
)
def test_a_file_that_does_not_fit(tmp_path, arrays, message):
    np.savez(tmp_path / "mine.npz", **arrays)
    with pytest.raises(DataError, match=message):
        encode_texts(str(tmp_path / "mine.npz"), FI, EN)


def test_a_file_that_is_damaged(tmp_path):
    (tmp_path / "mine.npz").write_bytes(b"PK")
    with pytest.raises(DataError, match="cannot be read as an"):
        encode_texts(str(tmp_path / "mine.npz"), FI, EN)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("e5-small-q4,depth=3", "no option 'depth=3'; valid: fields=..., layer=..."),
        ("e5-small-q4,layer", "no option 'layer'"),
        ("e5-small-q4,layer=x", "layer=x is not a number"),
        ("e5-small-q4,pooling=max", "no pooling is called 'max'"),
        ("bm25,layer=3", "no option 'layer=3'; valid: none"),
        ("lexicon,layer=3", "valid: file=..."),
        ("a.vec,layer=3", "no option 'layer=3'; valid: fields=..."),
        ("a.vec,fields=all", "fields=all is not valid; valid: both, title"),
    ],
)
def test_options_that_do_not_exist(name, message):
    with pytest.raises(ConfigError, match=message):
        encode_texts(name, FI, EN)


def test_a_layer_that_does_not_exist(tiny):
    with pytest.raises(ConfigError, match=r"layer = 3, but .* has layers 0 to 2"):
        encode_texts(f"{tiny},layer=3", FI, EN)
