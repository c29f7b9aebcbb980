import json

import numpy as np
import pytest

from tests.pictures import write_picture
from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.backretrieval.captions.read import captions_folder, read_captions


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    """JSONL in English with everything that is left out, and a folder in Finnish."""
    for name in ("a.png", "b.png", "fi/a.png", "fi/c.png"):
        write_picture(tmp_path / name)
    write_rows(
        tmp_path / "en.jsonl",
        [
            {"id": "a", "text": "a cat", "image": "a.png"},
            {"text": "a dog", "image": ["b.png", "a.png"], "tags": ["pet"]},
            {"id": "b", "image": "b.png"},
            {"id": "c", "text": "a bus", "image": "gone.png"},
            {"id": "d", "text": "a sun"},
            {"id": "a", "text": "the same cat", "image": "a.png"},
        ],
    )
    (tmp_path / "fi" / "a.txt").write_text("kissa\n", encoding="utf-8")
    (tmp_path / "fi" / "b.txt").write_text("koira\n", encoding="utf-8")
    return tmp_path


def test_jsonl(folder):
    captions = read_captions(folder, "en")
    assert [(row.id, row.text, row.row) for row in captions.rows] == [
        ("a", "a cat", 0),
        ("b.png", "a dog", 1),
    ]
    assert captions.rows[1].images == (folder / "b.png", folder / "a.png")
    assert captions.total == 6
    assert captions.left_out == {
        "images without text": 1,
        "missing images": 2,
        "further texts of an image": 1,
    }


def test_a_folder_of_texts_and_pictures(folder):
    captions = read_captions(folder, "fi")
    assert [(row.id, row.text) for row in captions.rows] == [("a", "kissa")]
    assert captions.left_out == {"missing images": 1, "images without text": 1}


def test_vectors_of_rows_and_of_a_file(folder):
    write_rows(folder / "de.jsonl", [{"text": "rot", "vector": [1, 2]}, {"text": "blau"}])
    captions = read_captions(folder, "de", vectors=True)
    assert [row.vector.tolist() for row in captions.rows] == [[1, 2]]
    assert captions.left_out == {"missing images": 1}
    np.save(folder / "de.npy", [[1, 2, 3], [4, 5, 6]])
    captions = read_captions(folder, "de", vectors=True)
    assert [row.vector.tolist() for row in captions.rows] == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": 3, "image": "a.png"}, "line 2: 3 is not a string"),
        ({"text": "x", "image": [1]}, "line 2: 1 is not a string"),
        ({"text": "x", "image": {}}, "is not a list of strings"),
        ({"text": "x", "vector": ["1"]}, "which is not a list of numbers"),
        ({"text": "x", "vector": [True]}, "which is not a list of numbers"),
        ({"text": "x", "vector": [1e30]}, "line 2: vector has a number beyond 1e"),
        ({"id": 1.5, "text": "x"}, "line 2: 1.5 is not a string"),
    ],
)
def test_a_malformed_row_is_named(tmp_path, row, message):
    write_rows(tmp_path / "en.jsonl", [{"text": "a", "vector": [1]}, row])
    with pytest.raises(DataError, match=message):
        read_captions(tmp_path, "en", vectors=True)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones(3), r"shape \(3,\); needed are numbers of shape \(1, dimensions\)"),
        (np.ones((2, 3)), r"shape \(2, 3\)"),
        (np.array([["a"]]), "type <U1"),
        (np.array([[np.nan]]), "has numbers that are not finite"),
    ],
)
def test_a_file_of_vectors_that_does_not_fit(tmp_path, array, message):
    write_rows(tmp_path / "en.jsonl", [{"text": "a"}])
    np.save(tmp_path / "en.npy", array)
    with pytest.raises(DataError, match=message):
        read_captions(tmp_path, "en", vectors=True)


def test_a_damaged_file_of_vectors(tmp_path):
    write_rows(tmp_path / "en.jsonl", [{"text": "a"}])
    (tmp_path / "en.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(DataError, match="cannot be read as an"):
        read_captions(tmp_path, "en", vectors=True)


def test_vectors_of_different_lengths(tmp_path):
    rows = [{"id": str(n), "text": "a", "vector": [1] * n} for n in (1, 2)]
    write_rows(tmp_path / "en.jsonl", rows)
    with pytest.raises(DataError, match=r"in 'en' have lengths \[1, 2\]"):
        read_captions(tmp_path, "en", vectors=True)


def test_a_language_without_data(folder):
    with pytest.raises(DataError, match=r"has no texts in 'ja'; languages: en, fi$"):
        read_captions(folder, "ja")


def test_a_language_without_images(tmp_path):
    write_rows(tmp_path / "en.jsonl", [{"text": "a", "image": "gone.png"}])
    with pytest.raises(DataError, match=r"no text with an image in 'en' \(1 missing images\)"):
        read_captions(tmp_path, "en")


def test_a_folder_that_does_not_exist(tmp_path, home):
    assert captions_folder(str(tmp_path)) == tmp_path
    with pytest.raises(ConfigError, match="fetch it with: xorqa data fetch emoji"):
        captions_folder("emoji")
    with pytest.raises(ConfigError, match="there is no folder nowhere with texts and images"):
        captions_folder("nowhere")
