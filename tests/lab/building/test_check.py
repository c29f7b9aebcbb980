"""Malformed imports: each gives a row in the report, and nothing is lost."""

from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.building.anchor import anchor, occurrences, utf16_to_characters
from xorqa.lab.building.check import check_rows
from xorqa.lab.building.read import read_rows
from xorqa.lab.building.tasks import Task, add_annotations, read_annotations
from xorqa.lab.building.write import write_tasks

TEXT = "🙂 The dam of 1902 has gate 007 and a wall of 1.5 km; the dam is in Aswan."
FILLED = ("question", "answer", "start", "impossible")
TASK = Task(
    "s00012.fi", "translation", "s00012", "fi", {"context": TEXT}, FILLED, {"context": "d"}, "fi"
)
TASKS = {TASK.id: TASK}
QUESTION = "Missä kaupungissa tämä suuri pato sijaitsee?"


def kinds(path: Path, text: str) -> list[str]:
    """The kinds of problems, of rows that are either accepted or reported."""
    path.write_text(text, encoding="utf-8")
    rows = read_rows(path)
    accepted, problems = check_rows(rows, TASKS)
    errors = [problem for problem in problems if problem.is_error]
    assert all(problem.raw is not None for problem in problems)
    repeated = sum(problem.kind in ("repeated row", "not annotated") for problem in problems)
    assert len(accepted) + len(errors) + repeated == len(rows)  # nothing is lost
    return [problem.kind for problem in problems]


HEADER = "id,question,answer,start\n"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (f"s00012.fi,{QUESTION},Aswan,{TEXT.index('Aswan')}\n", []),
        (f"s00012.fi,{QUESTION},Aswan,3\n", ["moved span"]),
        (f"s00012.fi,{QUESTION},dam,\n", ["first of several spans"]),
        (f",{QUESTION},Aswan,\n", ["missing id"]),
        (f"s9.fi,{QUESTION},Aswan,\n", ["unknown id"]),
        (f"s12.fi,{QUESTION},Aswan,\n", ["changed id"]),
        (f"s00012.fi,{QUESTION},Aswan | gate,\n", ["two answers"]),
        (f"s00012.fi,{QUESTION},Aswan,\ns00012.fi,{QUESTION},gate,\n", ["two answers"] * 2),
        (f"s00012.fi,{QUESTION},Aswan,\ns00012.fi,{QUESTION},Aswan,\n", ["repeated row"]),
        ("s00012.fi,In which city is this big old dam?,Aswan,\n", ["other language"]),
        (f"s00012.fi,{QUESTION},Cairo,\n", ["span not in passage"]),
        (f"s00012.fi,{QUESTION},7,\n", ["span not in passage"]),  # 007, leading zeros lost
        (f"s00012.fi,{QUESTION},1-May,\n", ["span not in passage"]),
        (f"s00012.fi,{QUESTION},Aswan,,too many\n", ["broken row"]),
        (f"s00012.fi,{QUESTION},,\n", ["incomplete"]),
        ("s00012.fi,,Aswan,\n", ["incomplete"]),
        ("s00012.fi,,,\n", ["not annotated"]),
    ],
)
def test_rows(tmp_path: Path, rows: str, expected: list[str]) -> None:
    assert kinds(tmp_path / "anna.csv", HEADER + rows) == expected


def test_a_table_from_a_spreadsheet(tmp_path: Path) -> None:
    """A byte order mark, semicolons, capitals in the header, and a decimal comma in the answer."""
    context = TEXT.replace("1.5", "1,5").replace("007", "7")
    text = f'\ufeffsep=;\nID;Question;Answer;Context\ns00012.FI;{QUESTION};1,5;"{context}"\n'
    assert kinds(tmp_path / "anna.csv", text) == [
        "changed id",
        "changed text",
        "span not in passage",
    ]
    assert (
        kinds(tmp_path / "b.csv", f"\ufeffid;question;answer\ns00012.fi;{QUESTION};Aswan\n") == []
    )


def test_jsonl(tmp_path: Path) -> None:
    two = f'{{"id": "s00012.fi", "question": "{QUESTION}", "answer": ["Aswan", "gate"]}}\n'
    assert kinds(tmp_path / "a.jsonl", two) == ["two answers"]
    broken = '{"id": "s00012.fi", "question": {"text": 1}, "answer": "Aswan"}\n'
    assert kinds(tmp_path / "a.jsonl", broken) == ["broken row"]
    impossible = '{"id": "s00012.fi", "impossible": true}\n'
    assert kinds(tmp_path / "a.jsonl", impossible) == []
    assert kinds(tmp_path / "a.jsonl", impossible.replace("}", ', "answer": "Aswan"}')) == [
        "contradiction"
    ]


def test_a_written_table_is_read_again(tmp_path: Path) -> None:
    filled = {TASK.id: {"question": QUESTION, "answer": "Aswan", "annotator": "anna"}}
    for name in ("t.csv", "t.jsonl"):
        write_tasks(tmp_path / name, [TASK], filled)
        [annotation], problems = check_rows(read_rows(tmp_path / name), TASKS)
        assert not problems and annotation.annotator == "anna"
        assert annotation.start == TEXT.index("Aswan") and annotation.passage == "d"
    with pytest.raises(ConfigError, match="no known suffix"):
        write_tasks(tmp_path / "t.xlsx", [TASK])
    (tmp_path / "no.csv").write_text("question\nx\n")
    with pytest.raises(DataError, match="no column 'id'"):
        read_rows(tmp_path / "no.csv")


def test_a_correction_replaces_the_first_answer(tmp_path: Path) -> None:
    path = tmp_path / "anna.csv"
    for answer in ("gate", "Aswan"):
        path.write_text(f"{HEADER}s00012.fi,{QUESTION},{answer},\n")
        add_annotations(tmp_path, check_rows(read_rows(path), TASKS)[0])
    assert [row.answer for row in read_annotations(tmp_path)] == ["Aswan"]


def test_offsets_after_an_emoji() -> None:
    start = TEXT.index("Aswan")
    assert utf16_to_characters(TEXT, start + 1) == start
    for offset in (start, start + 1):
        anchored = anchor(TEXT, "Aswan", str(offset))
        assert anchored and anchored.span.start == start and not anchored.moved
    assert anchor(TEXT, "Cairo", "3") is None
    assert [span.start for span in occurrences("a  b a b", "a b")] == [0, 5]


def test_no_annotator_verifies_their_own_answer(tmp_path: Path) -> None:
    task = Task("q.verification", "verification", "q", "en", {}, ("verdict",), not_by=("anna",))
    (tmp_path / "v.csv").write_text(
        f"id,annotator,verdict\n{task.id},anna,yes\n{task.id},bea,perhaps\n{task.id},cleo,no\n"
    )
    accepted, problems = check_rows(read_rows(tmp_path / "v.csv"), {task.id: task})
    assert [problem.kind for problem in problems] == ["own answer", "unknown verdict"]
    assert [(row.annotator, row.verdict) for row in accepted] == [("cleo", "no")]
