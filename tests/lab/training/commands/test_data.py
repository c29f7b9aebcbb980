"""Commands that write training data."""

from __future__ import annotations

import json
from collections import Counter
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


DATA = Path(__file__).parents[4].parent / "shared" / "data"


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the training files")
def test_files_are_written_and_counted(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    outcome = xorqa("data", "multilingual-questions", "--from", DATA, "--out", tmp_path / "out")
    assert outcome.status == 0
    assert " ".join(outcome.out.split()).count("3624") == 17
    korean = list(read_squad(tmp_path / "out" / "ko.json"))
    assert len(korean) == 3624
    for one in korean:
        assert one.span and one.context[one.span.start : one.span.end] == one.answers[0]


def test_without_squad_the_error_names_the_file(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    outcome = xorqa("data", "multilingual-questions", "--from", tmp_path)
    assert outcome.status == 2
    [line] = outcome.err.splitlines()
    assert line.endswith("train-v1.1.json is missing; fetch it with: xorqa data fetch squad")


def test_questions_are_written_and_counted(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    out = tmp_path / "made.json"
    outcome = xorqa("data", "synthetic", "--out", out, "--count", 100, "--seed", 5)
    assert outcome.status == 0
    counts = Counter(one.title.split()[0] for one in read_squad(out))
    assert counts == {
        "comparison": 32,
        "degree": 26,
        "property": 18,
        "occupation": 16,
        "negation": 10,
    }
    assert all(f"{kind} │" in " ".join(outcome.out.split()) for kind in counts)


def test_a_seed_gives_the_same_file(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        assert xorqa("data", "synthetic", "--out", tmp_path / name, "--count", 50).status == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_no_questions_are_a_mistake(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    assert xorqa("data", "synthetic", "--out", tmp_path / "a.json", "--count", 0).status == 2
