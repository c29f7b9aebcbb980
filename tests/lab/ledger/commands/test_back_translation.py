import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_back_translation_by_method(xorqa: Callable[..., Any]) -> None:
    answers = {"en": "France", "ja": "フランス", "fi": "France"}
    for lang, text in answers.items():
        Path(f"dev.mkqa-{lang}.jsonl").write_text(
            json.dumps({"id": f"1_{lang}", "answers": [text]})
        )
    command = ("eval", "back-translation", ".", "--lang", "ja,fi", "--json", "back.json")
    outcome = xorqa(*command, "--format", "csv")
    assert outcome.status == 0
    rows = {
        (row["language"], row["method"]): row for row in csv.DictReader(io.StringIO(outcome.out))
    }
    assert rows["ja", "rule:territory"]["right"] == "1"
    assert (rows["fi", "all"]["exact"], rows["fi", "all"]["copying"]) == ("0.0", "100.0")
    assert json.loads(Path("back.json").read_text())["ja"]["all"]["rescued"] == 1
    copied = xorqa(*command, "--localiser", "none", "--format", "csv")
    assert "ja,copied,1,0,1,0.0,0.0,0.0" in copied.out


def test_the_task_defines_the_normalisation(xorqa: Callable[..., Any]) -> None:
    for lang, text in {"en": "27 years", "ja": "27 年"}.items():
        Path(f"dev.mkqa-{lang}.jsonl").write_text(json.dumps({"id": "1", "answers": [text]}))
    command = ("eval", "back-translation", ".", "--lang", "ja")
    own, squad = xorqa(*command), xorqa(*command, "--task", "squad")
    assert "MKQA's normalisation" in own.out
    assert "dates and numbers, mean over languages: 100.0 %" in own.out + own.err
    assert "SQuAD v1.1's normalisation" in squad.out
    assert "dates and numbers, mean over languages: 0.0 %" in squad.out + squad.err


def test_a_language_without_answers(xorqa: Callable[..., Any]) -> None:
    for lang in ("en", "fi"):
        Path(f"dev.mkqa-{lang}.jsonl").write_text(json.dumps({"id": "1", "answers": ["a"]}))
    outcome = xorqa("eval", "back-translation", ".", "--lang", "ja")
    assert (outcome.status, outcome.out) == (2, "")
    assert "no answers in 'ja'; valid: fi" in outcome.err
