from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.io.squad_xor import read_squad

ROW = {"id": "q", "question": "Kuinka pitkä Niili on?", "answers": ["6,650 km"], "lang": "fi"}
TEXT = "The Nile is 6,650 km long."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One question, its translation, and a passage that answers it."""
    folder = tmp_path / "xor-tydi"
    (folder / "question-translations" / "fi-en").mkdir(parents=True)
    for side, text in (("fi", ROW["question"]), ("en", "How long is the Nile?")):
        (folder / "question-translations" / "fi-en" / f"{side}.txt").write_text(f"{text}\n")
    (folder / "xor_train_retrieve_eng_span.jsonl").write_text(json.dumps(ROW))
    (folder / "xor_dev_full_v1_1.jsonl").write_text(json.dumps(ROW | {"question": "Missä?"}))
    qas = [{"id": "1", "question": "?", "answers": []}]
    article = {"title": "Nile", "paragraphs": [{"context": TEXT, "qas": qas}]}
    (tmp_path / "en.json").write_text(json.dumps({"data": [article]}))
    return tmp_path


def test_pairs_are_written_and_counted(xorqa: Callable[..., Any], data: Path) -> None:
    outcome = xorqa(
        *("data", "distant", "--out", "made.json", "--questions", data / "xor-tydi"),
        *("--passages", data / "en.json", "--confirm", "none", "--with-english"),
    )
    assert outcome.status == 0
    rows = list(read_squad(Path("made.json")))
    assert {row.question for row in rows} == {ROW["question"], "How long is the Nile?"}
    assert Path("made.card.json").is_file()
    rows_of = {line.split("│")[1].strip(): line for line in outcome.out.splitlines() if "│" in line}
    assert rows_of["kept"].split()[-4:] == ["1", "│", "1", "│"]


def test_unfetched_questions_are_one_line(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("data", "distant", "--out", "made.json")
    assert outcome.status == 2
    assert "contains no xor_dev_*.jsonl" in outcome.err
    assert len(outcome.err.splitlines()) == 1
