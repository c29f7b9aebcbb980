import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CONTEXT = "The Nile is 6,650 km long. Cairo stands on the Nile."
TOY = """
from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query


class Upper(BaseTranslator):
    version = 1

    def __init__(self, *, eat: str = ""):
        self.eat = eat

    def fingerprint(self):
        return self.eat

    def translate(self, questions, *, to):
        return [Query(q, "".join(c for c in q.text if c not in self.eat).upper(), to)
                for q in questions]

    def links(self, pairs):
        return [{(at, at): 1.0 for at in range(len(source.words))} for source, _ in pairs]
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A translator of somebody's own."""
    (tmp_path / "toy_mt.py").write_text(TOY)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "toy_mt:Upper"
    sys.modules.pop("toy_mt", None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two questions with answers."""
    qas = [
        {"id": qid, "question": text, "answers": [{"text": answer, "answer_start": start}]}
        for qid, text, answer, start in [
            ("long", "How long?", "6,650 km", 12),
            ("town", "Which town?", "Cairo", 27),
        ]
    ]
    path = tmp_path / "questions.json"
    paragraphs = [{"context": CONTEXT, "qas": qas}]
    path.write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": paragraphs}]}))
    return path


def test_training_data_is_translated_with_a_card(
    xorqa: Callable[..., Any], file: Path, toy: str
) -> None:
    command = ("translate", "train", file, "--to", "de", "--out", "de.json", "--translator")
    outcome = xorqa(*command, toy)
    assert outcome.status == 0
    assert (
        "2 of 2 questions (quotes 2, answer 0, failed 0, misplaced 0, untranslated 0): de.json"
        in outcome.out
    )
    [paragraph] = json.loads(Path("de.json").read_text())["data"][0]["paragraphs"]
    assert paragraph["context"] == CONTEXT.upper()
    assert [qa["answers"] for qa in paragraph["qas"]] == [
        [{"text": "6,650 KM", "answer_start": 12}],
        [{"text": "CAIRO", "answer_start": 27}],
    ]
    card = json.loads(Path("de.card.json").read_text())
    assert (card["from"], card["to"], card["questions"], card["quotes"]) == ("en", "de", 2, 2)
    assert card["translator"] == {"use": toy}
    eating = f"{{ use = '{toy}', eat = '\"' }}"
    assert "quotes 0, answer 2, failed 0" in xorqa(*command, eating).out


def test_english_answers_are_projected_into_their_contexts(
    xorqa: Callable[..., Any], file: Path, toy: str, tiny_adapter: Path
) -> None:
    command = ("translate", "test", file, "--translator", toy, "--reader", tiny_adapter)
    outcome = xorqa(*command, "--from", "de", "--pred", "pred.json")
    assert outcome.status == 0
    assert "2 questions (answered 2, unread 0, unaligned 0), aligned by Upper" in outcome.out
    answers = json.loads(Path("pred.json").read_text())
    assert list(answers) == ["long", "town"]
    assert all(text and text in CONTEXT for text in answers.values())


def test_texts_that_cannot_be_translated(
    xorqa: Callable[..., Any], file: Path, toy: str, tmp_path: Path
) -> None:
    bare, empty = tmp_path / "bare.json", tmp_path / "empty.json"
    paragraph = {"context": CONTEXT, "qas": [{"id": "q1", "question": "How long?"}]}
    bare.write_text(json.dumps({"data": [{"paragraphs": [paragraph]}]}))
    empty.write_text('{"data": []}')
    for command, message in {
        (file, "--translator", "nmt", "--to", "de"): "no translator is called 'nmt'; valid: ",
        (file, "--translator", "none", "--to", "de"): "translated none of 6 texts",
        (file, "--translator", "human", "--to", "de"): "'human' needs a setting 'translations'",
        (file, "--translator", "no_mt:Mt", "--to", "de"): "'no_mt:Mt' cannot be imported: ",
        (file, "--translator", toy, "--to", "xx"): "no language is called 'xx'",
        (
            file,
            "--translator",
            toy,
            "--to",
            "en",
        ): "--to has 'en', the language of the file",
        (bare, "--translator", toy, "--to", "de"): "question 'q1' has no answer to learn from",
        (empty, "--translator", toy, "--to", "de"): "empty.json contains no questions",
    }.items():
        outcome = xorqa("translate", "train", *command, "--out", "out.json")
        [line] = outcome.err.splitlines()
        assert (outcome.status, outcome.out) == (2, "")
        assert message in line
        assert not Path("out.json").exists()
    outcome = xorqa("translate", "test", file, "--translator", toy, "--pred", "p.json")
    assert "--from LANG; its name does not contain one" in outcome.err


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Questions as XOR QA has them."""
    path = tmp_path / "asked.jsonl"
    rows = [
        {"id": "q1", "question": "Where?", "lang": "fi"},
        {"id": "q2", "question": "Who?", "lang": "en"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_questions_are_recorded_once(xorqa: Callable[..., Any], asked: Path, toy: str) -> None:
    command = ("translate", "questions", "--file", asked, "--out", "out.jsonl", "--translator", toy)
    outcome = xorqa(*command)
    assert (outcome.status, outcome.out) == (0, f"1 new translation by {toy}: out.jsonl\n")
    [row] = map(json.loads, Path("out.jsonl").read_text().splitlines())
    assert (row["text"], row["translation"], row["provider"]) == ("Where?", "WHERE?", toy)
    assert xorqa(*command).out.startswith("0 new translations")
    replay = "{ use = 'recorded', file = 'out.jsonl' }"
    outcome = xorqa(*command[:4], "--out", "copy.jsonl", "--translator", replay)
    assert outcome.out.startswith("1 new translation by recorded")


def test_questions_of_a_squad_style_file(xorqa: Callable[..., Any], file: Path, toy: str) -> None:
    command = ("translate", "questions", "--file", file, "--out", "o.jsonl", "--translator", toy)
    assert "--from LANG; its name does not contain one" in xorqa(*command).err
    outcome = xorqa(*command, "--from", "fi")
    assert outcome.out == f"2 new translations by {toy}: o.jsonl\n"
    rows = list(map(json.loads, Path("o.jsonl").read_text().splitlines()))
    assert {(row["lang"], row["to"]) for row in rows} == {("fi", "en")}
    assert all(row["translation"] == row["text"].upper() for row in rows)


def test_a_sample_of_the_questions(xorqa: Callable[..., Any], file: Path, toy: str) -> None:
    command = ("translate", "questions", "--file", file, "--from", "fi", "--translator", toy)
    assert xorqa(*command, "--sample", 1, "--out", "o.jsonl").out.startswith("1 new translation ")
    assert xorqa(*command, "--out", "o.jsonl").out.startswith("1 new translation ")


def test_untranslated_questions_are_reported(xorqa: Callable[..., Any], asked: Path) -> None:
    table = "{ use = 'service', url = 'http://127.0.0.1:9/v1', model = 'm', retries = 0 }"
    outcome = xorqa(
        "translate", "questions", "--file", asked, "--out", "out.jsonl", "--translator", table
    )
    assert outcome.status == 1
    assert "0 new translations by service m" in outcome.out
    assert "not translated: q1 (127.0.0.1 cannot be reached" in outcome.out


def test_questions_have_one_source(xorqa: Callable[..., Any], asked: Path, toy: str) -> None:
    both = ("--data", "mini", "--file", asked)
    for given in ((), both):
        outcome = xorqa("translate", "questions", *given, "--out", "o.jsonl", "--translator", toy)
        assert outcome.status == 2
        assert "give either --data NAME or --file" in outcome.err
    outcome = xorqa(
        "translate", "questions", "--data", "mini", "--out", "o.jsonl", "--translator", "human"
    )
    assert outcome.status == 0
    assert len(Path("o.jsonl").read_text().splitlines()) > 100
