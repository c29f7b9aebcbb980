import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xorqa.datasets.catalog import PUBLICATIONS, load_dataset


def test_list_reports_what_is_available(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("data", "list")
    assert outcome.status == 0
    rows = {line.split()[1]: line for line in outcome.out.splitlines() if line.startswith("│")}
    assert rows["mini"].rstrip(" │").endswith("yes")
    assert rows["xquad-open"].rstrip(" │").endswith("no")
    assert "squad + xquad" in rows["xquad-open"] and "CC BY-SA 4.0" in rows["xquad-open"]
    assert "evaluation only" in rows["tequad"] and "none stated" in rows["tequad"]
    assert set(PUBLICATIONS) <= set(rows)


def test_show_counts_as_json(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("data", "show", "mini", "--json")
    assert outcome.status == 0
    shown = json.loads(outcome.out)
    assert shown["name"] == "mini"
    assert shown["questions"] == dict.fromkeys(("ar", "bn", "fi", "ja", "ko", "ru", "te"), 24)
    assert set(shown["passages"]) == {f"mini.{lang}" for lang in (*shown["questions"], "en")}
    assert min(shown["passages"].values()) >= 50


def test_show_for_readers(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("data", "show", "mini")
    assert outcome.status == 0
    assert "mini-ar-01" in outcome.out and "mini.te" in outcome.out and "CC0" in outcome.out


def test_questions_without_passages_are_counted_too(
    xorqa: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("my_data.py").write_text(
        "from dataclasses import replace\n"
        "from xorqa.datasets.mini import load\n"
        "def english():\n"
        "    'Questions over English passages.'\n"
        "    return replace(load(), corpora={'en': load().corpora['en']})\n"
    )
    lines = xorqa("data", "show", "my_data:english").out.splitlines()
    assert lines[0] == "my_data:english: Questions over English passages. (not stated)"
    assert any(" te " in line and "24" in line for line in lines)


def test_fetch_takes_a_local_copy(xorqa: Callable[..., Any], tmp_path: Path, home: Path) -> None:
    paragraph = {
        "context": "The Nile.",
        "qas": [
            {"id": "1", "question": "Which?", "answers": [{"text": "Nile", "answer_start": 4}]}
        ],
    }
    (tmp_path / "copy" / "squad").mkdir(parents=True)
    for file in PUBLICATIONS["squad"].files:
        text = json.dumps({"data": [{"title": "Nile", "paragraphs": [paragraph]}]})
        (tmp_path / "copy" / "squad" / file).write_text(text)
    outcome = xorqa("data", "fetch", "squad", "--from", tmp_path / "copy")
    assert outcome.status == 0
    assert outcome.out == f"squad: {home / 'data' / 'squad'}\n"
    assert sorted(p.name for p in (home / "data" / "squad").iterdir()) == sorted(
        PUBLICATIONS["squad"].files
    )


def test_fetch_deletes_a_damaged_file(
    xorqa: Callable[..., Any], tmp_path: Path, home: Path
) -> None:
    (tmp_path / "copy" / "squad").mkdir(parents=True)
    for file in PUBLICATIONS["squad"].files:
        (tmp_path / "copy" / "squad" / file).write_text('{"data": [')
    outcome = xorqa("data", "fetch", "squad", "--from", tmp_path / "copy")
    assert outcome.status == 2
    assert "is not valid JSON" in outcome.err
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_a_question_without_a_translation_shows_none(
    xorqa: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mini = load_dataset("mini")
    first = replace(mini.examples[0], human_translation=None)
    untranslated = replace(mini, examples=(first,))
    monkeypatch.setattr("xorqa.cli.data.load_dataset", lambda _: untranslated)
    outcome = xorqa("data", "show", "mini")
    assert first.question.text in outcome.out
    assert "None" not in outcome.out


def test_titles_passages_and_questions_are_printed_one_per_line(xorqa: Callable[..., Any]) -> None:
    def rows(part: str) -> list[list[str]]:
        out = xorqa("data", "show", "mini", part, "--lang", "ko,fi").out
        return [line.split("\t") for line in out.splitlines()]

    questions = rows("--questions")
    assert len(questions) == 48 and {row[0] for row in questions} == {"ko", "fi"}
    assert all(len(row) == 4 for row in rows("--passages"))
    titles = [tuple(row) for row in rows("--titles")]
    assert len(set(titles)) == len(titles) > 10
    wrong = xorqa("data", "show", "mini", "--titles", "--questions")
    assert wrong.status == 2 and "only one of" in wrong.err
    assert "valid: ar, bn, en" in xorqa("data", "show", "mini", "--lang", "xx").err
