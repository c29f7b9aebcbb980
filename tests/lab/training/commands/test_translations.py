import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query, Question
from xorqa.translation.recorded import RecordedTranslator


def test_published_translations_are_imported(xorqa: Callable[..., Any], home: Path) -> None:
    pairs = {"fi": "Where?\nKuka?\n", "ko": "누구?\n"}
    english = {"fi": "At what place?\nWho?\n", "ko": "Who?\n"}
    for folder in (home / "data" / "xor-tydi" / "question-translations", Path("local")):
        for lang, texts in pairs.items():
            (folder / f"{lang}-en").mkdir(parents=True)
            (folder / f"{lang}-en" / f"{lang}.txt").write_text(texts, encoding="utf-8")
            (folder / f"{lang}-en" / "en.txt").write_text(english[lang], encoding="utf-8")
    outcome = xorqa("translate", "import", "xor-tydi", "--out", "human.jsonl")
    assert outcome.out == "3 new translations by human (files read: 2): human.jsonl\n"
    outcome = xorqa("translate", "import", "local", "--out", "human.jsonl")
    assert outcome.out == "0 new translations by human (files read: 2): human.jsonl\n"
    outcome = xorqa("translate", "import", "local/ko-en/ko.txt", "--out", "ko.jsonl")
    assert outcome.out == "1 new translation by human (files read: 1): ko.jsonl\n"
    Path("asked.jsonl").write_text('{"id": "q1", "question": "Where?", "lang": "fi"}\n')
    replay = "{ use = 'recorded', file = 'human.jsonl' }"
    command = ("translate", "questions", "--file", "asked.jsonl", "--out", "copy.jsonl")
    assert xorqa(*command, "--translator", replay).status == 0
    [row] = map(json.loads, Path("copy.jsonl").read_text().splitlines())
    assert row["translation"] == "At what place?"
    Path("empty").mkdir()
    outcome = xorqa("translate", "import", "empty", "--out", "o.jsonl")
    assert "empty has no translations; expected files such as ar-en/ar.txt" in outcome.err
    assert not Path("o.jsonl").exists()


def test_questions_of_a_translator_are_matched_by_id(xorqa: Callable[..., Any]) -> None:
    asked = [
        {"id": "1", "question": "Kuka?", "lang": "fi"},
        {"id": "2", "question": "누구?", "lang": "ko"},
    ]
    theirs = [{"id": "1", "question": "Who?", "lang": "fi"}, {"id": "9", "question": "Where?"}]
    for name, rows in (("dev.jsonl", asked), ("gmt.jsonl", theirs)):
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    command = ("translate", "import", "gmt.jsonl", "--provider", "GMT", "--out", "out.jsonl")
    assert xorqa(*command).status == 2  # recorded translations have other fields
    outcome = xorqa(*command, "--questions", "dev.jsonl")
    assert outcome.out == (
        "left out, since --questions lacks their ids: 1 row\n"
        "1 new translation by GMT (files read: 1): out.jsonl\n"
    )
    [row] = map(json.loads, Path("out.jsonl").read_text("utf-8").splitlines())
    assert (row["lang"], row["to"], row["translation"]) == ("fi", "en", "Who?")
    outcome = xorqa(*command, "--questions", "gmt.jsonl")
    assert outcome.status == 2 and "gmt.jsonl, line 2: needs a string 'lang'" in outcome.err


class Shout(BaseTranslator):
    """A translator without a model."""

    version = 1

    def fingerprint(self) -> str:
        """The same for each."""
        return "shout"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """The language after each text."""
        return [Query(q, f"{q.text} {to}", to) for q in questions]


def test_training_data_is_translated_into_several_languages(xorqa: Callable[..., Any]) -> None:
    text = "The Nile is long. It flows."
    answer = {"text": "Nile", "answer_start": 4}
    qas = [{"id": "1", "question": "What is long?", "answers": [answer]}]
    articles = [{"title": "Nile", "paragraphs": [{"context": text, "qas": qas}]}]
    Path("squad.json").write_text(json.dumps({"data": articles}), "utf-8")
    name = f"{__name__}:Shout"
    command = ("translate", "train", "squad.json", "--translator", name, "--to", "de,fi")
    outcome = xorqa(*command, "--out", "made/squad.{lang}.json")
    assert outcome.status == 0, outcome.err
    for lang in ("de", "fi"):
        [article] = json.loads(Path(f"made/squad.{lang}.json").read_text("utf-8"))["data"]
        assert lang in article["paragraphs"][0]["context"]
        assert json.loads(Path(f"made/squad.{lang}.card.json").read_text("utf-8"))["to"] == lang
    outcome = xorqa(*command, "--out", "squad.de.json")
    assert outcome.status == 2 and "write --out as squad.{lang}.json" in outcome.err
    outcome = xorqa(*command[:-1], "de,en", "--out", "squad.{lang}.json")
    assert outcome.status == 2 and "--to has 'en', the language of the file" in outcome.err


def test_translations_of_answers_are_matched_by_id(xorqa: Callable[..., Any]) -> None:
    asked = [{"id": str(at), "question": "?", "lang": lang} for at, lang in ((1, "fi"), (2, "ko"))]
    Path("dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked), "utf-8")
    Path("english.json").write_text('{"1": "the Nile", "2": "Verdi", "3": "one"}')
    Path("gmt.json").write_text('{"1": "Niili", "2": "베르디", "9": "?"}', "utf-8")
    command = ("translate", "import", "gmt.json", "--provider", "GMT", "--out", "out.jsonl")
    outcome = xorqa(*command, "--answers", "english.json")
    assert outcome.status == 2 and "--answers needs --questions" in outcome.err
    outcome = xorqa(*command, "--answers", "english.json", "--questions", "dev.jsonl")
    assert outcome.out == (
        "left out, without an English answer or a language: 1 row\n"
        "2 new translations of answers by GMT: out.jsonl\n"
    )
    translator = RecordedTranslator(file="out.jsonl", provider="GMT")
    [korean] = translator.translate([Question("q", "Verdi", "en")], to="ko")
    assert korean.text == "베르디"
    Path("gmt.json").write_text('{"1": 3}')
    outcome = xorqa(*command, "--answers", "english.json", "--questions", "dev.jsonl")
    assert outcome.status == 2 and "must be a string" in outcome.err
