import gzip
import json

import pytest

from tests.pictures import write_picture
from xorqa.core.errors import DataError
from xorqa.lab.backretrieval.captions.read import read_captions


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")


def read(folder, lang):
    return [(row.id, row.text, row.row) for row in read_captions(folder, lang).rows]


@pytest.fixture
def multi30k(tmp_path):
    """`data/task1` of the repository, with the pictures in `images/`."""
    for split, names in (("train", "1.jpg\n2.jpg\n"), ("val", "3.jpg\n")):
        write(tmp_path / "image_splits" / f"{split}.txt", names)
    write(tmp_path / "raw" / "train.de.gz", "Ein Hund\nEine Katze\n")
    write(tmp_path / "raw" / "train.en.gz", "A dog\nA cat\n")
    write(tmp_path / "raw" / "val.en.gz", "A bus\n")
    write(tmp_path / "raw" / "test_2017.en.gz", "No list of images\n")
    for number in (1, 2, 3):
        write_picture(tmp_path / "images" / f"{number}.jpg".replace("jpg", "png")).rename(
            tmp_path / "images" / f"{number}.jpg"
        )
    return tmp_path


def test_multi30k(multi30k):
    assert read(multi30k, "de") == [("1.jpg", "Ein Hund", 0), ("2.jpg", "Eine Katze", 1)]
    assert [text for _, text, _ in read(multi30k, "en")] == ["A dog", "A cat", "A bus"]


def test_texts_and_images_of_different_lengths(multi30k):
    write(multi30k / "raw" / "train.de.gz", "Ein Hund\n")
    with pytest.raises(DataError, match=r"train.de.gz has 1 lines, but .*train.txt has 2"):
        read_captions(multi30k, "de")


def test_a_damaged_archive(multi30k):
    (multi30k / "raw" / "train.de.gz").write_bytes(b"\x1f\x8b no gzip")
    with pytest.raises(DataError, match="cannot be read as gzipped UTF-8 text"):
        read_captions(multi30k, "de")


def test_independent_descriptions_of_multi30k(tmp_path):
    """`data/task2`: five descriptions of each image, of which the first one is used."""
    write(tmp_path / "image_splits" / "train_images.txt", "1.jpg\n2.jpg\n")
    write(tmp_path / "image_splits" / "test_2016_images.txt", "3.jpg\n")
    for number in (1, 2, 3, 4, 5):
        for lang, things in (("de", "Hund Katze Bus"), ("en", "dog cat bus")):
            first, second, third = (f"{number} {thing}\n" for thing in things.split())
            write(tmp_path / "raw" / f"train.{number}.{lang}.gz", first + second)
            write(tmp_path / "raw" / f"test_2016.{number}.{lang}.gz", third)
    for number in (1, 2, 3):
        picture = write_picture(tmp_path / "images" / f"{number}.png")
        picture.rename(picture.with_suffix(".jpg"))
    assert read(tmp_path, "de") == [
        ("3.jpg", "1 Bus", 0),
        ("1.jpg", "1 Hund", 5),
        ("2.jpg", "1 Katze", 6),
    ]
    assert [text for _, text, _ in read(tmp_path, "en")] == ["1 bus", "1 dog", "1 cat"]
    assert read_captions(tmp_path, "en").left_out == {"further texts of an image": 12}


def test_ikea(tmp_path):
    write(tmp_path / "image.index" / "test_WMT_2017_images.txt", "7.jpg\n8.jpg\n")
    for name in ("test_WMT_2017.de", "test_WMT_2017.de.gz"):
        write(tmp_path / "data.raw" / name, "Ein Stuhl\nEin Tisch\n")
    write_picture(tmp_path / "8.png").rename(tmp_path / "8.jpg")
    assert read(tmp_path, "de") == [("8.jpg", "Ein Tisch", 1)]
    assert read_captions(tmp_path, "de").left_out == {"missing images": 1}


def coco(captions):
    names = {key: f"COCO_val2014_{key}.jpg" for key, _ in captions}
    return {
        "images": [{"id": key, "file_name": name} for key, name in names.items()],
        "annotations": [{"image_id": key, "caption": text} for key, text in captions],
    }


def test_stair_with_coco(tmp_path):
    english = coco([(1, "A dog "), (1, "Another"), (2, "A cat")])
    write(tmp_path / "annotations" / "captions_val2014.json", json.dumps(english))
    japanese = json.dumps(coco([(2, "猫"), (1, "犬")]))
    write(tmp_path / "stair_captions_v1.2_val.json", japanese)
    write(tmp_path / "stair_captions_v1.2_val_tokenized.json", "{}")
    for key in (1, 2):
        picture = write_picture(tmp_path / "val2014" / f"{key}.png")
        picture.rename(picture.with_name(f"COCO_val2014_{key}.jpg"))
    assert read(tmp_path, "en") == [("1", "A dog", 0), ("2", "A cat", 2)]
    assert read(tmp_path, "ja") == [("2", "猫", 0), ("1", "犬", 1)]


@pytest.mark.parametrize("value", [[], {}, {"images": [], "annotations": [{"image_id": 1}]}])
def test_a_file_that_is_not_cocos(tmp_path, value):
    write(tmp_path / "captions_val2014.json", json.dumps(value))
    with pytest.raises(DataError, match="is not a COCO caption file"):
        read_captions(tmp_path, "en")


def crossmodal(key, **captions):
    return json.dumps(
        {"image/key": key, "image/locale": "fi"}
        | {lang: {"caption": texts} for lang, texts in captions.items()}
    )


def test_crossmodal_3600(tmp_path):
    lines = [crossmodal("k1", fi=["Kissa"], en=["A cat", "One"]), crossmodal("k2", fi=["Koira"])]
    write(tmp_path / "captions.jsonl", "\n".join(lines))
    for key in ("k1", "k2"):
        picture = write_picture(tmp_path / "images" / f"{key}.png")
        picture.rename(picture.with_suffix(".jpg"))
    assert read(tmp_path, "fi") == [("k1", "Kissa", 0), ("k2", "Koira", 1)]
    assert read(tmp_path, "en") == [("k1", "A cat", 0)]
    with pytest.raises(DataError, match=r"languages: en, fi$"):
        read_captions(tmp_path, "ja")


def test_a_malformed_line_of_crossmodal_3600(tmp_path):
    lines = [crossmodal("k1", fi=["Kissa"]), '{"fi": {"caption": ["Koira"]}}']
    write(tmp_path / "captions.jsonl", "\n".join(lines))
    with pytest.raises(DataError, match="line 2: not a line of Crossmodal-3600"):
        read_captions(tmp_path, "fi")
