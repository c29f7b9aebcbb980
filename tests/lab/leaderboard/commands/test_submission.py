import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Xorqa = Callable[..., Any]

QUESTIONS = [{"id": str(number), "question": "Missä?", "lang": "fi"} for number in range(1, 9)]
GOOD = {str(number): "Oulu" for number in range(1, 9)}


@pytest.fixture(autouse=True)
def _questions(xorqa: Xorqa) -> None:
    """The questions, as a file in the working folder."""
    Path("q.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))


def passages(qid: str, lang: str = "fi", *ctxs: str) -> dict[str, object]:
    return {"id": qid, "lang": lang, "ctxs": list(ctxs or ("Oulu",))}


def save(value: object, path: str = "p.json") -> str:
    Path(path).write_text(json.dumps(value))
    return path


def run_folder(row: dict[str, object]) -> None:
    Path("queries.jsonl").write_text("\n".join(json.dumps(row | {"qid": q}) for q in GOOD))


@pytest.mark.parametrize(
    ("task", "value"),
    [
        ("xor-full", GOOD),
        ("xor-full", {f"dev_{qid}": text for qid, text in GOOD.items()}),
        ("xor-engspan", GOOD),
        ("xor-retrieve", [passages(qid) for qid in GOOD]),
    ],
)
def test_a_clean_file_is_ready(xorqa: Xorqa, task: str, value: object) -> None:
    outcome = xorqa("submission", "check", save(value), "--task", task, "--data", "q.jsonl")
    assert (outcome.status, outcome.out) == (0, "ready to submit\n")


def test_errors_are_counted_shown_and_written(xorqa: Xorqa) -> None:
    path = save({"1": "Oulu", "2": 5, "x": "[bold]", "8": " "})
    call = ["submission", "check", path, "--task", "xor-engspan", "--data", "q.jsonl"]
    outcome = xorqa(*call, "--json", "problems.json")
    assert outcome.status == 1
    assert outcome.out.splitlines()[-1] == "not ready to submit; errors: 8"
    assert "  '2' the answer must be a string, not 5\n" in outcome.out
    assert "  '7' a question in fi has no prediction\n" in outcome.out
    report = json.loads(Path("problems.json").read_text())
    assert {kind: count for kind, count in report["counts"].items() if count} == {
        "missing id": 5,
        "extra id": 1,
        "wrong type": 1,
        "empty answer": 1,
    }
    assert len(report["problems"]) == 8
    assert report["problems"][0] == {
        "kind": "wrong type",
        "qid": "2",
        "detail": "the answer must be a string, not 5",
    }


def test_five_of_each_kind_are_shown_or_all(xorqa: Xorqa) -> None:
    call = ["submission", "check", save({}), "--task", "xor-full", "--data", "q.jsonl"]
    shortened, everything = xorqa(*call).out, xorqa(*call, "--all").out
    assert shortened.count("has no prediction") == 5
    assert "  and 3 more; --all shows them\n" in shortened
    assert everything.count("has no prediction") == 8
    assert "more" not in everything


def test_another_script_is_only_a_warning_and_only_in_xor_full(xorqa: Xorqa) -> None:
    path = save(GOOD | {"1": "Улан-Удэ"})
    outcome = xorqa("submission", "check", path, "--task", "xor-full", "--data", "q.jsonl")
    assert outcome.status == 0
    assert "a warning" in outcome.out
    assert "  '1' is not in the script of Finnish: 'Улан-Удэ'\n" in outcome.out
    assert outcome.out.endswith("ready to submit\n")
    outcome = xorqa("submission", "check", path, "--task", "xor-engspan", "--data", "q.jsonl")
    assert outcome.out == "ready to submit\n"


def test_the_languages_of_passages_are_checked(xorqa: Xorqa) -> None:
    rows = [passages(qid) for qid in GOOD]
    path = save([*rows[:6], passages("7", "te"), passages("8", "xx"), passages("1", "fi", " ")])
    outcome = xorqa("submission", "check", path, "--task", "xor-retrieve", "--data", "q.jsonl")
    assert outcome.status == 1
    for line in (
        "'7' is in fi, not in te",
        "'8' has the language 'xx'",
        "'1' occurs 2 times",
        "'1' has only white space",
    ):
        assert f"  {line}\n" in outcome.out
    assert outcome.out.endswith("errors: 4\n")


def test_a_run_folder_has_its_questions(xorqa: Xorqa) -> None:
    run_folder({"lang": "fi"})
    assert xorqa("submission", "check", save(GOOD), "--task", "xor-full").out == "ready to submit\n"
    outcome = xorqa("submission", "check", save({"1": "Oulu", "x": "y"}), "--task", "xor-full")
    assert outcome.status == 1
    assert outcome.out.endswith("errors: 8\n")


def test_a_run_reports_which_black_boxes_translated(xorqa: Xorqa) -> None:
    run_folder({"lang": "fi"})
    save({"black_box": {"eng": "example.org m1", "pool": "example.org m1"}}, "manifest.json")
    outcome = xorqa("submission", "check", save(GOOD), "--task", "xor-full", "--json", "c.json")
    assert (outcome.status, outcome.out) == (
        0,
        "translated by black-box services, which the submission must state: example.org m1\n"
        "ready to submit\n",
    )
    assert json.loads(Path("c.json").read_text())["black_box"] == ["example.org m1"]


@pytest.mark.parametrize(
    ("task", "value", "extra"),
    [
        ("xor-engspan", {"1": "Oulu"}, {"x": "Oulu"}),
        ("xor-retrieve", [passages("1")], [passages("x")]),
    ],
)
def test_a_run_may_have_questions_that_english_tasks_do_not_count(
    xorqa: Xorqa, task: str, value: Any, extra: Any
) -> None:
    run_folder({"lang": "fi"})
    outcome = xorqa("submission", "check", save(value), "--task", task)
    assert outcome.status == 0
    note, last = outcome.out.splitlines()
    assert note.startswith("no prediction for 7 questions of the run; ")
    assert note.endswith(f"--data FILE.jsonl shows whether {task} needs them")
    assert last == "no errors found"
    both = value | extra if isinstance(value, dict) else value + extra
    assert xorqa("submission", "check", save(both), "--task", task).status == 1
    assert (
        xorqa("submission", "check", save(value), "--task", task, "--data", "q.jsonl").status == 1
    )


@pytest.mark.parametrize("queries", [False, True])
def test_without_questions_the_unchecked_part_is_reported(xorqa: Xorqa, queries: bool) -> None:
    if queries:  # of another program
        run_folder({"_id": "1"})
    outcome = xorqa("submission", "check", save({"x": "Oulu"}), "--task", "xor-full")
    assert outcome.status == 0
    note, last = outcome.out.splitlines()
    assert "not checked; name the questions with --data FILE.jsonl" in note
    assert last == "no errors found"
    assert xorqa("submission", "check", save({"x": 5}), "--task", "xor-full").status == 1


def test_a_file_that_is_not_a_prediction_file_is_an_error(xorqa: Xorqa) -> None:
    outcome = xorqa("submission", "check", save([]), "--task", "xor-full", "--data", "q.jsonl")
    assert outcome.status == 2
    assert outcome.err == (
        "error: DataError: p.json must be a JSON object of question ids and answers\n"
    )
    assert xorqa("submission", "check", "p.json", "--task", "xor-half").status == 2
