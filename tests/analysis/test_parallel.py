import json
from pathlib import Path

import pytest

from xorqa.analysis.parallel import choose, find_files, read_questions
from xorqa.core.errors import ConfigError, DataError


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


def test_names_tell_languages(tmp_path: Path) -> None:
    touch(tmp_path, "xquad.ar.json", "german_dev.json", "README.md", "xquad.en.txt", "card.json")
    found = {lang: path.name for lang, path in find_files(tmp_path).items()}
    assert found == {"ar": "xquad.ar.json", "de": "german_dev.json"}


def test_of_mlqas_files_those_with_one_language(tmp_path: Path) -> None:
    langs = ("ar", "en", "vi")
    touch(tmp_path, *(f"test-context-{c}-question-{q}.json" for c in langs for q in langs))
    assert {lang: path.name for lang, path in find_files(tmp_path).items()} == {
        lang: f"test-context-{lang}-question-{lang}.json" for lang in langs
    }


def test_a_folder_that_does_not_fit_is_told_with_what_is_there(tmp_path: Path) -> None:
    touch(tmp_path, "train-v1.1.json", "notes.txt")
    with pytest.raises(DataError, match=r"there are: notes\.txt, train-v1\.1\.json"):
        find_files(tmp_path)
    touch(tmp_path, "dev.en.json", "test.en.json")
    with pytest.raises(DataError, match=r"two files in 'en': dev\.en\.json, test\.en\.json"):
        find_files(tmp_path)
    with pytest.raises(OSError, match="nowhere"):
        find_files(tmp_path / "nowhere")


def test_languages_are_chosen_in_the_order_asked() -> None:
    files = {lang: Path(f"{lang}.json") for lang in ("en", "ar", "de")}
    assert list(choose(files, None)) == ["ar", "de", "en"]
    assert list(choose(files, ["en", "ar", "en"])) == ["en", "ar"]
    with pytest.raises(ConfigError, match=r"no file in 'fi'; there are: ar, de, en"):
        choose(files, ["en", "fi"])
    with pytest.raises(ConfigError, match=r"one language is not enough; there are: ar, de, en"):
        choose(files, ["en", "en"])


def test_questions_by_id(tmp_path: Path) -> None:
    rows = read_questions(squad(tmp_path / "a.json", qa("1", "Nile"), qa("2", "The", "Nile")))
    assert {qid: row.answers for qid, row in rows.items()} == {"1": ("Nile",), "2": ("The", "Nile")}


@pytest.mark.parametrize(
    ("qas", "message"),
    [
        ([], "holds no questions"),
        ([qa("1", "Nile"), qa("1", "The")], "id '1' occurs twice"),
        ([qa("1", "Nile"), qa("2")], "question '2' has no gold answer to score by"),
    ],
)
def test_files_that_cannot_be_scored(
    tmp_path: Path, qas: list[dict[str, object]], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        read_questions(squad(tmp_path / "a.json", *qas))
