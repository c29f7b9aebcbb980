from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import Example, Gold, Question, Span
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.user_data import question_row, read_corpora, read_folder, read_questions
from xorqa.io.files import write_jsonl
from xorqa.lab.building.check_folder import Checked, check_folder

NILE = {"docid": "n", "title": "Nile", "text": "The Nile flows north.", "lang": "en"}
KEMIJOKI = {"docid": "k", "text": "Kemijoki on joki Suomessa.", "lang": "fi"}
OULU = {"docid": "o", "text": "Oulujoki on joki Suomessa.", "lang": "fi"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.jsonl"


def test_the_layout_of_xor_qa(file: Path) -> None:
    row = {"id": 7, "lang": " fi", "question": "Missä?", "answers": ["Oulu"], "split": "dev"}
    write_jsonl(file, [row])
    assert read_questions(file) == (Example(Question("7", "Missä?", "fi"), (Gold("Oulu", "fi"),)),)
    assert read_questions(file, answer_lang="en")[0].golds == (Gold("Oulu", "en"),)


def test_only_the_question_is_necessary(file: Path) -> None:
    write_jsonl(
        file, [{"question": "대한민국의 수도는 어디인가?"}, {"question": "Where?", "lang": "en"}]
    )
    korean, english = read_questions(file)
    assert korean.question.lang == "ko" and korean.golds == ()
    assert (korean.question.qid, english.question.qid) == ("1", "2")


def test_everything_in_an_example_is_written_and_read_again(file: Path) -> None:
    golds = (Gold("6650", "en", "n", Span(3, 7)), Gold("6650", "fi"))
    examples = (
        Example(Question("q", "Kuinka pitkä?", "fi"), golds, "How long?", "en"),
        Example(Question("r", "Missä?", "fi"), ()),
    )
    write_jsonl(file, map(question_row, examples))
    assert read_questions(file) == examples
    mini = load_dataset("mini").examples
    write_jsonl(file, map(question_row, mini))
    assert read_questions(file) == mini


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"lang": "fi"}, "line 2: has no 'question'"),
        ({"question": " "}, "line 2: 'question' is empty"),
        ({"question": "?", "lang": "xx"}, "line 2: .*'xx'"),
        ({"question": "?", "id": "a b"}, "line 2: id 'a b' is empty or has a space"),
        ({"question": "?", "id": "1"}, "line 2: id '1' occurs twice"),
        ({"question": "?", "answers": [3]}, "line 2: 3 is not a string"),
        ({"question": "?", "answers": [{"lang": "fi"}]}, "line 2: has no 'text'"),
        ({"question": "?", "answers": [{"text": "x", "docid": "a b"}]}, "line 2: docid 'a b'"),
        ({"question": "?", "answered_in": "fi"}, "line 2: 'answered_in' is 'fi'; valid: "),
    ],
)
def test_a_line_with_another_layout(file: Path, row: dict[str, object], message: str) -> None:
    write_jsonl(file, [{"question": "Missä?", "lang": "fi"}, row])
    with pytest.raises(DataError, match=message):
        read_questions(file)


def test_a_file_without_questions(file: Path) -> None:
    file.write_text("\n")
    with pytest.raises(DataError, match="has no questions"):
        read_questions(file)


def test_files_of_one_language_and_files_of_several(tmp_path: Path) -> None:
    write_jsonl(mixed := tmp_path / "mixed.jsonl", [NILE, KEMIJOKI])
    write_jsonl(finnish := tmp_path / "finnish.jsonl", [{**OULU, "lang": ""}])
    corpora = read_corpora([str(mixed), f"fi={finnish}"])
    assert {lang: [p.docid for p in corpus] for lang, corpus in corpora.items()} == {
        "en": ["n"],
        "fi": ["k", "o"],
    }
    assert corpora["fi"].languages == ["fi"]
    with pytest.raises(ConfigError, match="xx"):
        read_corpora([f"xx={finnish}"])


def test_a_folder_with_questions_and_passages(tmp_path: Path) -> None:
    folder = tmp_path / "rivers"
    write_jsonl(folder / "questions.jsonl", [{"question": "Missä Oulujoki on?", "lang": "fi"}])
    write_jsonl(folder / "corpus" / "fi.jsonl", [{**OULU, "lang": ""}])
    write_jsonl(folder / "corpus" / "others.jsonl", [NILE, KEMIJOKI])
    (folder / "corpus" / ".DS_Store").write_bytes(b"x")
    dataset = load_dataset(str(folder))
    assert dataset.name == "rivers/questions.jsonl"
    assert {lang: len(corpus) for lang, corpus in dataset.corpora.items()} == {"en": 1, "fi": 2}
    assert read_folder(folder).examples == dataset.examples
    with pytest.raises(ConfigError, match=r"is a folder, not a data set; .*questions\.jsonl"):
        load_dataset(str(tmp_path))


THE_NILE = {"docid": "n", "title": "Nile", "text": "The Nile flows north through Sudan and Egypt."}
THE_KEMIJOKI = {"docid": "k", "text": "Kemijoki on Suomen pisin joki, ja se laskee Perämereen."}
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
    write_jsonl(folder / "passages.fi.jsonl", [THE_KEMIJOKI])
    write_jsonl(folder / "passages.en.jsonl", [THE_NILE])
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
    write_jsonl(folder / "passages.jsonl", [{**THE_NILE, "docid": "m", "lang": "en"}])
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
    write_jsonl(folder / "passages.en.jsonl", [THE_NILE, {**THE_NILE, "docid": "m"}])
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
