import json
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.common.parallel_files import find_files, read_questions, select_languages


def touch(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_text("{}")
    return folder


def squad(path: Path, *qas: dict[str, object]) -> Path:
    paragraphs = [{"context": "The Nile.", "qas": list(qas)}]
    path.write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}))
    return path


def qa(qid: str, *answers: str) -> dict[str, object]:
    golds = [{"text": text, "answer_start": 0} for text in answers]
    return {"id": qid, "question": "?", "answers": golds}


def test_file_names_contain_languages(tmp_path: Path) -> None:
    touch(tmp_path, "xquad.ar.json", "german_dev.json", "README.md", "xquad.en.txt", "card.json")
    names = {lang: path.name for lang, path in find_files(tmp_path).items()}
    assert names == {"ar": "xquad.ar.json", "de": "german_dev.json"}


def test_of_mlqas_files_those_with_one_language(tmp_path: Path) -> None:
    langs = ("ar", "en", "vi")
    touch(tmp_path, *(f"test-context-{c}-question-{q}.json" for c in langs for q in langs))
    assert {lang: path.name for lang, path in find_files(tmp_path).items()} == {
        lang: f"test-context-{lang}-question-{lang}.json" for lang in langs
    }


def test_unusable_folders_raise_errors_that_list_their_files(tmp_path: Path) -> None:
    touch(tmp_path, "train-v1.1.json", "notes.txt")
    with pytest.raises(DataError, match=r"valid: notes\.txt, train-v1\.1\.json"):
        find_files(tmp_path)
    touch(tmp_path, "dev.en.json", "test.en.json")
    with pytest.raises(DataError, match=r"two files in 'en': dev\.en\.json, test\.en\.json"):
        find_files(tmp_path)
    with pytest.raises(OSError, match="nowhere"):
        find_files(tmp_path / "nowhere")


def test_languages_are_selected_in_the_given_order() -> None:
    files = {lang: Path(f"{lang}.json") for lang in ("en", "ar", "de")}
    assert list(select_languages(files, None)) == ["ar", "de", "en"]
    assert list(select_languages(files, ["en", "ar", "en"])) == ["en", "ar"]
    with pytest.raises(ConfigError, match=r"no file is in 'fi'; valid: ar, de, en"):
        select_languages(files, ["en", "fi"])
    with pytest.raises(ConfigError, match=r"select at least two languages; valid: ar, de, en"):
        select_languages(files, ["en", "en"])


def test_questions_by_id(tmp_path: Path) -> None:
    rows = read_questions(squad(tmp_path / "a.json", qa("1", "Nile"), qa("2", "The", "Nile")))
    assert {qid: row.answers for qid, row in rows.items()} == {"1": ("Nile",), "2": ("The", "Nile")}


@pytest.mark.parametrize(
    ("qas", "message"),
    [
        ([], "contains no questions"),
        ([qa("1", "Nile"), qa("1", "The")], "id '1' occurs twice"),
        ([qa("1", "Nile"), qa("2")], "question '2' has no gold answer"),
    ],
)
def test_files_that_cannot_be_scored(
    tmp_path: Path, qas: list[dict[str, object]], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        read_questions(squad(tmp_path / "a.json", *qas))
