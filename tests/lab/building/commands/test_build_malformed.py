"""Malformed imports of `xorqa build`: each row is reported whole, nothing is lost."""

import csv
import json
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.lab.building.commands import test_build_qa, test_build_xor
from xorqa.io.files import quote_cell
from xorqa.lab.building.simulate import Gold, simulate
from xorqa.lab.building.tasks import Task, read_annotations, read_tasks
from xorqa.lab.building.write import columns, write_tasks

Xorqa = Callable[..., Any]
Rows = list[dict[str, str]]
FINNISH = "Missä kaupungissa tämä suuri pato sijaitsee?"
ANSWER_OF = {"qa": "question", "xor": "answer"}  # the round in which answers are marked
QUESTION_OF = {"qa": "question", "xor": "translation"}  # that in which questions are written


def export(xorqa: Xorqa, kind: str, name: str) -> list[Task]:
    """Export a round, the rounds before it annotated without errors; the tasks."""
    first = {"qa": ("--sentences", "parallel.tsv"), "xor": ("--data", "mini", "--lang", "fi")}
    options = first[kind] if name == QUESTION_OF[kind] else ("--data", "mini", "--config", "bm25")
    if kind == "qa":
        corpora = [f"--corpus={lang}=wiki.{lang}.jsonl" for lang in ("en", "fi")]
        test_build_qa.write_sentences("fi")
        options = (*options, *corpora)
    elif name == "answer":
        tasks = export(xorqa, kind, "translation")
        write_tasks(Path("first.csv"), tasks, filled(kind, tasks))
        assert xorqa("build", kind, "import", "set", "first.csv").status == 0
    done = xorqa("build", kind, "export", "set", "--round", name, "--out", "t.csv", *options)
    assert done.status == 0, done.err
    return [task for task in read_tasks(Path("set")).values() if task.round == name]


def filled(kind: str, tasks: list[Task]) -> dict[str, dict[str, str]]:
    """What a perfect annotator fills in."""
    golds: Mapping[str, Gold] = {"qa": test_build_qa.gold, "xor": test_build_xor.gold}
    return simulate(tasks, golds[kind], annotator="anna", noise=0)


def as_rows(kind: str, tasks: list[Task]) -> Rows:
    """The rows of the filled-in table that have an answer or a question, then the others."""
    cells = filled(kind, tasks)
    rows = [
        dict.fromkeys(columns(tasks), "") | {"id": t.id, **t.shown, **cells[t.id]} for t in tasks
    ]
    return sorted(rows, key=lambda row: bool(row.get("impossible")))


def save_as_spreadsheet(rows: Rows) -> None:
    """Save a table as a spreadsheet in a German locale does."""
    stream = StringIO(newline="")
    table = csv.writer(stream, delimiter=";", lineterminator="\r\n")
    table.writerow([name.upper() for name in rows[0]])
    table.writerows([quote_cell(cell) for cell in row.values()] for row in rows)
    Path("anna.csv").write_bytes(f"\ufeffsep=;\r\n{stream.getvalue()}".encode())


def report() -> list[tuple[str, str, list[str]]]:
    """The level, kind and original cells of each row of the report."""
    with Path("set/report.csv").open(encoding="utf-8-sig", newline="") as stream:
        return [
            (row["level"], row["kind"], json.loads(row["row"])) for row in csv.DictReader(stream)
        ]


@pytest.mark.parametrize("kind", ["qa", "xor"])
def test_answers(xorqa: Xorqa, kind: str) -> None:
    rows = as_rows(kind, export(xorqa, kind, ANSWER_OF[kind]))
    before = len(read_annotations(Path("set")))
    column = "context" if kind == "qa" else "passage_1"
    damage: list[tuple[str, dict[str, str]]] = [
        ("moved span", {"start": "3"}),
        ("missing id", {"id": ""}),
        ("unknown id", {"id": "12.05.1902"}),
        ("two answers", {"answer": f"{rows[3]['answer']} | {rows[3]['answer'].split()[0]}"}),
        ("span not in passage", {"answer": "1,5"}),  # 1.5
        ("span not in passage", {"answer": "12.05.1902"}),  # 12 May 1902
        ("changed text", {column: rows[6][column].replace("a", "@", 1)}),
    ]
    damaged = [row | changes for row, (_, changes) in zip(rows, damage, strict=False)]
    damaged += rows[len(damage) :]
    save_as_spreadsheet(damaged)
    done = xorqa("build", kind, "import", "set", "anna.csv")
    assert done.status == 0, done.err
    assert f"{len(rows)} rows: {len(rows) - 5} accepted" in done.out
    assert len(read_annotations(Path("set"))) == before + len(rows) - 5
    problems = report()
    for row, (problem, _) in zip(damaged, damage, strict=False):
        level = "note" if problem in ("moved span", "changed text") else "left out"
        assert (level, problem, [quote_cell(cell) for cell in row.values()]) in problems
    assert sum(level == "left out" for level, *_ in problems) == 5

    save_as_spreadsheet(rows)
    done = xorqa("build", kind, "import", "set", "anna.csv")
    assert f"{len(rows)} rows: {len(rows)} accepted" in done.out
    assert "left out" not in done.out and len(read_annotations(Path("set"))) == before + len(rows)


@pytest.mark.parametrize("kind", ["qa", "xor"])
def test_questions_in_another_language(xorqa: Xorqa, kind: str) -> None:
    rows = as_rows(kind, export(xorqa, kind, QUESTION_OF[kind]))
    damaged = [{**rows[0], "question": FINNISH}, {**rows[1], "id": ""}, *rows[2:]]
    save_as_spreadsheet(damaged)
    done = xorqa("build", kind, "import", "set", "anna.csv")
    assert done.status == 0 and f"{len(rows)} rows: {len(rows) - 2} accepted" in done.out
    assert [kind for level, kind, _ in report() if level == "left out"] == [
        "other language",
        "missing id",
    ]
    assert FINNISH in report()[0][2] and len(read_annotations(Path("set"))) == len(rows) - 2
    done = xorqa("build", kind, "import", "set", "anna.csv", "--any-language")
    assert done.status == 0 and len(read_annotations(Path("set"))) == len(rows) - 1


@pytest.mark.parametrize("kind", ["qa", "xor"])
def test_two_answers_in_two_rows(xorqa: Xorqa, kind: str) -> None:
    rows = as_rows(kind, export(xorqa, kind, ANSWER_OF[kind]))
    before = len(read_annotations(Path("set")))
    word = rows[0].get("sentence", "the").split()[0]
    save_as_spreadsheet([*rows, {**rows[0], "answer": word, "start": ""}])
    done = xorqa("build", kind, "import", "set", "anna.csv")
    assert done.status == 0, done.err
    assert [kind for level, kind, _ in report() if level == "left out"] == ["two answers"] * 2
    assert len(read_annotations(Path("set"))) == before + len(rows) - 1
