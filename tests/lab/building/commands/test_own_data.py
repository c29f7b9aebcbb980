import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from xorqa.io.files import write_jsonl

Xorqa = Callable[..., Any]
PASSAGE = {"docid": "k", "text": "Kemijoki on Suomen pisin joki, ja se laskee Perämereen."}


def write(answers: list[Any]) -> None:
    row = {"question": "Mikä on Suomen pisin joki?", "answers": answers}
    write_jsonl(Path("rivers/questions.fi.jsonl"), [row])
    write_jsonl(Path("rivers/passages.fi.jsonl"), [PASSAGE])


def test_a_valid_folder_and_its_export(xorqa: Xorqa) -> None:
    write([{"text": "Kemijoki", "docid": "k", "start": 0}])
    outcome = xorqa("data", "check", "rivers")
    assert outcome.status == 0
    assert "questions: fi 1\npassages: fi 1\nrivers is valid" in outcome.out
    for layout, file in {
        "xor": "xor_full.jsonl",
        "squad": "squad.fi.json",
        "trec": "qrels.txt",
    }.items():
        outcome = xorqa("data", "export", "rivers", "--format", layout, "--out", layout)
        assert outcome.status == 0
        assert f"{layout}/{file}: 1 question\n" in outcome.out and Path(layout, file).is_file()


def test_problems_and_the_exit_status(xorqa: Xorqa) -> None:
    write([{"text": f"Kemi{number}", "docid": "x"} for number in range(7)])
    outcome = xorqa("data", "check", "rivers", "--json", "c.json")
    assert outcome.status == 1
    assert "error: unknown docid: 7" in outcome.out and "and 2 more (--all)" in outcome.out
    assert "correct the errors before you use it" in outcome.out
    result = json.loads(Path("c.json").read_text())
    assert result["valid"] is False and len(result["problems"]) == 7
    assert "more (--all)" not in xorqa("data", "check", "rivers", "--all").out
    write([])
    outcome = xorqa("data", "check", "rivers")
    assert outcome.status == 0 and "warning: no answer: 1" in outcome.out


def test_a_folder_without_questions(xorqa: Xorqa) -> None:
    outcome = xorqa("data", "check", ".")
    assert outcome.status == 2 and "has no questions.jsonl or questions.*.jsonl" in outcome.err
