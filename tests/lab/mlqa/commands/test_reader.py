import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CONTEXT = "The Nile is 6,650 km long. Cairo stands on the Nile."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A SQuAD-style file as test sets are published: without answers."""
    qas = [{"id": "long", "question": "How long?"}, {"id": "town", "question": "Which town?"}]
    path = tmp_path / "test.en.json"
    paragraph = {"context": CONTEXT, "qas": qas}
    path.write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": [paragraph]}]}))
    return path


def test_every_question_is_answered_from_its_paragraph(
    xorqa: Callable[..., Any], file: Path, tiny_adapter: Path
) -> None:
    command = ("read", "--data", file, "--reader", tiny_adapter, "--pred")
    outcome = xorqa(*command, "mine.json")
    assert outcome.status == 0
    assert "2 questions in " in outcome.out and "mine.json" in outcome.out
    answers = json.loads(Path("mine.json").read_text())
    assert list(answers) == ["long", "town"]
    assert all(text and text in CONTEXT for text in answers.values())
    xorqa(*command, "again.json")
    assert json.loads(Path("again.json").read_text()) == answers


FAULTY = [
    {"id": "a", "question": "How long?", "answers": [{"text": "6,650 km", "answer_start": 12}]},
    {"id": "b", "question": "Which town?", "answers": [{"text": "Cairo", "answer_start": 3}]},
    {"id": "c", "question": "Which river?", "answers": [{"text": "Nile"}]},
    {"id": "c", "question": "What?", "answers": [{"text": "Nile", "answer_start": 4}]},
]


@pytest.mark.parametrize("command", ["read", "eval reader"])
def test_faults_of_the_data_are_reported_and_counted(
    xorqa: Callable[..., Any], tmp_path: Path, tiny_adapter: Path, command: str
) -> None:
    data = tmp_path / "a.en.json"
    paragraph = {"context": CONTEXT, "qas": FAULTY}
    data.write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": [paragraph]}]}))
    given = {
        "read": ["--data", data, "--pred", "p.json", "--reader", tiny_adapter],
        "eval reader": [data, "--adapter", tiny_adapter],
    }
    outcome = xorqa(*command.split(), *given[command], "--json", "scores.json")
    assert outcome.status == 0, outcome.err
    written = json.loads(Path("scores.json").read_text())
    counts = written["notices" if command == "read" else "problems"]
    said = " ".join((outcome.out + outcome.err).split())
    for kind in ("repeated id", "answer without an offset", "wrong offset of an answer"):
        assert counts[kind] == 1
        assert f"{kind}: 1 (such as question '" in said


def test_files_and_readers_that_cannot_be_used(
    xorqa: Callable[..., Any], file: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text('{"data": []}')
    assert "contains no questions" in xorqa("read", "--data", empty, "--pred", "p.json").err
    outcome = xorqa("read", "--data", file, "--pred", "p.json", "--reader", "reader-xx")
    assert "no adapter is called 'reader-xx'; valid: " in outcome.err
    assert not Path("p.json").exists()


@pytest.fixture
def finnish(tmp_path: Path) -> Path:
    path = tmp_path / "test.fi.json"
    qas = [{"id": "town", "question": "Mikä kaupunki?"}]
    paragraph = {"context": "Kairo on Niilin rannalla.", "qas": qas}
    path.write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": [paragraph]}]}))
    return path


def test_translate_test_aligns_by_attention_by_the_encoder_or_not_at_all(
    xorqa: Callable[..., Any], file: Path, finnish: Path, tiny_adapter: Path, tiny_seq2seq: Path
) -> None:
    model = f"{{use = 'seq2seq', model = '{tiny_seq2seq}', longest = 24}}"
    command = ("translate", "test", finnish, "--reader", tiny_adapter, "--pred", "a.json")
    given = (*command, "--translated", file)
    outcome = xorqa(*given, "--translator", model)
    assert (outcome.status, "aligned by AttentionAligner" in outcome.out) == (0, True)
    assert json.loads(Path("a.json").read_text())["town"] in "Kairo on Niilin rannalla."
    assert "aligned by EncoderAligner" in xorqa(*given, "--align", "encoder").out
    outcome = xorqa(*given, "--back", "human")
    assert "translat" in outcome.err
    assert "--align attention needs" in xorqa(*given, "--align", "attention").err
    assert "name a translator with --translator" in xorqa(*command).err
    both = xorqa(*given, "--align", "encoder", "--back", model)
    assert (both.status, "give one" in both.err) == (2, True)
