from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.own_folder import read_folder
from xorqa.io.files import write_jsonl
from xorqa.lab.building.check_folder import Checked, check_folder

NILE = {"docid": "n", "title": "Nile", "text": "The Nile flows north through Sudan and Egypt."}
KEMIJOKI = {"docid": "k", "text": "Kemijoki on Suomen pisin joki, ja se laskee Perämereen."}
RIVER = {
    "id": "q1",
    "question": "Missä Kemijoki laskee mereen?",
    "answers": [{"text": "Perämereen", "docid": "k", "start": 44}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A valid data set, a file per language."""
    folder = tmp_path / "rivers"
    write_jsonl(folder / "questions.fi.jsonl", [RIVER, {**RIVER, "id": None, "question": "Mitä?"}])
    write_jsonl(folder / "passages.fi.jsonl", [KEMIJOKI])
    write_jsonl(folder / "passages.en.jsonl", [NILE])
    return folder


def kinds(checked: Checked) -> list[tuple[str, str]]:
    return [(problem.kind, problem.where) for problem in checked.problems]


def test_files_by_language(folder: Path) -> None:
    dataset = load_dataset(str(folder))
    assert [example.question.qid for example in dataset.examples] == ["q1", "fi-2"]
    assert {example.question.lang for example in dataset.examples} == {"fi"}
    assert {lang: corpus.languages for lang, corpus in dataset.corpora.items()} == {
        "en": ["en"],
        "fi": ["fi"],
    }


def test_files_of_several_languages(folder: Path) -> None:
    write_jsonl(folder / "questions.jsonl", [{"question": "Where is the Nile?", "lang": "en"}])
    write_jsonl(folder / "passages.jsonl", [{**NILE, "docid": "m", "lang": "en"}])
    dataset = read_folder(folder)
    assert [example.question.qid for example in dataset.examples] == ["1", "q1", "fi-2"]
    assert [passage.docid for passage in dataset.corpora["en"]] == ["m", "n"]
    write_jsonl(folder / "questions.en.jsonl", [{**RIVER, "lang": "fi"}])
    with pytest.raises(DataError, match="another file has the id 'q1' already"):
        read_folder(folder)


def test_a_folder_without_questions(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no questions\.jsonl"):
        read_folder(tmp_path)


def test_a_valid_folder(folder: Path) -> None:
    checked = check_folder(folder)
    assert checked.is_valid and checked.problems == ()
    assert (checked.questions, checked.passages) == ({"fi": 2}, {"en": 1, "fi": 1})


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"text": "Perämereen", "docid": "x"}, ("unknown docid", "q2")),
        ({"text": "Perämereen", "docid": "k", "start": 43}, ("wrong span", "q2")),
        ({"text": "Egypt", "docid": "k"}, ("answer not in passage", "q2")),
        ({"text": "SUDAN", "docid": "n"}, None),
        ("Egypt", None),
    ],
)
def test_gold_passages(folder: Path, answer: object, problem: tuple[str, str] | None) -> None:
    row = {"id": "q2", "question": "Missä on Niili?", "answers": [answer]}
    write_jsonl(folder / "questions.fi.jsonl", [RIVER, row])
    checked = check_folder(folder)
    assert kinds(checked) == ([problem] if problem else [])
    assert checked.is_valid == (problem is None or problem[0] == "answer not in passage")


def test_every_problem_is_reported_and_errors_come_first(folder: Path) -> None:
    again = {**RIVER, "id": "q3", "answers": []}
    korean = {
        "id": "q4",
        "question": "나일강은 어디에 있나요?",
        "lang": "ko",
        "answers": ["이집트"],
    }
    english = {**RIVER, "id": "q5", "question": "Where does the longest river of Finland end?"}
    write_jsonl(folder / "questions.fi.jsonl", [RIVER, again, korean, english])
    write_jsonl(folder / "questions.sv.jsonl", [{**RIVER, "lang": "fi"}])
    (folder / "questions.en.jsonl").write_text("{")
    write_jsonl(folder / "passages.en.jsonl", [NILE, {**NILE, "docid": "m"}])
    (folder / "passages.ko.jsonl").write_text('{"text": ""}\n')
    assert kinds(check_folder(folder)) == [
        ("unreadable file", "questions.en.jsonl"),
        ("unreadable file", "passages.ko.jsonl"),
        ("repeated id", "q1"),
        ("no answer", "q3"),
        ("repeated question", "q3"),
        ("repeated passage", "m"),
        ("no passages", "ko"),
        ("other language", "q5"),
    ]
