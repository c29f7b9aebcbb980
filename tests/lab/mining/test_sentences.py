import json
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.mining.sentences import read_parallel, read_sentences, unique_rows


def test_lines_with_and_without_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.en"
    path.write_text("en-1\tThe  Nile.\n\nen-2\tOulu.\n")
    with_ids = read_sentences(path, "en", with_ids=True)
    assert (with_ids.ids, with_ids.texts) == (("en-1", "en-2"), ("The Nile.", "Oulu."))
    plain = read_sentences(path, "en")
    assert (plain.ids, plain.texts[1]) == (("1", "3"), "en-2 Oulu.")
    assert read_parallel(path, "en").texts == ("en-1\tThe  Nile.", "", "en-2\tOulu.")


def test_the_sentences_of_passages(tmp_path: Path) -> None:
    rows = [
        {"docid": "n", "text": "The Nile is long. It is in Africa.", "lang": "en"},
        {"docid": "o", "text": "Oulu on kaupunki.", "lang": "fi"},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    sentences = read_sentences(path, "en")
    assert sentences.ids == ("n#1", "n#2")
    assert sentences.texts == ("The Nile is long.", "It is in Africa.")


def test_equal_sentences(tmp_path: Path) -> None:
    path = tmp_path / "a.en"
    path.write_text("a\nb\na \nc\n")
    sentences = read_sentences(path, "en")
    assert unique_rows(sentences).tolist() == [0, 1, 3]
    assert unique_rows(sentences, once=True).tolist() == [1, 3]


def test_files_of_another_layout(tmp_path: Path) -> None:
    path = tmp_path / "a.en"
    path.write_text("\n \n")
    with pytest.raises(DataError, match=r"a.en has no sentence"):
        read_sentences(path, "en")
    path.write_text("en-1\ta\nb\n")
    with pytest.raises(DataError, match="line 2: needs an id, a tab and a sentence"):
        read_sentences(path, "en", with_ids=True)
    with pytest.raises(ConfigError, match="no language is called 'xx'"):
        read_sentences(path, "xx")
