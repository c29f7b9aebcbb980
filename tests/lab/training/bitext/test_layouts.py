import gzip
import json
from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.training.bitext.layouts import published


def write(folder: Path, **texts: str) -> Path:
    """Files with a dot for each `_` in the names; returns the folder."""
    for name, text in texts.items():
        (folder / name.replace("__", "-").replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def test_line_by_line_with_one_english_side_or_several(tmp_path: Path) -> None:
    write(
        tmp_path,
        train_ja="一\n二\n",
        train_en="one\ntwo\n",
        ar_txt="أ\n",
        en_txt="a\n",
        dev_bn__en_bn="এক\n",
        dev_bn__en_en_0="one\n",
        dev_bn__en_en_1="One!\n",
    )
    assert list(published(tmp_path / "train.ja")) == [("ja", "一", "one"), ("ja", "二", "two")]
    assert list(published(tmp_path / "ar.txt")) == [("ar", "أ", "a")]
    versions = list(published(tmp_path / "dev.bn-en.bn"))
    assert versions == [("bn", "এক", "one"), ("bn", "এক", "One!")]


def test_two_columns_named_by_their_languages(tmp_path: Path) -> None:
    rows = gzip.compress(b"Moi.\tHi.\n\nEi.\tNo.\tmore\n")
    (tmp_path / "europarl-v9.fi-en.tsv.gz").write_bytes(rows)
    (tmp_path / "news.en-fi.tsv.gz").write_bytes(rows)
    (tmp_path / "news.de-fi.tsv.gz").write_bytes(rows)
    pairs = list(published(tmp_path / "europarl-v9.fi-en.tsv.gz"))
    assert pairs == [("fi", "Moi.", "Hi."), ("fi", "Ei.", "No.")]
    assert next(published(tmp_path / "news.en-fi.tsv.gz")) == ("fi", "Hi.", "Moi.")
    with pytest.raises(DataError, match="has de and fi; one side must be en"):
        list(published(tmp_path / "news.de-fi.tsv.gz"))


def test_lists_with_tabs(tmp_path: Path) -> None:
    write(tmp_path, fin_txt="Go.\tMene.\tCC BY\nHi.\tMoi.\n", kor_txt="Go. 가.\n")
    assert list(published(tmp_path / "fin.txt")) == [("fi", "Mene.", "Go."), ("fi", "Moi.", "Hi.")]
    with pytest.raises(DataError, match=r"kor\.txt, line 1: has no tab"):
        list(published(tmp_path / "kor.txt"))


def test_pair_files(tmp_path: Path) -> None:
    write(tmp_path, pairs_tsv="fi\tMene.\ten\tGo.\nfi\tMoi.\tko\t안녕.\n", bad_tsv="fi\tMoi.\n")
    assert list(published(tmp_path / "pairs.tsv")) == [("fi", "Mene.", "Go.")]
    with pytest.raises(DataError, match=r"bad\.tsv, line 1: needs language, text"):
        list(published(tmp_path / "bad.tsv"))


def test_questions_parallel_by_id(tmp_path: Path) -> None:
    (tmp_path / "q.mkqa-en.jsonl").write_text(
        '{"id": "1_en", "question": "who"}\n{"id": "2_en", "question": "what"}\n'
    )
    (tmp_path / "q.mkqa-zh_cn.jsonl").write_text('{"id": "2_zh_cn", "question": "什么"}\n')
    (tmp_path / "q.mkqa-fi.jsonl").write_text('{"id": "3_fi", "question": "kuka"}\n')
    assert list(published(tmp_path / "q.mkqa-zh_cn.jsonl")) == [("zh", "什么", "what")]
    with pytest.raises(DataError, match="lacks question 3 of"):
        list(published(tmp_path / "q.mkqa-fi.jsonl"))


@pytest.mark.parametrize("name", ["alone.ja", "train.en", "words.txt", "a.csv"])
def test_layouts_that_are_not_known(tmp_path: Path, name: str) -> None:
    write(
        tmp_path, train_ja="一\n", train_en="one\n", words_txt="a\n", alone_ja="一\n", a_csv="a\n"
    )
    with pytest.raises(DataError, match=rf"{name} has no known layout; valid are train\.ja"):
        list(published(tmp_path / name))


def test_sides_of_different_length(tmp_path: Path) -> None:
    write(tmp_path, train_ja="一\n二\n", train_en="one\n")
    with pytest.raises(DataError, match=r"train\.ja has 2 lines and train\.en 1"):
        list(published(tmp_path / "train.ja"))


def test_recorded_translations_into_and_from_english(tmp_path: Path) -> None:
    row = dict.fromkeys(("provider", "version", "date", "hash"), "x")
    rows = [
        {**row, "lang": "ja", "to": "en", "text": "誰?", "translation": "Who?"},
        {**row, "lang": "ja", "to": "de", "text": "誰?", "translation": "Wer?"},
        {**row, "lang": "en", "to": "fi", "text": "Who?", "translation": "Kuka?"},
        {**row, "lang": "ja", "to": "en", "translation": "Where?"},
    ]
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows[:3]), encoding="utf-8")
    assert list(published(path)) == [("ja", "誰?", "Who?"), ("fi", "Kuka?", "Who?")]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    with pytest.raises(DataError, match=r"own\.jsonl, line 4: needs a string 'text'"):
        list(published(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for name in ("absent.tsv", "absent.ja", "absent"):
        with pytest.raises(DataError, match=rf"{name} is missing$"):
            list(published(tmp_path / name))
